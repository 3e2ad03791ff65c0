// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/internal/torch.h"

namespace suture {

/// AdamW (Loshchilov and Hutter, 2019) whose decay pulls towards the values that the parameters had at the start, not towards zero.
class Optimiser {
public:
    /// Leaves that require gradients; their values are the start.
    explicit Optimiser(std::vector<at::Tensor> parameters);

    struct Settings {
        double rate = 0, decay = 0;
        double clip = 0;  // the gradients are scaled down to this norm; 0: no limit
    };
    /// One update from the gradients, which are gone behind it.
    void step(const Settings& settings);

private:
    std::vector<at::Tensor> parameters_, start_, mean_, square_, steps_;
};

}  // namespace suture
