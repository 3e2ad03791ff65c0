// SPDX-License-Identifier: GPL-3.0-or-later
// Distance of the student's next-token distribution from the teacher's, of which only the K largest entries are known.
#pragma once

#include "core/tensor/internal/torch.h"

namespace suture {

/// Both distributions cut to the teacher's K tokens and renormalised there. Teacher log-probabilities [N, K], the student's logits
/// of the same tokens [N, K] → mean KL per row, nats; never negative.
at::Tensor kl_renormalised(const at::Tensor& teacher_log_p, const at::Tensor& student_logits);

struct TailKl {
    at::Tensor sum;       // [] nats, over all rows
    at::Tensor gradient;  // [N, V] of the sum, by the student's logits
};
/// K tokens and one bucket that holds the rest of both. Teacher log-probabilities and their token ids [N, K], the student's logits
/// of the whole vocabulary [N, V]. Not recorded for autograd: the gradient is here.
TailKl kl_with_tail(const at::Tensor& teacher_log_p, const at::Tensor& index, const at::Tensor& student_logits);

}  // namespace suture
