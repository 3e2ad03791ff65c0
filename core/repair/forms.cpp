// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/forms.h"

#include "core/base/error.h"
#include "core/checkpoint/internal/as_tensor.h"
#include "core/repair/internal/kind.h"
#include "core/repair/internal/stock_layer.h"

namespace suture {
namespace {

bool has_maps(const Repaired& repaired) { return !repaired.variant.maps().empty(); }

Repaired folded_scalar(const Model& model, Repaired repaired) {
    const auto kept = repaired.variant.removed().complement(model.architecture().layers).layers();
    Variant variant(repaired.variant.removed());
    for (Patch& patch : repaired.patches) {
        const double c = patch.map->scale.data[0];
        if (!(c > 0))
            throw Error("the scalar of " + patch.seam.words() + " is " + std::to_string(c) +
                        " and can't be divided by; export it as patched");
        for (const int layer : kept)
            if (layer >= patch.seam.end) {
                variant = variant.with_edit(layer, {.branch_scale = 1 / c});
                patch.edited.push_back(layer);
            }
        patch.map = nullptr;
    }
    repaired.variant = variant;
    return repaired;
}

/// M in the precision in which the checkpoint will hold it.
Repaired rounded_layers(const Model& model, Repaired repaired) {
    const auto type =
        as_tensor(model.tensors(), model.architecture().layer_tensor(0, model.architecture().names.down) + ".weight").scalar_type();
    for (Patch& patch : repaired.patches) {
        StreamMap map = *patch.map;
        map.matrix = floats_of(view_of(map.matrix).to(type));
        patch.map = std::make_shared<const StreamMap>(std::move(map));
        repaired.variant = repaired.variant.with_map(patch.seam.end, patch.map);
    }
    return repaired;
}

std::string rotated_refusal(const Model& model, const Repaired& repaired) {
    const Architecture& a = model.architecture();
    if (!a.names.attention_post_norm.empty() || !a.names.mlp_post_norm.empty())
        return "the stream can't be rotated: " + a.model_type + " has norms behind attention and MLP, which fix its axes";
    for (const Patch& patch : repaired.patches)
        if (!patch.map || !(patch.map->hadamard || patch.map->scale.data.size() == 1))
            return "the repair " + patch.kind +
                   " does not become simpler in the rotated stream; the rotated form is for none, scalar and linearpatch";
    return {};
}

}  // namespace

std::string form_name(Form form) { return form == Form::Stock ? "stock" : form == Form::Rotated ? "rotated" : "patched"; }

Form form_named(const std::string& name, const Repaired& repaired) {
    if (name == "auto") return !has_maps(repaired) || repair_kind(repaired.kind).stock ? Form::Stock : Form::Patched;
    for (const Form form : {Form::Patched, Form::Stock, Form::Rotated})
        if (name == form_name(form)) return form;
    throw usage_error("there is no form named \"" + name + "\"; known are auto, patched, stock and rotated");
}

std::string form_refusal(const Model& model, const Repaired& repaired, Form form) {
    if (form == Form::Rotated) return rotated_refusal(model, repaired);
    if (form == Form::Patched || !has_maps(repaired)) return {};
    if (repaired.kind == "stock-layer") return stock_layer_refusal(model);
    if (!repair_kind(repaired.kind).stock)
        return "the repair " + repaired.kind +
               " has no stock form; export it as patched, or choose scalar, fold, refit, cascade or stock-layer";
    return {};
}

Repaired in_form(const Model& model, const Repaired& repaired, Form form) {
    const std::string refusal = form_refusal(model, repaired, form);
    if (!refusal.empty()) throw Error(refusal);
    if (form != Form::Stock || !has_maps(repaired)) return repaired;
    return repaired.kind == "stock-layer" ? rounded_layers(model, repaired) : folded_scalar(model, repaired);
}

}  // namespace suture
