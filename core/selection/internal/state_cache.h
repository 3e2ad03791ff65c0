// SPDX-License-Identifier: GPL-3.0-or-later
// Hidden states of a few windows at the points of the plans that are worked on, so that a changed plan runs from its first change on.
#pragma once

#include <map>

#include "core/evaluation/evaluation.h"
#include "core/model/internal/decoder.h"
#include "core/selection/criterion.h"

namespace suture {

/// A variant's steps with a name for every stretch from the beginning: equal names, equal states.
struct Plan {
    Plan(const Variant& variant, int layers);
    std::vector<Step> steps;
    std::vector<std::string> prefixes;                                    // [steps + 1]
    std::int64_t layers_between(std::size_t from, std::size_t to) const;  // layer passes of steps from … to-1
};

class StateCache {
public:
    /// Keeps at most about `bytes` of states; plans with more points than that get every second, third … one kept.
    StateCache(const Decoder& decoder, const Windows& windows, std::uint64_t bytes);

    /// Keeps the states in front of every step of these plans, and behind the last; lets all others go. What was computed before a
    /// Cancelled stays.
    void hold(std::span<const Plan> plans, Progress& progress);
    /// The stream in front of the final norm, rows of windows first … first+count-1 one after the other: [ΣT, C]. Runs what is
    /// behind the longest stretch that is held.
    at::Tensor behind(const Plan& plan, std::size_t first, std::size_t count, Progress& progress);
    /// NLL of these windows.
    std::vector<WindowScore> score(const Plan& plan, std::size_t first, std::size_t count, Progress& progress);

    std::size_t windows() const { return windows_.ids.size(); }
    const Decoder& decoder() const { return decoder_; }
    /// Layer passes run so far: one per layer and window.
    std::int64_t passes() const { return passes_; }

private:
    std::size_t longest_held(const Plan& plan) const;
    at::Tensor embed() const;
    at::Tensor run(const Step& step, const at::Tensor& x, std::size_t first, std::size_t count, Progress& progress);

    const Decoder& decoder_;
    const Windows& windows_;
    std::vector<std::int64_t> begin_;         // [W + 1] first row of each window
    std::size_t points_;                      // states that may be kept
    std::map<std::string, at::Tensor> held_;  // [ΣT, C] of all windows, by prefix
    std::int64_t passes_ = 0;
};

/// Bytes for states: half of what --memory leaves beside the program and a layer.
std::uint64_t state_budget(const Model& model, const Windows& windows, const ComputeSettings& compute);
/// What keeping the states of `plans` plans takes, as far as the budget goes.
MemoryEstimate estimate_states(const Model& model, const Windows& windows, const ComputeSettings& compute, std::int64_t plans);

/// Throws Error when a window is too short to predict anything.
void require_predictions(const Windows& windows);

}  // namespace suture
