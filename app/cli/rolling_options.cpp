// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rolling_options.h"

#include "core/base/error.h"

namespace suture::cli {

void RollingOptions::add_to(CLI::App& app) {
    app.add_option("--rolling", file, "text to measure lm_eval's word and byte perplexity on, e.g. wiki.test.raw")->type_name("FILE");
    add_settings(app, settings);
}

std::vector<RollingEvaluation> run_rolling(const RollingOptions& options, const Common& common, const Study& study,
                                           std::span<const Variant> variants, Progress& progress) {
    if (!study.tokenizer()) throw Error(study.tokenizer_problem());
    const RollingText text = rolling_text(*study, *study.tokenizer(), options.file, options.settings);
    common.say(std::to_string(text.documents.size()) + " documents, " + std::to_string(text.tokens()) + " tokens to read");
    const auto store = common.store();
    std::vector<RollingEvaluation> results(variants.size());
    std::vector<Variant> missing;
    std::vector<std::size_t> places;
    for (std::size_t v = 0; v < variants.size(); ++v) {
        if (const auto kept = store->find(rolling_key(*study, variants[v], text, common.job.compute))) {
            results[v] = RollingEvaluation::from_artefact(*kept);
            continue;
        }
        missing.push_back(variants[v]);
        places.push_back(v);
    }
    if (missing.empty()) return results;
    auto fresh = evaluate_rolling(study.model(), missing, text, common.job.compute, progress);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        store->put(rolling_key(*study, missing[i], text, common.job.compute), fresh[i].to_artefact());
        results[places[i]] = std::move(fresh[i]);
    }
    return results;
}

Table rolling_table(const std::string& title, const std::vector<std::string>& names, std::span<const RollingEvaluation> results) {
    Table table{.title = title,
                .columns = {{"variant"},
                            {"word perplexity", 4},
                            {"95 % low", 4},
                            {"95 % high", 4},
                            {"byte perplexity", 4},
                            {"bits per byte", 4},
                            {"documents"}}};
    for (std::size_t v = 0; v < results.size(); ++v) {
        const RollingEvaluation& r = results[v];
        const auto interval = r.interval();
        table.rows.push_back({names[v], r.word_perplexity(), interval ? Cell(interval->low) : Cell(),
                              interval ? Cell(interval->high) : Cell(), r.byte_perplexity(), r.bits_per_byte(),
                              std::int64_t(r.documents.size())});
    }
    return table;
}

}  // namespace suture::cli
