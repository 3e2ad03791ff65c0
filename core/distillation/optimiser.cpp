// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/internal/optimiser.h"

#include <c10/core/GradMode.h>

namespace suture {
namespace {

void clip_gradients(const std::vector<at::Tensor>& gradients, double limit) {
    double square = 0;
    for (const at::Tensor& g : gradients) square += std::pow(g.norm().item<double>(), 2);
    const double factor = limit / (std::sqrt(square) + 1e-12);
    if (factor < 1)
        for (const at::Tensor& g : gradients) g.mul_(factor);
}

}  // namespace

Optimiser::Optimiser(std::vector<at::Tensor> parameters) : parameters_(std::move(parameters)) {
    for (const at::Tensor& p : parameters_) {
        start_.push_back(p.detach().clone());
        mean_.push_back(at::zeros_like(start_.back()));
        square_.push_back(at::zeros_like(start_.back()));
        steps_.push_back(at::zeros({}, at::kFloat));
    }
}

void Optimiser::step(const Settings& settings) {
    const c10::NoGradGuard no_gradients;
    std::vector<at::Tensor> values, gradients;
    for (const at::Tensor& p : parameters_) {
        values.push_back(p.detach());  // shares the parameter's memory
        gradients.push_back(p.grad());
        p.mutable_grad().reset();
    }
    if (settings.clip > 0) clip_gradients(gradients, settings.clip);
    for (const at::Tensor& steps : steps_) steps.add_(1);
    at::_fused_adamw_(values, gradients, mean_, square_, {}, steps_, settings.rate, 0.9, 0.999, 0, 1e-8, false, false);
    if (settings.decay > 0)
        for (std::size_t i = 0; i < values.size(); ++i) values[i].lerp_(start_[i], settings.rate * settings.decay);
}

}  // namespace suture
