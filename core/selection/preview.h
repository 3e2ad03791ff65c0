// SPDX-License-Identifier: GPL-3.0-or-later
// What a changed selection is worth on a small slice of held-out text, fast enough to try layers like turning a knob.
#pragma once

#include "core/evaluation/evaluation.h"

namespace suture {

/// The first `tokens` tokens of held-out windows as eight windows of equal length, so that their perplexity has an interval. With a
/// BOS in front of every given window, one stands in front of every piece. Throws Error when the text has fewer than 16 tokens.
Windows preview_slice(const Windows& held_out, std::int64_t tokens);

/// Keeps the slice's states at all points of the dense model and of the variant measured last: a variant runs from its first
/// difference to either of them on, and one measured before answers at once. One measurement at a time; others wait.
class Preview {
public:
    Preview(std::shared_ptr<const Model> model, Windows slice, const ComputeSettings& compute);
    ~Preview();

    /// The same numbers as evaluate() on the slice. Throws Cancelled; what was computed until then is kept.
    Evaluation measure(const Variant& variant, Progress& progress);
    const Windows& slice() const;
    /// Layer passes run so far, one per layer and window.
    std::int64_t passes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace suture
