// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/forms.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/checkpoint/internal/as_tensor.h"
#include "core/repair/internal/kind.h"
#include "core/repair/internal/stock_layer.h"
#include "core/repair/kind_forms.h"

namespace suture {
namespace {

bool has_maps(const Repaired& repaired) { return !repaired.variant.maps().empty(); }

/// x·c with c above 0, whatever the repair is called: training may have made something else of a scalar.
bool is_factor(const StreamMap& map) {
    return map.scale.data.size() == 1 && map.scale.data[0] > 0 && map.matrix.empty() && map.left.empty() && map.bias.empty();
}

/// Whether the family's own tensors can hold what the repair is now.
bool has_stock_form(const Repaired& repaired) {
    return std::ranges::all_of(repaired.variant.maps(), [&](const auto& entry) {
        const StreamMap& map = *entry.second;
        return is_factor(map) || (repaired.kind == "stock-layer" && map.norm_eps > 0 && !map.matrix.empty() && map.bias.empty());
    });
}

/// The factors go into the layers behind their seams, on top of what is edited there already.
Repaired folded_scalar(const Model& model, Repaired repaired) {
    const auto kept = repaired.variant.removed().complement(model.architecture().layers).layers();
    Variant variant(repaired.variant.removed());
    for (const auto& [layer, edit] : repaired.variant.edits()) variant = variant.with_edit(layer, *edit);
    for (Patch& patch : repaired.patches) {
        const double c = patch.map->scale.data[0];
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

bool norms_fix_axes(const Architecture& a) { return !a.names.attention_post_norm.empty() || !a.names.mlp_post_norm.empty(); }

std::string not_simpler(const std::string& kind) {
    return "the repair " + kind + " does not become simpler in the rotated stream; the rotated form is for none, scalar and linearpatch";
}

std::string axes_refusal(const Model& model) {
    const Architecture& a = model.architecture();
    return norms_fix_axes(a) ? "the stream can't be rotated: " + a.model_type + " has norms behind attention and MLP, which fix its axes"
                             : "";
}

std::string rotated_refusal(const Model& model, const Repaired& repaired) {
    const std::string refusal = axes_refusal(model);
    if (!refusal.empty()) return refusal;
    for (const Patch& patch : repaired.patches)
        if (!patch.map || !(patch.map->hadamard || patch.map->scale.data.size() == 1)) return not_simpler(patch.kind);
    return {};
}

}  // namespace

std::string form_name(Form form) { return form == Form::Stock ? "stock" : form == Form::Rotated ? "rotated" : "patched"; }

Form form_named(const std::string& name, const Repaired& repaired) {
    if (name == "auto") return has_stock_form(repaired) ? Form::Stock : Form::Patched;
    for (const Form form : {Form::Patched, Form::Stock, Form::Rotated})
        if (name == form_name(form)) return form;
    throw usage_error("there is no form named \"" + name + "\"; known are auto, patched, stock and rotated");
}

std::string form_refusal(const Model& model, const std::string& kind, Form form) {
    const RepairInfo info = repair_kind(kind);
    if (form == Form::Patched || !info.fitted) return form == Form::Rotated ? axes_refusal(model) : "";
    if (form == Form::Rotated) {
        const std::string refusal = axes_refusal(model);
        return !refusal.empty() || kind == "scalar" || kind == "linearpatch" ? refusal : not_simpler(kind);
    }
    if (kind == "stock-layer") return stock_layer_refusal(model);
    if (info.stock) return {};
    const bool only_scalar = !model.architecture().names.mlp_post_norm.empty();  // the others refuse the family themselves
    return "the repair " + kind + " has no stock form; export it as patched, or choose " +
           (only_scalar ? "scalar" : "scalar, fold, refit or cascade");
}

std::string form_refusal(const Model& model, const Repaired& repaired, Form form) {
    if (form == Form::Rotated) return rotated_refusal(model, repaired);
    if (form == Form::Patched || !has_maps(repaired)) return {};
    const std::string refusal = form_refusal(model, repaired.kind, form);
    if (!refusal.empty() || has_stock_form(repaired)) return refusal;
    return "the repair " + repaired.kind + " is no longer what its stock form can hold (training or the fit left no factor above 0); " +
           "export it as patched";
}

Repaired in_form(const Model& model, const Repaired& repaired, Form form) {
    const std::string refusal = form_refusal(model, repaired, form);
    if (!refusal.empty()) throw Error(refusal);
    if (form != Form::Stock || !has_maps(repaired)) return repaired;
    return repaired.kind == "stock-layer" ? rounded_layers(model, repaired) : folded_scalar(model, repaired);
}

}  // namespace suture
