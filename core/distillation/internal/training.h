// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: batches, optimiser, validation, the best weights.
#pragma once

#include <chrono>
#include <memory>

#include "core/distillation/internal/student.h"
#include "core/distillation/internal/teacher.h"

namespace suture {

/// Mean KL per token of one window: the student's x_L [T, C] against the teacher's rows. Differentiable.
at::Tensor window_loss(const Decoder& decoder, const at::Tensor& x, const at::Tensor& teacher_log_p, const at::Tensor& index,
                       const std::string& target);

class Training {
public:
    /// `states`: the stream in front of the student's first trained step, per window.
    Training(const Decoder& decoder, Student& student, const Teacher& teacher, std::vector<at::Tensor> states,
             const DistilSettings& settings);
    ~Training();

    /// Runs to its end, the time limit, a divergence or a cancellation, and leaves the student with the best weights seen.
    Distilled run(Progress& progress, const std::function<void(const DistilPoint&)>& watch);

private:
    struct Optimiser;

    double step(std::span<const std::size_t> windows);
    double validation_loss() const;
    void validate(Distilled& result, const std::function<void(const DistilPoint&)>& watch);
    bool keep_going(Distilled& result) const;
    double share_done() const;
    double learning_rate() const;
    void pull_to_start(double rate);

    const Decoder& decoder_;
    Student& student_;
    const Teacher& teacher_;
    std::vector<at::Tensor> states_;
    DistilSettings settings_;
    std::unique_ptr<Optimiser> optimiser_;
    std::vector<at::Tensor> start_, best_;  // values of the parameters
    std::size_t training_windows_ = 0;
    std::int64_t steps_done_ = 0, steps_total_ = 0, tokens_ = 0;
    double sum_since_point_ = 0, since_point_ = 0;
    std::chrono::steady_clock::time_point begin_;
};

}  // namespace suture
