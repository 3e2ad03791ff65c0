// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/common.h"
#include "core/base/error.h"

namespace {

constexpr int cancelled = 4;

int run(int argc, char** argv) {
    CLI::App app{"Suture removes decoder layers from language models and repairs the seam."};
    app.set_version_flag("--version", "suture-cli " SUTURE_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 1 internal error, 2 wrong use, 3 bad input, 4 cancelled.");
    suture::cli::add_inspect(app);
    suture::cli::add_analyze(app);
    suture::cli::add_prune(app);
    suture::cli::add_evaluate(app);
    suture::cli::add_select(app);
    suture::cli::add_generate(app);
    suture::cli::add_speed(app);
    suture::cli::add_ablate(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : int(suture::Error::Kind::Usage);
    }
    if (suture::cli::went_on_after_interrupt()) throw suture::cli::CancelledWithResult();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    suture::cli::catch_interrupts();
    try {
        return run(argc, argv);
    } catch (const suture::Error& error) {
        std::cerr << "suture-cli: " << error.what() << "\n" << error.details();
        return int(error.kind());
    } catch (const suture::cli::CancelledWithResult& kept) {
        std::cerr << "\nsuture-cli: " << kept.what() << "\n";
        return cancelled;
    } catch (const suture::Cancelled&) {
        std::cerr << "\nsuture-cli: cancelled; nothing was written\n";
        return cancelled;
    } catch (const std::exception& error) {
        std::cerr << "suture-cli: internal error: " << error.what() << "\n";
        return int(suture::Error::Kind::Internal);
    }
}
