// SPDX-License-Identifier: GPL-3.0-or-later
// How long work reports itself, and the only place where it can be cancelled.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace suture {

/// What a listener is told: "Calibrating · 12 of 32 windows · 6.6 windows/s · 3 s left".
struct ProgressReport {
    std::string stage;                                                        ///< what is being done, e.g. "Calibrating"
    std::string unit;                                                         ///< what is counted, plural, e.g. "windows"
    std::int64_t done = 0;                                                    ///< units finished
    std::int64_t total = 0;                                                   ///< units in all; 0 when unknown
    double seconds = 0;                                                       ///< since the stage began
    double rate() const { return seconds > 0 ? double(done) / seconds : 0; }  ///< units per second
    /// Seconds left at the present rate; negative when it can't be told yet.
    double seconds_left() const { return done > 0 && total >= done ? double(total - done) / rate() : -1; }
};

/// Passed by reference into every function that takes longer than a moment.
/// A default-constructed Progress is silent and never cancels.
class Progress {
public:
    using Listener = std::function<void(const ProgressReport&)>;

    Progress() = default;
    explicit Progress(std::stop_token stop, Listener listener = {}) : stop_(std::move(stop)), listener_(std::move(listener)) {}

    /// Starts a stage of `total` units (0: unknown) and reports it. Throws Cancelled.
    void begin(std::string stage, std::int64_t total, std::string unit);
    /// `n` more units are done. Throws Cancelled when a stop was requested.
    void step(std::int64_t n = 1);
    /// Throws Cancelled when a stop was requested; for loops inside one unit.
    void check() const;

private:
    std::stop_token stop_;
    Listener listener_;
    ProgressReport report_;
    std::chrono::steady_clock::time_point began_{};
};

}  // namespace suture
