// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/trainable.h"

#include "core/base/error.h"

namespace suture {

void check_settings(const DistilSettings& settings) {
    if (settings.top_k < 1 || settings.batch < 1 || settings.epochs < 1 || settings.validate_every < 1 || settings.validation < 1)
        throw usage_error("fine-tuning: top K, batch, epochs, validation windows and steps between validations must be at least 1");
    if (settings.top_k == 1 && settings.target == "renormalised")
        throw usage_error(
            "fine-tuning: renormalised over one token the target is always 1, which teaches nothing; take a top K of at least 2 or the "
            "target tail");
}

std::string training_refusal(const std::string& kind, const std::string& train) {
    const RepairInfo info = repair_kind(kind);
    const bool scale = kind == "scalar" || info.definition, map = info.fitted && !info.edits;
    if (train == "down" && !info.edits)
        return "the repair " + kind + " edits no down projections to train; --ft-train down goes with fold, refit and the cascades";
    if (train == "scale" && !scale)
        return "the repair " + kind + " has no factors d to train; --ft-train scale goes with scalar, channel and linearpatch";
    if (train == "low-rank" && kind != "low-rank")
        return "the repair " + kind + " has no two factors to train; --ft-train low-rank goes with the repair low-rank";
    if (train == "matrix" && !map) return "the repair " + kind + " has no map to train as a matrix; take --ft-train auto, down or layers";
    return {};
}

}  // namespace suture
