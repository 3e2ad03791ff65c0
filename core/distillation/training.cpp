// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/internal/training.h"

#include <torch/optim/adamw.h>

#include <numbers>
#include <random>

#include "core/base/error.h"
#include "core/distillation/internal/kl.h"

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

void clip_gradients(const std::vector<at::Tensor>& parameters, double limit) {
    if (limit <= 0) return;
    double square = 0;
    for (const at::Tensor& p : parameters) square += p.grad().square().sum().item<double>();
    const double factor = limit / (std::sqrt(square) + 1e-12);
    if (factor < 1)
        for (const at::Tensor& p : parameters) p.mutable_grad().mul_(factor);
}

std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

}  // namespace

struct Training::Optimiser {
    torch::optim::AdamW adamw;
};

at::Tensor window_loss(const Decoder& decoder, const at::Tensor& x, const at::Tensor& teacher_log_p, const at::Tensor& index,
                       const std::string& target) {
    const auto normed = decoder.final_normed(x);  // [T, C]
    const std::int64_t vocabulary = decoder.architecture().vocabulary;
    const auto head = decoder.head_rows(0, vocabulary);  // [V, C]
    const double cap = decoder.architecture().logit_cap;
    const auto capped = [cap](const at::Tensor& logits) { return cap == 0 ? logits : cap * at::tanh(logits / cap); };
    if (target == "renormalised") {  // only the teacher's K rows of the head are needed
        const auto rows = head.index_select(0, index.flatten()).reshape({index.size(0), index.size(1), -1});  // [T, K, C]
        const auto logits = capped(at::matmul(rows, normed.unsqueeze(2)).squeeze(2).to(decoder.stream_type()));
        return kl_renormalised(teacher_log_p, logits);
    }
    const auto logits = capped(at::linear(normed, head).to(decoder.stream_type()));  // [T, V]
    return kl_with_tail(teacher_log_p, logits.gather(1, index), at::logsumexp(logits, {1}));
}

Training::Training(const Decoder& decoder, Student& student, const Teacher& teacher, std::vector<at::Tensor> states,
                   const DistilSettings& settings)
    : decoder_(decoder),
      student_(student),
      teacher_(teacher),
      states_(std::move(states)),
      settings_(settings),
      optimiser_(std::make_unique<Optimiser>(Optimiser{torch::optim::AdamW(
          student.parameters(), torch::optim::AdamWOptions(settings.learning_rate).weight_decay(0))})),  // its decay pulls to zero
      start_(copies(student.parameters())),
      best_(start_),
      training_windows_(states_.size() - std::size_t(settings.validation)),
      begin_(std::chrono::steady_clock::now()) {
    const auto per_epoch = (std::int64_t(training_windows_) + settings_.batch - 1) / settings_.batch;
    steps_total_ = std::max<std::int64_t>(1, per_epoch * settings_.epochs);
}

Training::~Training() = default;

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

void Training::pull_to_start(double rate) {
    const c10::NoGradGuard no_gradients;
    for (std::size_t i = 0; i < start_.size(); ++i)
        student_.parameters()[i].data().sub_(student_.parameters()[i].detach() - start_[i], rate * settings_.decay);
}

double Training::step(std::span<const std::size_t> windows) {
    optimiser_->adamw.zero_grad();
    double sum = 0;
    for (const std::size_t w : windows) {
        const auto loss = window_loss(decoder_, student_.run(states_[w]), teacher_.log_p[w], teacher_.index[w], settings_.target);
        (loss / double(windows.size())).backward();
        sum += loss.item<double>();
        tokens_ += states_[w].size(0);
    }
    const double rate = learning_rate();
    static_cast<torch::optim::AdamWOptions&>(optimiser_->adamw.param_groups()[0].options()).lr(rate);
    clip_gradients(student_.parameters(), settings_.clip);
    optimiser_->adamw.step();
    pull_to_start(rate);
    ++steps_done_;
    return sum;
}

double Training::validation_loss() const {
    const c10::NoGradGuard no_gradients;
    double sum = 0, tokens = 0;
    for (std::size_t w = training_windows_; w < states_.size(); ++w) {
        const double loss =
            window_loss(decoder_, student_.run(states_[w]), teacher_.log_p[w], teacher_.index[w], settings_.target).item<double>();
        sum += loss * double(states_[w].size(0));
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
                const double sum = step(batch);
                sum_since_point_ += sum;
                since_point_ += double(batch.size());
                progress.step();
                if (!std::isfinite(sum)) break;
            }
            validate(result, watch);
        }
    } catch (const Cancelled&) {
        result.cancelled = true;
        result.ended = "stopped by hand";
        if (result.curve.empty()) throw;
    }
    const c10::NoGradGuard no_gradients;
    for (std::size_t i = 0; i < best_.size(); ++i) student_.parameters()[i].data().copy_(best_[i]);
    result.repaired = student_.repaired();
    return result;
}

}  // namespace suture
