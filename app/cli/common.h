// SPDX-License-Identifier: GPL-3.0-or-later
// What the subcommands share: options made from described settings, progress on stderr, output as JSON or tables.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "core/base/error.h"
#include "core/base/table.h"
#include "core/study/study.h"

namespace suture::cli {

/// Accepts 0 and more, but neither negative numbers nor nan or inf.
extern const CLI::Validator finite_number;

/// Adds one option per described field, with the default in --help. Members named in `leave_out` are skipped.
template <class S>
void add_settings(CLI::App& app, S& settings, const std::vector<std::string>& leave_out = {}) {
    for (const auto& field : S::fields()) {
        if (std::find(leave_out.begin(), leave_out.end(), field.name) != leave_out.end()) continue;
        std::visit(
            [&](auto member) {
                using Value = std::remove_reference_t<decltype(settings.*member)>;
                CLI::Option* option;
                if constexpr (std::is_same_v<Value, bool>) option = app.add_flag("--" + field.name, settings.*member, field.help);
                else option = app.add_option("--" + field.name, settings.*member, field.help)->capture_default_str();
                if constexpr (std::is_same_v<Value, std::int64_t>) option->check(finite_number);
                if constexpr (std::is_same_v<Value, double>) option->check(finite_number);
                if (!field.choices.empty()) option->check(CLI::IsMember(field.choices));
            },
            field.member);
    }
}

/// Options every subcommand understands.
struct Common {
    std::filesystem::path model;
    TextSource text;
    JobSettings job;
    std::string cache;          ///< folder, "none" or empty for the default
    std::string json;           ///< file, "-" for stdout, or empty for tables
    std::filesystem::path csv;  ///< folder for the tables as CSV, or empty
    std::int64_t seed = 0;
    bool quiet = false;

    void add_to(CLI::App& app, bool with_text);
    std::shared_ptr<Store> store() const;
    Study open() const;
    /// Writes `json` where --json says and the tables where --csv says; without --json prints the tables.
    void write(const nlohmann::json& json, const std::vector<Table>& tables) const;
    /// A line on stderr, unless --quiet.
    void say(const std::string& line) const;
};

/// Thrown after a cancelled run wrote what it had found.
class CancelledWithResult : public Cancelled {
public:
    const char* what() const noexcept override { return "cancelled; what was found until then was written"; }
};

/// Cancelled by Ctrl-C; reports on stderr when that is a terminal.
Progress make_progress(const Common& common);
/// From here on Ctrl-C and SIGTERM ask to stop instead of ending the program.
void catch_interrupts();
/// After an interrupt that ended one stage early and kept what it had: the command goes on, and only another interrupt cancels it.
Progress go_on_after_interrupt(const Common& common);
/// Whether the command went on so, which makes its exit code that of a cancelled one.
bool went_on_after_interrupt();

/// One remark where both are the same file: a fit knows the text it is then measured on.
void warn_of_same_text(const Common& common, const TextSource& calibration, const TextSource& evaluation);
/// One remark where more tokens stand in one sequence than the model was made for; `what` begins the sentence.
void warn_of_length(const Common& common, const Study& study, const std::string& what, std::int64_t tokens);
/// Throws a usage Error where one of the options, named with their dashes, was given although it has no effect; `needed` is what it
/// would take: "--tasks".
void refuse_without(const CLI::App& command, const std::vector<std::string>& options, const std::string& needed);
/// Throws Error when nothing can be written to `file` because its folder does not exist or it is a folder. Empty: not asked for.
void check_can_be_written(const std::filesystem::path& file);
/// Throws Error when the folder of --csv is something else. Empty: not asked for.
void check_can_hold(const std::filesystem::path& folder);

/// Tokens.
std::int64_t longest_window(const Windows& windows);
/// Window and model warnings, and the memory a run will take. Throws Error when that is more than --memory allows.
void say_before_run(const Common& common, const Study& study, const Windows& windows, const MemoryEstimate& estimate);

/// "40 s", "3 min".
std::string duration_words(double seconds);
/// "3,5,8" as counts. Throws a usage Error.
std::vector<int> parse_counts(const std::string& text);
/// "a, b" as names without blanks around them and without empty ones.
std::vector<std::string> split_names(const std::string& text);

void add_inspect(CLI::App& app);
void add_analyze(CLI::App& app);
void add_prune(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_select(CLI::App& app);
void add_generate(CLI::App& app);
void add_speed(CLI::App& app);
void add_ablate(CLI::App& app);

}  // namespace suture::cli
