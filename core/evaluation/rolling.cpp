// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluation/rolling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/evaluation/internal/walk.h"

namespace suture {
namespace {

/// One window of some document.
struct Place {
    std::size_t document;
    const RollingWindow* window;
};

std::vector<Place> places_of(const RollingText& text) {
    std::vector<Place> places;
    for (std::size_t d = 0; d < text.documents.size(); ++d)
        for (const auto& window : text.documents[d].windows) places.push_back({d, &window});
    return places;
}

/// Adds the log-likelihoods of the windows' last tokens to their documents. The head sees predicted rows only.
void score(const Decoder& decoder, std::span<const Place> places, const std::vector<at::Tensor>& states,
           const std::vector<RollingEvaluation*>& results) {
    std::vector<at::Tensor> rows;
    std::vector<std::int64_t> targets;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const RollingWindow& w = *places[i].window;
        rows.push_back(states[i].narrow(0, states[i].size(0) - w.scored, w.scored));  // [scored, C]
        targets.insert(targets.end(), w.ids.end() - w.scored, w.ids.end());
    }
    const auto nll = decoder.nll(at::cat(rows), at::tensor(targets, at::kLong)).contiguous();  // [Σ scored] float64
    const double* value = nll.const_data_ptr<double>();
    for (const Place& place : places) {
        double sum = 0;
        for (std::int64_t t = 0; t < place.window->scored; ++t) sum += *value++;
        for (RollingEvaluation* result : results) {
            result->documents[place.document].loglikelihood -= sum;
            result->documents[place.document].tokens += place.window->scored;
        }
    }
}

struct Columns {
    std::vector<double> losses, words;  // per document
};

Columns columns(const std::vector<RollingScore>& documents) {
    Columns result;
    for (const auto& d : documents) {
        result.losses.push_back(-d.loglikelihood);
        result.words.push_back(double(d.words));
    }
    return result;
}

template <class T>
double total(const std::vector<RollingScore>& documents, T RollingScore::*member) {
    double sum = 0;
    for (const auto& d : documents) sum += double(d.*member);
    return sum;
}

}  // namespace

std::vector<RollingEvaluation> evaluate_rolling(std::shared_ptr<const Model> model, std::span<const Variant> variants,
                                                const RollingText& text, const ComputeSettings& compute, Progress& progress) {
    const c10::InferenceMode no_gradients;
    std::vector<Plan> plans;
    RollingEvaluation empty;
    for (const auto& d : text.documents) empty.documents.push_back({.words = d.words, .bytes = d.bytes});
    std::vector<RollingEvaluation> results(variants.size(), empty);
    for (std::size_t v = 0; v < variants.size(); ++v) {
        plans.push_back(variants[v].steps(model->architecture().layers));
        results[v].conditions = text.conditions();
        results[v].conditions.update({{"model", model->identity()}, {"dtype", compute.dtype}, {"variant", variants[v].to_json()}});
    }
    const Decoder decoder(model, compute);
    const auto places = places_of(text);
    const auto group =
        std::size_t(estimate_memory(*model, compute, text.settings.length, std::int64_t(places.size()), std::int64_t(variants.size()) + 1)
                        .windows_per_group);
    TokenProgress tokens(progress, "Evaluating", text.tokens(), distinct_layer_passes(plans));
    for (std::size_t first = 0; first < places.size(); first += group) {
        const auto these = std::span(places).subspan(first, std::min(group, places.size() - first));
        std::vector<at::Tensor> states;  // one [T, C] per window
        for (const Place& place : these) states.push_back(decoder.embed(std::span(place.window->ids).first(place.window->ids.size() - 1)));
        walk_plans(decoder, plans, std::move(states), std::int64_t(first), tokens, [&](const auto& at_end, const auto& reached) {
            std::vector<RollingEvaluation*> these_results;
            for (const std::size_t p : reached) these_results.push_back(&results[p]);
            score(decoder, these, at_end, these_results);
        });
    }
    return results;
}

Key rolling_key(const Model& model, const Variant& variant, const RollingText& text, const ComputeSettings& compute) {
    return Key::of({{"what", "rolling evaluation"},
                    {"model", model.fingerprint()},
                    {"variant", variant.to_json()},
                    {"text", text.conditions()},
                    {"dtype", compute.dtype}});
}

double RollingEvaluation::word_perplexity() const {
    return std::exp(-total(documents, &RollingScore::loglikelihood) / total(documents, &RollingScore::words));
}

double RollingEvaluation::byte_perplexity() const {
    return std::exp(-total(documents, &RollingScore::loglikelihood) / total(documents, &RollingScore::bytes));
}

double RollingEvaluation::bits_per_byte() const {
    return -total(documents, &RollingScore::loglikelihood) / total(documents, &RollingScore::bytes) / std::numbers::ln2;
}

std::optional<Interval> RollingEvaluation::interval() const {
    const Columns own = columns(documents);
    return perplexity_interval(own.losses, own.words);
}

std::optional<Interval> RollingEvaluation::ratio_interval(const RollingEvaluation& base) const {
    const Columns own = columns(documents), other = columns(base.documents);
    if (own.words != other.words) return std::nullopt;
    return perplexity_ratio_interval(own.losses, other.losses, own.words);
}

nlohmann::json RollingEvaluation::to_json() const {
    auto list = nlohmann::json::array();
    for (const auto& d : documents)
        list.push_back({{"loglikelihood", d.loglikelihood}, {"words", d.words}, {"bytes", d.bytes}, {"tokens", d.tokens}});
    nlohmann::json result{{"word_perplexity", word_perplexity()},
                          {"byte_perplexity", byte_perplexity()},
                          {"bits_per_byte", bits_per_byte()},
                          {"documents", std::move(list)},
                          {"conditions", conditions}};
    if (const auto range = interval()) result["interval"] = {range->low, range->high};
    return result;
}

Artefact RollingEvaluation::to_artefact() const {
    Artefact artefact;
    const auto count = std::int64_t(documents.size());
    auto& sums = artefact.doubles["loglikelihood"] = Array<double>({count});
    auto& counts = artefact.integers["words_bytes_tokens"] = Array<std::int64_t>({count, 3});
    for (std::int64_t i = 0; i < count; ++i) {
        const auto& d = documents[std::size_t(i)];
        sums.at(i) = d.loglikelihood;
        std::ranges::copy(std::initializer_list{d.words, d.bytes, d.tokens}, counts.row(i).begin());
    }
    artefact.meta = {{"conditions", conditions}};
    return artefact;
}

RollingEvaluation RollingEvaluation::from_artefact(const Artefact& artefact) {
    RollingEvaluation e;
    const auto& sums = artefact.doubles.at("loglikelihood");
    const auto& counts = artefact.integers.at("words_bytes_tokens");
    for (std::int64_t i = 0; i < sums.size(0); ++i) e.documents.push_back({sums.at(i), counts.at(i, 0), counts.at(i, 1), counts.at(i, 2)});
    e.conditions = artefact.meta.at("conditions");
    return e;
}

}  // namespace suture
