// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluation/evaluation.h"

#include <cmath>

namespace suture {
namespace {

struct Columns {
    std::vector<double> sums, counts;  // per window
};

Columns columns(const std::vector<WindowScore>& windows) {
    Columns result;
    for (const WindowScore& w : windows) {
        result.sums.push_back(w.nll_sum);
        result.counts.push_back(double(w.tokens));
    }
    return result;
}

}  // namespace

double perplexity(double nll_sum, double tokens) { return std::exp(nll_sum / tokens); }

double Evaluation::nll_sum() const {
    double sum = 0;
    for (const WindowScore& w : windows) sum += w.nll_sum;
    return sum;
}

std::int64_t Evaluation::tokens() const {
    std::int64_t sum = 0;
    for (const WindowScore& w : windows) sum += w.tokens;
    return sum;
}

std::optional<Interval> Evaluation::interval() const {
    const Columns own = columns(windows);
    return perplexity_interval(own.sums, own.counts);
}

std::optional<Interval> Evaluation::ratio_interval(const Evaluation& base) const {
    const Columns own = columns(windows), other = columns(base.windows);
    if (own.counts != other.counts) return std::nullopt;
    return perplexity_ratio_interval(own.sums, other.sums, own.counts);
}

nlohmann::json Evaluation::to_json() const {
    auto list = nlohmann::json::array();
    for (std::size_t w = 0; w < windows.size(); ++w) {
        nlohmann::json entry{{"nll_sum", windows[w].nll_sum},
                             {"tokens", windows[w].tokens},
                             {"perplexity", suture::perplexity(windows[w].nll_sum, double(windows[w].tokens))}};
        if (!logits.empty()) {
            auto rows = nlohmann::json::array();
            for (std::int64_t n = 0; n < logits.size(1); ++n) rows.push_back(logits.row(w, n));
            entry["logits"] = std::move(rows);
        }
        list.push_back(std::move(entry));
    }
    nlohmann::json result{{"nll_sum", nll_sum()},
                          {"tokens", tokens()},
                          {"perplexity", perplexity()},
                          {"windows", std::move(list)},
                          {"conditions", conditions}};
    if (const auto range = interval()) result["interval"] = {range->low, range->high};
    return result;
}

Artefact Evaluation::to_artefact() const {
    Artefact artefact;
    const Columns own = columns(windows);
    artefact.doubles["nll_sum"] = Array<double>({std::int64_t(own.sums.size())}, own.sums);
    artefact.doubles["tokens"] = Array<double>({std::int64_t(own.counts.size())}, own.counts);
    if (!logits.empty()) artefact.floats["logits"] = logits;
    artefact.meta = {{"conditions", conditions}};
    return artefact;
}

Evaluation Evaluation::from_artefact(const Artefact& artefact) {
    Evaluation e;
    const auto& sums = artefact.doubles.at("nll_sum").data;
    const auto& counts = artefact.doubles.at("tokens").data;
    for (std::size_t w = 0; w < sums.size(); ++w) e.windows.push_back({sums[w], std::int64_t(counts[w])});
    if (const auto it = artefact.floats.find("logits"); it != artefact.floats.end()) e.logits = it->second;
    e.conditions = artefact.meta.at("conditions");
    return e;
}

}  // namespace suture
