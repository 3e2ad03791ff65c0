// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: batches, optimiser, validation, the best weights.
#pragma once

#include <chrono>

#include "core/distillation/internal/loss.h"
#include "core/distillation/internal/optimiser.h"
#include "core/distillation/internal/student.h"
#include "core/distillation/internal/teacher.h"

namespace suture {

class Training {
public:
    /// `states`: the stream in front of the student's first trained step, per window.
    Training(const Decoder& decoder, Student& student, const Teacher& teacher, std::vector<at::Tensor> states,
             const DistilSettings& settings);

    /// Runs to its end, the time limit, a divergence or a cancellation, and leaves the student with the best weights seen.
    Distilled run(Progress& progress, const std::function<void(const DistilPoint&)>& watch);

private:
    /// Mean KL per token of the windows, all their rows at once; with `train` the parameters get their gradients.
    double loss_of(std::span<const std::size_t> windows, bool train);
    double step(std::span<const std::size_t> windows);
    double validation_loss();
    void validate(Distilled& result, const std::function<void(const DistilPoint&)>& watch);
    bool keep_going(Distilled& result) const;
    double share_done() const;
    double learning_rate() const;

    Student& student_;
    const Teacher& teacher_;
    std::vector<at::Tensor> states_;
    DistilSettings settings_;
    Loss loss_;
    Optimiser optimiser_;
    std::vector<at::Tensor> best_;  // values of the parameters
    std::size_t training_windows_ = 0;
    std::int64_t steps_done_ = 0, steps_total_ = 0, tokens_ = 0;
    double sum_since_point_ = 0, since_point_ = 0;  // of the steps' losses; steps
    std::chrono::steady_clock::time_point begin_;
};

}  // namespace suture
