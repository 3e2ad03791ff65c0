// SPDX-License-Identifier: GPL-3.0-or-later
// Maps as tensors of their own, and the config members that make transformers load the code for them.
#include "core/export/internal/contents.h"
#include "core/model/internal/family.h"
#include "core/tensor/internal/arrays.h"

namespace suture {
namespace {

int kept_before(const LayerSet& removed, int layer) {
    int count = 0;
    for (int l = 0; l < layer; ++l) count += removed.contains(l) ? 0 : 1;
    return count;
}

struct Named {
    std::string name;
    std::vector<std::int64_t> shape;
    std::function<at::Tensor()> make;
};

/// suture.patches.i.* of one map. P stands for d and H, because H is not unique for every size.
std::vector<Named> tensors_of(const std::shared_ptr<const StreamMap>& shared, std::int64_t c) {
    const StreamMap& map = *shared;
    std::vector<Named> tensors;
    if (map.norm_eps > 0) tensors.push_back({"M", {c, c}, [shared] { return view_of(shared->matrix); }});
    else if (map.hadamard || !map.matrix.empty())
        tensors.push_back({"P", {c, c}, [shared, c] { return view_of(dense_matrix(*shared, c)).clone(); }});
    if (!map.left.empty()) {
        tensors.push_back({"A", map.left.shape, [shared] { return view_of(shared->left); }});
        tensors.push_back({"B", map.right.shape, [shared] { return view_of(shared->right); }});
    }
    if (!map.scale.empty()) tensors.push_back({"d", map.scale.shape, [shared] { return view_of(shared->scale); }});
    if (!map.bias.empty()) tensors.push_back({"bias", {c}, [shared] { return view_of(shared->bias); }});
    return tensors;
}

}  // namespace

void add_patches(Contents& contents, const Model& model) {
    const Family& family = model.family();
    const std::string prefix = "Suture" + family.class_prefix, module = "modeling_suture.";
    auto& config = contents.config.config;
    auto entries = nlohmann::ordered_json::array();
    for (const auto& [before_layer, map] : contents.repaired.variant.maps()) {
        nlohmann::ordered_json entry{
            {"before_layer", kept_before(contents.repaired.variant.removed(), before_layer)}, {"kind", map->kind}, {"hadamard", nullptr}};
        for (const Patch& patch : contents.repaired.patches)
            if (patch.map == map && !patch.hadamard.empty()) entry["hadamard"] = patch.hadamard;
        if (map->norm_eps > 0) entry["norm_eps"] = map->norm_eps;
        if (!map->left.empty()) entry["rank"] = map->left.size(1);
        entry["tensors"] = nlohmann::ordered_json::array();
        for (Named& tensor : tensors_of(map, model.architecture().hidden)) {
            entry["tensors"].push_back(tensor.name);
            contents.tensors.push_back(computed("suture.patches." + std::to_string(entries.size()) + "." + tensor.name, at::kFloat,
                                                tensor.shape, std::move(tensor.make)));
        }
        entries.push_back(entry);
    }
    config["model_type"] = std::string(exported_prefix) + family.model_type;
    config["architectures"] = {prefix + "ForCausalLM"};
    config["auto_map"] = {{"AutoConfig", module + prefix + "Config"}, {"AutoModelForCausalLM", module + prefix + "ForCausalLM"}};
    config["suture"] = {{"format", 1}, {"patches", entries}};
    contents.custom_code = true;
    contents.config.warnings.push_back(
        "the patch (tensors suture.patches.*) is unknown to converters such as llama.cpp's and to vLLM without a plug-in; "
        "export in a stock form for those");
}

}  // namespace suture
