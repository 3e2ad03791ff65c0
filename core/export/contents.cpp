// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/internal/contents.h"

#include "core/checkpoint/internal/as_tensor.h"
#include "core/model/internal/layer_tensors.h"

namespace suture {
namespace {

std::span<const std::byte> bytes_of(const at::Tensor& contiguous) {
    return {static_cast<const std::byte*>(contiguous.const_data_ptr()), std::size_t(contiguous.nbytes())};
}

/// Whether the step's edit changes this tensor, by its name below the layer's prefix.
bool edits(const Step& step, const std::string& name) {
    return step.edit && (step.edit->branch_scale != 1 || step.edit->tensors.contains(name));
}

OutTensor copied(const TensorSource& source, const TensorInfo& info, std::string name) {
    return {std::move(name), info.dtype, info.shape, [&source, &info](const CheckpointWriter::Sink& sink) {
                sink(source.bytes(info.name));
                source.release(info.name);
            }};
}

}  // namespace

OutTensor computed(std::string name, at::ScalarType type, std::vector<std::int64_t> shape, std::function<at::Tensor()> make) {
    return {std::move(name), dtype_of(type), std::move(shape), [type, make = std::move(make)](const CheckpointWriter::Sink& sink) {
                const c10::InferenceMode no_gradients;
                sink(bytes_of(make().to(type).contiguous()));
            }};
}

std::map<int, int> places_of(const LayerSet& removed, int layers, const std::vector<int>& inserted) {
    std::map<int, int> places;
    int place = 0;
    for (int layer = 0; layer < layers; ++layer) {
        place += int(std::count(inserted.begin(), inserted.end(), layer));
        if (!removed.contains(layer)) places[layer] = place++;
    }
    return places;
}

std::string renumbered(const Architecture& a, const std::string& name, const std::map<int, int>& places) {
    const int layer = layer_of(a, name);
    if (layer < 0) return name;
    return a.layer_prefix + std::to_string(places.at(layer)) + name.substr(a.layer_prefix.size() + std::to_string(layer).size());
}

std::vector<OutTensor> kept_tensors(const Model& model, const Variant& variant, const std::map<int, int>& places) {
    const Architecture& a = model.architecture();
    std::vector<OutTensor> tensors;
    for (const TensorInfo& info : model.tensors().tensors()) {
        const int layer = layer_of(a, info.name);
        if (layer >= 0 && !places.contains(layer)) continue;
        const std::string name = renumbered(a, info.name, places);
        const auto edit = variant.edits().find(layer);
        const Step step{.layer = layer, .edit = edit == variant.edits().end() ? nullptr : edit->second};
        const std::string below = layer < 0 ? "" : info.name.substr(a.layer_tensor(layer, "").size());
        if (layer >= 0 && edits(step, below))
            tensors.push_back(computed(name, scalar_type_of(info.dtype).value(), info.shape,
                                       [&model, step, below] { return edited_tensor(model, step, below); }));
        else tensors.push_back(copied(model.tensors(), info, name));
    }
    return tensors;
}

void set_config(EditedConfig& config, const std::string& key, const nlohmann::ordered_json& value) {
    const nlohmann::json before = config.config.contains(key) ? nlohmann::json(config.config[key]) : nlohmann::json();
    if (config.config.contains(key) && config.config[key] == value) return;
    config.config[key] = value;
    for (ConfigChange& change : config.changes)
        if (change.key == key) {
            change.to = value;
            return;
        }
    config.changes.push_back({key, before, value});
}

Contents contents_of(const Model& model, const Repaired& repaired, Form form) {
    Contents contents{.repaired = in_form(model, repaired, form), .config = pruned_config(model, repaired.variant.removed())};
    if (form == Form::Rotated) {
        write_rotated(contents, model);
        return contents;
    }
    if (form == Form::Stock && !contents.repaired.variant.maps().empty()) {
        write_stock_layers(contents, model);
        return contents;
    }
    contents.tensors =
        kept_tensors(model, contents.repaired.variant, places_of(contents.repaired.variant.removed(), model.architecture().layers));
    if (!contents.repaired.variant.maps().empty()) add_patches(contents, model);
    return contents;
}

}  // namespace suture
