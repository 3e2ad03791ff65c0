// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/merge.h"

namespace suture {
namespace {

Step step_of(const Variant& variant, int layer) {
    const auto it = variant.edits().find(layer);
    return {.layer = layer, .edit = it == variant.edits().end() ? nullptr : it->second};
}

}  // namespace

Variant merged(const Model& model, const Variant& variant, int base, const std::vector<int>& others) {
    const LayerNames& n = model.architecture().names;
    LayerEdit edit;
    for (const std::string& module : {n.q, n.k, n.v, n.qkv, n.o, n.gate, n.up, n.gate_up, n.down}) {
        if (module.empty()) continue;
        const std::string name = module + ".weight";
        const auto own = edited_tensor(model, step_of(variant, base), name).to(at::kFloat);  // [out, in]
        auto sum = own.clone();
        for (const int layer : others) sum.add_(edited_tensor(model, step_of(variant, layer), name).to(at::kFloat) - own);
        Array<float> values({sum.size(0), sum.size(1)});
        std::copy_n(sum.const_data_ptr<float>(), sum.numel(), values.data.begin());
        edit.tensors[name] = std::move(values);
    }
    LayerSet removed = variant.removed();
    for (const int layer : others) removed = removed.with(layer);
    Variant result(removed);
    for (const auto& [layer, map] : variant.maps()) result = result.with_map(layer, map);
    for (const auto& [layer, before] : variant.edits())
        if (!removed.contains(layer) && layer != base) result = result.with_edit(layer, *before);
    return result.with_edit(base, std::move(edit));
}

}  // namespace suture
