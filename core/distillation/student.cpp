// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/internal/student.h"

#include "core/base/error.h"
#include "core/repair/internal/patch_error.h"
#include "core/tensor/internal/arrays.h"
#include "core/tensor/internal/hadamard.h"

namespace suture {
namespace {

/// Values of their own, to be trained.
template <class T>
at::Tensor copied(const Array<T>& values, at::ScalarType type) {
    return view_of(values).to(type, false, true);
}

/// I + noise of a hundredth of its norm per entry.
at::Tensor random_start(std::int64_t c, std::int64_t seed) {
    auto generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t(seed));
    return at::eye(c, at::kFloat) + 0.01 / std::sqrt(double(c)) * at::randn({c, c}, generator, at::kFloat);
}

at::Tensor scale_start(std::int64_t count, const DistilSettings& settings) {
    const auto ones = at::ones({count}, at::kFloat);
    if (settings.start == "identity") return ones;
    auto generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t(settings.seed));
    return ones + 0.01 * at::randn({count}, generator, at::kFloat);
}

/// The map in the form that is to be trained.
TrainedMap in_trained_form(const StreamMap& map, std::int64_t c, at::ScalarType type, const DistilSettings& settings) {
    TrainedMap trained{.map = {.kind = map.kind, .hadamard = map.hadamard, .norm_eps = map.norm_eps}};
    const bool replaced = settings.start != "fitted";
    if (!map.bias.empty()) trained.bias = replaced ? at::zeros({c}, type) : copied(map.bias, type);
    const TrainedAs as = trained_as(map, settings.train);
    if (as == TrainedAs::Scale) {
        if (map.scale.empty()) throw Error("the repair " + map.kind + " has no factors d to train; use --ft-train matrix");
        trained.scale = replaced ? scale_start(std::int64_t(map.scale.data.size()), settings).to(type) : copied(map.scale, type);
        return trained;
    }
    if (as == TrainedAs::Factors) {
        if (map.left.empty()) throw Error("the repair " + map.kind + " has no factors to train; start from --repair low-rank");
        trained.left = copied(map.left, type);
        trained.right = replaced ? at::zeros(map.right.shape, type) : copied(map.right, type);
        return trained;
    }
    trained.map.hadamard = false;
    if (map.norm_eps > 0) trained.matrix = replaced ? at::zeros({c, c}, type) : copied(map.matrix, type);
    else if (settings.start == "identity") trained.matrix = at::eye(c, type);
    else if (settings.start == "random") trained.matrix = random_start(c, settings.seed).to(type);
    else trained.matrix = copied(dense_matrix(map, c), type);
    return trained;
}

/// A layer's matrices by name, those that its family has.
std::vector<std::pair<std::string, Linear*>> projections(LayerWeights& w, const LayerNames& n) {
    std::vector<std::pair<std::string, Linear*>> list{{n.qkv, &w.qkv},   {n.q, &w.q},   {n.k, &w.k},
                                                      {n.v, &w.v},       {n.o, &w.o},   {n.gate_up, &w.gate_up},
                                                      {n.gate, &w.gate}, {n.up, &w.up}, {n.down, &w.down}};
    std::erase_if(list, [](const auto& entry) { return entry.first.empty(); });
    return list;
}

void set_map(Repaired& repaired, int before_layer, StreamMap map, std::int64_t hidden) {
    const auto shared = std::make_shared<const StreamMap>(std::move(map));
    repaired.variant = repaired.variant.with_map(before_layer, shared);
    for (Patch& patch : repaired.patches)
        if (patch.seam.end == before_layer) {
            patch.map = shared;
            describe_matrix(patch, hidden);
        }
}

}  // namespace

TrainedAs trained_as(const StreamMap& map, const std::string& train) {
    if (train == "scale" || (train == "auto" && !map.scale.empty() && !map.hadamard)) return TrainedAs::Scale;
    if (train == "low-rank" || (train == "auto" && !map.left.empty())) return TrainedAs::Factors;
    return TrainedAs::Matrix;
}

at::Tensor TrainedMap::apply(const at::Tensor& x) const {
    at::Tensor y;
    if (left.defined()) y = x + at::matmul(at::matmul(x, left), right);
    else if (scale.defined() && map.hadamard)
        y = Hadamard::of_size(x.size(1)).apply_transposed(Hadamard::of_size(x.size(1)).apply(x) * scale);
    else if (scale.defined()) y = x * scale;
    else y = map.norm_eps > 0 ? x + at::matmul(rms_normalised(x, map.norm_eps), matrix) : at::matmul(x, matrix);
    return bias.defined() ? y + bias : y;
}

StreamMap TrainedMap::frozen() const {
    StreamMap frozen = map;
    if (scale.defined()) frozen.scale = doubles_of(scale);
    if (matrix.defined()) frozen.matrix = floats_of(matrix);
    if (left.defined()) frozen.left = floats_of(left);
    if (right.defined()) frozen.right = floats_of(right);
    if (bias.defined()) frozen.bias = floats_of(bias);
    return frozen;
}

std::vector<at::Tensor*> TrainedMap::parameters() {
    std::vector<at::Tensor*> list;
    for (at::Tensor* tensor : {&scale, &matrix, &left, &right, &bias})
        if (tensor->defined()) list.push_back(tensor);
    return list;
}

Student::Student(const Decoder& decoder, const Repaired& start, const DistilSettings& settings)
    : decoder_(decoder), start_(start), steps_(start.variant.steps(decoder.architecture().layers)) {
    const std::string& down = decoder.architecture().names.down;
    const LayerSet& removed = start.variant.removed();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        if (settings.train == "layers") {
            if (!step.map && !removed.layers().empty() && step.layer >= removed.layers().front() - 1) train_layer(i, {});
        } else if (step.map && settings.train != "down") {
            train_map(i, settings);
        } else if (step.edit && (settings.train == "down" || settings.train == "auto")) {
            train_layer(i, down);
        }
    }
    if (parameters_.empty())
        throw Error(
            "fine-tuning the repair " + start.kind + " with --ft-train " + settings.train +
            ": there is nothing to train; maps go with matrix, scale or low-rank, refit and cascade with down, any cut with layers");
    first_ = std::min(maps_.empty() ? steps_.size() : maps_.begin()->first, layers_.empty() ? steps_.size() : layers_.begin()->first);
    for (std::size_t i = first_; i < steps_.size(); ++i)
        if (!steps_[i].map) weights_[i] = decoder.load(steps_[i]);
}

void Student::train_map(std::size_t step, const DistilSettings& settings) {
    auto& trained = maps_[step] = in_trained_form(*steps_[step].map, decoder_.architecture().hidden, decoder_.stream_type(), settings);
    for (at::Tensor* parameter : trained.parameters()) {
        parameter->requires_grad_();
        parameters_.push_back(*parameter);
    }
}

void Student::train_layer(std::size_t step, const std::string& only) {
    LayerWeights unused;
    for (const auto& [name, linear] : projections(unused, decoder_.architecture().names)) {
        if (!only.empty() && name != only) continue;
        const auto stored = edited_tensor(decoder_.model(), steps_[step], name + ".weight");
        parameters_.push_back(stored.to(decoder_.stream_type()).clone().requires_grad_());
        layers_[step][name] = parameters_.back();
    }
}

at::Tensor Student::run(at::Tensor x, std::span<const Segment> segments) const {
    for (std::size_t i = first_; i < steps_.size(); ++i) {
        if (const auto map = maps_.find(i); map != maps_.end()) {
            x = map->second.apply(x);
        } else if (steps_[i].map) {
            x = apply_map(*steps_[i].map, x);
        } else if (const auto trained = layers_.find(i); trained != layers_.end()) {
            LayerWeights weights = weights_.at(i);
            for (const auto& [name, linear] : projections(weights, decoder_.architecture().names))
                if (const auto value = trained->second.find(name); value != trained->second.end())
                    linear->weight = value->second.to(linear->weight.scalar_type());
            x = decoder_.run(weights, x, segments);
        } else {
            x = decoder_.run(weights_.at(i), x, segments);
        }
    }
    return x;
}

Repaired Student::repaired() const {
    Repaired result = start_;
    const auto maps = start_.variant.maps();
    auto place = maps.begin();  // of the next step that is a map
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (steps_[i].map) {
            const int before_layer = place++->first;
            if (maps_.contains(i)) set_map(result, before_layer, maps_.at(i).frozen(), decoder_.architecture().hidden);
        } else if (layers_.contains(i)) {
            LayerEdit edit;
            if (steps_[i].edit) edit = *steps_[i].edit;
            for (const auto& [name, value] : layers_.at(i)) edit.tensors[name + ".weight"] = floats_of(value);
            result.variant = result.variant.with_edit(steps_[i].layer, std::move(edit));
        }
    }
    return result;
}

}  // namespace suture
