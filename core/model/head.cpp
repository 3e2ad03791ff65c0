// SPDX-License-Identifier: GPL-3.0-or-later
// The output head: final norm, logits, and the negative log-likelihood without ever holding all logits.
#include "core/checkpoint/internal/as_tensor.h"
#include "core/model/internal/decoder.h"

namespace suture {
namespace {

constexpr std::int64_t block_rows = 8192;   // of the head matrix, converted at a time
constexpr std::int64_t block_tokens = 256;  // 256 × 8192 float32 logits: 8 MB, stays in cache

at::Tensor capped(at::Tensor logits, double cap) { return cap == 0 ? logits : at::tanh(logits / cap) * cap; }

}  // namespace

at::Tensor Decoder::head_rows(std::int64_t first, std::int64_t count) const {
    const Architecture& a = architecture();
    return as_tensor(model_->tensors(), (a.tied ? a.embedding : a.head) + ".weight").narrow(0, first, count).to(compute_);
}

at::Tensor Decoder::logits(const at::Tensor& x) const {
    const Architecture& a = architecture();
    const auto normed = norm(x, final_norm_).to(compute_);  // [N, C]
    std::vector<at::Tensor> blocks;
    for (std::int64_t first = 0; first < a.vocabulary; first += block_rows)
        blocks.push_back(at::linear(normed, head_rows(first, std::min(block_rows, a.vocabulary - first))).to(stream_));
    return capped(at::cat(blocks, 1), a.logit_cap);  // [N, V]
}

at::Tensor Decoder::nll(const at::Tensor& x, const at::Tensor& targets) const {
    const Architecture& a = architecture();
    const std::int64_t rows = x.size(0);
    const auto normed = norm(x, final_norm_).to(compute_);                                   // [N, C]
    auto log_sum = at::full({rows}, -std::numeric_limits<double>::infinity(), at::kDouble);  // [N]
    auto target_logit = at::zeros({rows}, at::kDouble);                                      // [N]
    for (std::int64_t first = 0; first < a.vocabulary; first += block_rows) {
        const std::int64_t count = std::min(block_rows, a.vocabulary - first);
        const auto head = head_rows(first, count);
        for (std::int64_t row = 0; row < rows; row += block_tokens) {
            const std::int64_t n = std::min(block_tokens, rows - row);
            const auto logits = capped(at::linear(normed.narrow(0, row, n), head).to(stream_), a.logit_cap);  // [n, count]
            auto sum = log_sum.narrow(0, row, n);
            sum.copy_(at::logaddexp(sum, at::logsumexp(logits, {1}).to(at::kDouble)));
            const auto local = targets.narrow(0, row, n) - first;  // [n]
            const auto here = at::logical_and(local >= 0, local < count);
            const auto picked = logits.gather(1, local.clamp(0, count - 1).unsqueeze(1)).squeeze(1).to(at::kDouble);
            target_logit.narrow(0, row, n).add_(at::where(here, picked, at::zeros_like(picked)));
        }
    }
    return log_sum - target_logit;
}

}  // namespace suture
