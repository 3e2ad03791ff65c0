// SPDX-License-Identifier: GPL-3.0-or-later
// Observers of the one pass. One file in core/calibration/observers adds one.
#pragma once

#include <span>

#include "core/calibration/statistics.h"
#include "core/tensor/internal/torch.h"

namespace suture {

/// One window's residual stream at all P points, in both bases.
struct WindowStates {
    std::int64_t window = 0;  // its number
    std::int64_t begin = 0;   // place of its first token among all tokens
    std::span<const std::int64_t> ids;
    at::Tensor counted;    // [n] int64: positions that count in sums
    at::Tensor states[2];  // [P, T, C] float32: the stream; the stream times H
    /// The rows that count: [P, n, C]; no copy when all do.
    at::Tensor counted_states(int basis) const {
        return counted.size(0) == states[basis].size(1) ? states[basis] : states[basis].index_select(1, counted);
    }
};

/// Looks at windows one after the other and adds what it found to the statistics. Its state is sums and top-k sets.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void observe(const WindowStates& window) = 0;
    virtual void finish(Statistics& statistics) = 0;
};

struct ObserverKind {
    std::string name;
    std::string help;  ///< what it yields, one sentence
    /// `statistics` already knows layers, hidden size, windows, ids and which tokens count.
    std::unique_ptr<Observer> (*make)(const Statistics& statistics, const CalibrationSettings& settings) = nullptr;
};

/// Every observer, one per file of core/calibration/observers.
std::span<const ObserverKind* const> all_observers();

}  // namespace suture
