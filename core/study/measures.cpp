// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/measures.h"

#include "core/base/error.h"

namespace suture {
namespace {

/// The variants whose results the store lacks, and their places.
struct Missing {
    std::vector<Variant> variants;
    std::vector<std::size_t> places;
};

/// Fills `results` with what the store holds under key_of(variant).
template <class Result, class KeyOf>
Missing take_kept(const Study& study, std::span<const Variant> variants, std::vector<Result>& results, const KeyOf& key_of) {
    Missing missing;
    results.resize(variants.size());
    for (std::size_t v = 0; v < variants.size(); ++v) {
        if (const auto kept = study.store().find(key_of(variants[v]))) {
            results[v] = Result::from_artefact(*kept);
        } else {
            missing.variants.push_back(variants[v]);
            missing.places.push_back(v);
        }
    }
    return missing;
}

template <class Result, class KeyOf>
void keep(const Study& study, const Missing& missing, std::vector<Result> fresh, std::vector<Result>& results, const KeyOf& key_of) {
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        study.store().put(key_of(missing.variants[i]), fresh[i].to_artefact());
        results[missing.places[i]] = std::move(fresh[i]);
    }
}

}  // namespace

const std::shared_ptr<const Tokenizer>& tokenizer_of(const Study& study) {
    if (!study.tokenizer()) throw Error(study.tokenizer_problem());
    return study.tokenizer();
}

std::vector<std::vector<TaskResult>> score_tasks(const Study& study, std::span<const Variant> variants,
                                                 std::span<const TaskDocuments> tasks, const TaskSettings& settings,
                                                 const ComputeSettings& compute, Progress& progress) {
    return run_tasks(study.store(), study.model(), variants, *tokenizer_of(study), tasks, settings, compute, progress);
}

std::vector<RollingEvaluation> measure_rolling(const Study& study, std::span<const Variant> variants, const RollingText& text,
                                               const ComputeSettings& compute, Progress& progress) {
    const auto key_of = [&](const Variant& variant) { return rolling_key(*study, variant, text, compute); };
    std::vector<RollingEvaluation> results;
    const Missing missing = take_kept(study, variants, results, key_of);
    if (missing.variants.empty()) return results;
    keep(study, missing, evaluate_rolling(study.model(), missing.variants, text, compute, progress), results, key_of);
    return results;
}

std::vector<ReasoningResult> answer_problems(const Study& study, std::span<const Variant> variants, const Problems& problems,
                                             const ReasoningSettings& settings, const ComputeSettings& compute, const OnRow& on_row,
                                             Progress& progress) {
    const auto key_of = [&](const Variant& variant) { return reasoning_key(*study, variant, problems, settings, compute); };
    std::vector<ReasoningResult> results;
    const Missing missing = take_kept(study, variants, results, key_of);
    if (on_row)
        for (std::size_t v = 0; v < results.size(); ++v)
            for (const ReasoningRow& row : results[v].rows) on_row(v, row);
    if (missing.variants.empty()) return results;
    const OnRow in_place = [&](std::size_t i, const ReasoningRow& row) {
        if (on_row) on_row(missing.places[i], row);
    };
    keep(study, missing,
         run_reasoning(study.model(), tokenizer_of(study), missing.variants, problems, settings, compute, in_place, progress), results,
         key_of);
    return results;
}

}  // namespace suture
