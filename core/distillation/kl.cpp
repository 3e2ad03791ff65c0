// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/internal/kl.h"

#include <limits>

namespace suture {

at::Tensor kl_renormalised(const at::Tensor& teacher_log_p, const at::Tensor& student_logits) {
    const auto log_p = at::log_softmax(teacher_log_p, -1), log_q = at::log_softmax(student_logits, -1);  // [N, K]
    return (log_p.exp() * (log_p - log_q)).sum(-1).mean();
}

TailKl kl_with_tail(const at::Tensor& teacher_log_p, const at::Tensor& index, const at::Tensor& student_logits) {
    constexpr double floor = 1e-7;                                // keeps the logarithm finite where K tokens hold all the mass
    const auto p = teacher_log_p.exp();                           // [N, K]
    const auto all = at::softmax(student_logits, -1);             // [N, V]
    const auto q = all.gather(-1, index);                         // [N, K]
    const auto p_sum = p.sum(-1, true), q_sum = q.sum(-1, true);  // [N, 1]
    const auto p_rest = (1 - p_sum).clamp_min(floor), q_rest = (1 - q_sum).clamp_min(floor);  // [N, 1]
    const auto log_q = q.clamp_min(double(std::numeric_limits<float>::min())).log();
    const auto sum = (p * (teacher_log_p - log_q)).sum() + (p_rest * (p_rest.log() - q_rest.log())).sum();
    // ∂q_k/∂z_v = q_k([k = v] - q_v), so with c = p_rest/q_rest a token v gets q_v(Σp - c·Σq), and one of the K also c·q_v - p_v.
    const auto c = at::where(1 - q_sum > floor, p_rest / q_rest, 0.0);
    return {sum, at::mul(all, p_sum - c * q_sum).scatter_add_(-1, index, c * q - p)};
}

}  // namespace suture
