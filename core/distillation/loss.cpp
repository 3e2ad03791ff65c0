// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/internal/loss.h"

#include <torch/csrc/autograd/custom_function.h>

#include "core/distillation/internal/kl.h"

namespace suture {
namespace {

constexpr std::int64_t block_rows = 64;  // their logits stay in the cache; all of a window's at once take half a second to write

/// cap·tanh(y / cap), where the family has a cap.
at::Tensor capped(const at::Tensor& y, double cap) { return cap == 0 ? y : cap * at::tanh(y / cap); }

/// Head and KL with tail in blocks of rows, each with its gradient at once: no block's logits are kept for the way back.
struct TailLoss : torch::autograd::Function<TailLoss> {
    /// What the head reads [T, C], the head [V, C], the teacher's rows [T, K] → mean KL per row.
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& normed, const at::Tensor& head,
                              const at::Tensor& teacher_log_p, const at::Tensor& index, double cap, bool trained) {
        const std::int64_t rows = normed.size(0);
        at::Tensor sum = at::zeros({}, teacher_log_p.options());
        const auto gradient = trained ? at::empty_like(normed) : at::Tensor();  // [T, C]
        for (std::int64_t first = 0; first < rows; first += block_rows) {
            const auto block = [&](const at::Tensor& t) { return t.narrow(0, first, std::min(block_rows, rows - first)); };
            const auto logits = capped(at::linear(block(normed), head).to(teacher_log_p.scalar_type()), cap);  // [n, V]
            const TailKl kl = kl_with_tail(block(teacher_log_p), block(index), logits);
            sum += kl.sum;
            if (!trained) continue;
            if (cap != 0) kl.gradient.mul_(1 - (logits / cap).square());
            block(gradient).copy_(at::matmul(kl.gradient.to(head.scalar_type()), head));
        }
        if (trained) context->save_for_backward({gradient});
        return sum / double(rows);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list from_above) {
        const auto gradient = context->get_saved_variables()[0];
        return {gradient * (from_above[0] / double(gradient.size(0))), {}, {}, {}, {}, {}};
    }
};

}  // namespace

Loss::Loss(const Decoder& decoder, const std::string& target)
    : decoder_(decoder), tail_(target == "tail"), head_(decoder.head_rows(0, decoder.architecture().vocabulary)) {}

at::Tensor Loss::operator()(const at::Tensor& x, const at::Tensor& teacher_log_p, const at::Tensor& index) const {
    const auto normed = decoder_.final_normed(x);  // [T, C]
    const double cap = decoder_.architecture().logit_cap;
    if (tail_) return TailLoss::apply(normed, head_, teacher_log_p, index, cap, normed.requires_grad());
    const auto rows = head_.index_select(0, index.flatten()).reshape({index.size(0), index.size(1), -1});  // [T, K, C]
    const auto logits = capped(at::matmul(rows, normed.unsqueeze(2)).squeeze(2).to(teacher_log_p.scalar_type()), cap);
    return kl_renormalised(teacher_log_p, logits);
}

}  // namespace suture
