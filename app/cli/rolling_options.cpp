// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rolling_options.h"

#include "core/study/measures.h"

namespace suture::cli {

void RollingOptions::add_to(CLI::App& app, const std::string& name) {
    command_ = &app;
    option_ = name;
    app.add_option(name, file, "text to measure lm_eval's word and byte perplexity on, e.g. wiki.test.raw")->type_name("FILE");
    add_settings(app, settings);
}

void RollingOptions::check_use() const {
    if (wanted() || !command_) return;
    std::vector<std::string> options;
    for (const auto& field : RollingSettings::fields()) options.push_back("--" + field.name);
    refuse_without(*command_, options, option_);
}

std::vector<RollingEvaluation> run_rolling(const RollingOptions& options, const Common& common, const Study& study,
                                           std::span<const Variant> variants, Progress& progress) {
    const RollingText text = rolling_text(*study, *tokenizer_of(study), options.file, options.settings);
    warn_of_length(common, study, "--rolling-length gives a window", text.settings.length);
    common.say(std::to_string(text.documents.size()) + " documents, " + std::to_string(text.tokens()) + " tokens to read");
    return measure_rolling(study, variants, text, common.job.compute, progress);
}

}  // namespace suture::cli
