// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/internal/kl.h"

namespace suture {

at::Tensor kl_renormalised(const at::Tensor& teacher_log_p, const at::Tensor& student_logits) {
    const auto log_p = at::log_softmax(teacher_log_p, -1), log_q = at::log_softmax(student_logits, -1);  // [N, K]
    return (log_p.exp() * (log_p - log_q)).sum(-1).mean();
}

at::Tensor kl_with_tail(const at::Tensor& teacher_log_p, const at::Tensor& student_logits, const at::Tensor& student_log_sum) {
    const auto log_q = student_logits - student_log_sum.unsqueeze(-1);  // [N, K]
    const auto p = teacher_log_p.exp();
    // What is left of 1; a floor keeps the logarithm finite where K tokens hold all the mass.
    const auto rest = [](const at::Tensor& log_probabilities) { return (1 - log_probabilities.exp().sum(-1)).clamp_min(1e-7); };  // [N]
    const auto p_rest = rest(teacher_log_p), q_rest = rest(log_q);
    return ((p * (teacher_log_p - log_q)).sum(-1) + p_rest * (p_rest.log() - q_rest.log())).mean();
}

}  // namespace suture
