// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of training lowers: how far the student's answers are from the teacher's.
#pragma once

#include "core/model/internal/decoder.h"

namespace suture {

class Loss {
public:
    /// `target` as DistilSettings has it. Keeps the head matrix.
    Loss(const Decoder& decoder, const std::string& target);

    /// Mean KL per token, nats: the student's x_L [T, C] against the teacher's rows [T, K]. Differentiable in x.
    at::Tensor operator()(const at::Tensor& x, const at::Tensor& teacher_log_p, const at::Tensor& index) const;

private:
    const Decoder& decoder_;
    bool tail_;
    at::Tensor head_;  // [V, C] compute type
};

}  // namespace suture
