// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/evaluation_cost.h"

#include "ui/session/recipe_jobs.h"

namespace suture {

double evaluation_operations(const Model& model, const LayerSet& removed, std::size_t variants, std::int64_t tokens) {
    const Architecture& a = model.architecture();
    double dense = 0, behind_first_seam = 0;
    for (int layer = 0; layer < a.layers; ++layer) {
        const auto parameters = double(model.layer_parameters(layer));
        dense += parameters;
        if (!removed.empty() && layer > removed.layers().front() && !removed.contains(layer)) behind_first_seam += parameters;
    }
    const double head = double(a.vocabulary) * double(a.hidden);
    const double others = removed.empty() ? 0 : double(variants) * (behind_first_seam + head);
    return 2 * double(tokens) * (dense + head + others);
}

double evaluation_seconds(const Model& model, const Document& document, const EvaluationSize& size, const Forecast* forecast) {
    if (!forecast || forecast->seconds <= 0) return -1;
    const double speed = calibration_operations(model, forecast->tokens) / forecast->seconds;
    return evaluation_operations(model, document.removed, document.repairs.size(), size.tokens) / speed;
}

}  // namespace suture
