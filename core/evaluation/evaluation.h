// SPDX-License-Identifier: GPL-3.0-or-later
// What a variant is worth on a text: perplexity.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/interval.h"
#include "core/base/progress.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/model/variant.h"
#include "core/store/store.h"
#include "core/text/windows.h"

namespace suture {

/// exp(Σ NLL / Σ predicted tokens). A window of T tokens predicts T-1; targets that the window settings leave out are not scored.
double perplexity(double nll_sum, double tokens);

struct WindowScore {
    double nll_sum = 0;       ///< nats
    std::int64_t tokens = 0;  ///< predicted
};

struct Evaluation {
    std::vector<WindowScore> windows;
    Array<float> logits;        ///< [W, N, V] of the first N positions of every window; empty unless asked for
    nlohmann::json conditions;  ///< model, text, seqlen, stride, bos, dtype, variant

    double nll_sum() const;
    std::int64_t tokens() const;
    double perplexity() const { return suture::perplexity(nll_sum(), double(tokens())); }
    std::optional<Interval> interval() const;
    /// Interval of perplexity() / base.perplexity() by resampling the same windows of both.
    std::optional<Interval> ratio_interval(const Evaluation& base) const;

    /// CONTRACT "JSON".
    nlohmann::json to_json() const;
    Artefact to_artefact() const;
    static Evaluation from_artefact(const Artefact& artefact);
};

/// Scores several variants of one model together: what they share from the embeddings on is computed once.
/// `logits`: also keep the logits of the first so many positions of every window. Throws Cancelled; Error on non-finite values.
std::vector<Evaluation> evaluate(std::shared_ptr<const Model> model, std::span<const Variant> variants, const Windows& windows,
                                 const ComputeSettings& compute, std::int64_t logits, Progress& progress);

/// What evaluate() would take.
MemoryEstimate estimate_evaluation(const Model& model, std::size_t variants, const Windows& windows, const ComputeSettings& compute);

/// Names the Evaluation of one variant by everything it depends on.
Key evaluation_key(const Model& model, const Variant& variant, const Windows& windows, const ComputeSettings& compute, std::int64_t logits);

}  // namespace suture
