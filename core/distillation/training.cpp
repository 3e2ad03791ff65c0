// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/internal/training.h"

#include <c10/core/GradMode.h>

#include <numbers>
#include <random>

#include "core/base/error.h"

namespace suture {
namespace {

constexpr double warm_up = 0.05;      // share of the run
constexpr double final_share = 0.05;  // of the peak learning rate
constexpr double divergence = 1.5;    // times the start's validation loss

std::vector<at::Tensor> copies(const std::vector<at::Tensor>& parameters) {
    std::vector<at::Tensor> values;
    for (const at::Tensor& p : parameters) values.push_back(p.detach().clone());
    return values;
}

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

}  // namespace

Training::Training(const Decoder& decoder, Student& student, const Teacher& teacher, std::vector<at::Tensor> states,
                   const DistilSettings& settings)
    : student_(student),
      teacher_(teacher),
      states_(std::move(states)),
      settings_(settings),
      loss_(decoder, settings.target),
      optimiser_(student.parameters()),
      best_(copies(student.parameters())),
      training_windows_(states_.size() - std::size_t(settings.validation)),
      begin_(std::chrono::steady_clock::now()) {
    const auto per_epoch = (std::int64_t(training_windows_) + settings_.batch - 1) / settings_.batch;
    steps_total_ = std::max<std::int64_t>(1, per_epoch * settings_.epochs);
}

double Training::share_done() const {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    return std::min(1.0,
                    std::max(double(steps_done_) / double(steps_total_), settings_.minutes > 0 ? seconds / (60 * settings_.minutes) : 0));
}

double Training::learning_rate() const {
    const double share = share_done();
    if (share < warm_up) return settings_.learning_rate * std::max(share / warm_up, 0.1);
    const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * (share - warm_up) / (1 - warm_up)));
    return settings_.learning_rate * (final_share + (1 - final_share) * cosine);
}

double Training::loss_of(std::span<const std::size_t> windows, bool train) {
    std::vector<at::Tensor> states, log_p, index;
    std::vector<Segment> segments;
    for (const std::size_t w : windows) {
        states.push_back(states_[w]);
        log_p.push_back(teacher_.log_p[w]);
        index.push_back(teacher_.index[w]);
        segments.push_back({.tokens = states_[w].size(0)});
    }
    const auto loss = loss_(student_.run(at::cat(states), segments), at::cat(log_p), at::cat(index));
    if (train) loss.backward();
    return loss.item<double>();
}

double Training::step(std::span<const std::size_t> windows) {
    const double loss = loss_of(windows, true);
    optimiser_.step({.rate = learning_rate(), .decay = settings_.decay, .clip = settings_.clip});
    for (const std::size_t w : windows) tokens_ += states_[w].size(0);
    ++steps_done_;
    return loss;
}

double Training::validation_loss() {
    const c10::NoGradGuard no_gradients;
    double sum = 0, tokens = 0;
    for (std::size_t w = training_windows_; w < states_.size(); ++w) {
        sum += loss_of(std::span(&w, 1), false) * double(states_[w].size(0));
        tokens += double(states_[w].size(0));
    }
    return sum / tokens;
}

void Training::validate(Distilled& result, const std::function<void(const DistilPoint&)>& watch) {
    DistilPoint point{.step = steps_done_, .tokens = tokens_, .learning_rate = learning_rate(), .validation = validation_loss()};
    point.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    point.training = since_point_ > 0 ? sum_since_point_ / since_point_ : std::numeric_limits<double>::quiet_NaN();
    sum_since_point_ = since_point_ = 0;
    result.curve.push_back(point);
    if (point.validation < result.curve[result.best].validation) {
        result.best = result.curve.size() - 1;
        best_ = copies(student_.parameters());
    }
    if (watch) watch(point);
}

bool Training::keep_going(Distilled& result) const {
    const DistilPoint& last = result.curve.back();
    if (!std::isfinite(last.validation) || last.validation > divergence * result.curve[0].validation) {
        result.diverged = true;
        result.ended = "diverged at step " + std::to_string(last.step) + ": the validation loss is " + number(last.validation) +
                       " and began at " + number(result.curve[0].validation) +
                       "; the last good weights are kept, try a smaller learning rate";
    } else if (settings_.patience > 0 && std::int64_t(result.curve.size() - 1 - result.best) >= settings_.patience) {
        result.ended = "no better validation in " + std::to_string(settings_.patience) + " tries";
    } else if (share_done() >= 1) {
        result.ended = steps_done_ >= steps_total_ ? "all windows seen" : number(settings_.minutes) + " minutes are over";
    }
    return result.ended.empty();
}

Distilled Training::run(Progress& progress, const std::function<void(const DistilPoint&)>& watch) {
    Distilled result;
    for (const at::Tensor& p : student_.parameters()) result.parameters += p.numel();
    std::mt19937_64 random{std::uint64_t(settings_.seed)};
    std::vector<std::size_t> order;
    try {
        validate(result, watch);
        progress.begin("Fine-tuning", steps_total_, "steps");
        while (keep_going(result)) {
            const std::int64_t until = std::min(steps_done_ + settings_.validate_every, steps_total_);
            while (steps_done_ < until && share_done() < 1) {
                std::vector<std::size_t> batch;
                while (std::int64_t(batch.size()) < settings_.batch) {
                    if (order.empty()) {
                        for (std::size_t w = 0; w < training_windows_; ++w) order.push_back(w);
                        std::shuffle(order.begin(), order.end(), random);
                    }
                    batch.push_back(order.back());
                    order.pop_back();
                    if (order.empty()) break;
                }
                const double loss = step(batch);
                sum_since_point_ += loss;
                ++since_point_;
                progress.step();
                if (!std::isfinite(loss)) break;
            }
            validate(result, watch);
        }
    } catch (const Cancelled&) {
        result.cancelled = true;
        result.ended = "stopped by hand";
        if (result.curve.empty()) throw;
        if (steps_done_ > result.curve.back().step) validate(result, watch);  // what was trained since the last time counts
    }
    const c10::NoGradGuard no_gradients;
    for (std::size_t i = 0; i < best_.size(); ++i) student_.parameters()[i].data().copy_(best_[i]);
    result.repaired = student_.repaired();
    return result;
}

}  // namespace suture
