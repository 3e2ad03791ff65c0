// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/config_edit.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/model/internal/family.h"

namespace suture {
namespace {

/// Lists that may be as long as the model is deep without speaking of layers.
bool speaks_of_layers(const std::string& key) { return key != "architectures" && !key.ends_with("_token_id"); }

/// A list with one entry per layer, or a text such as "M*M*" with one letter per layer.
bool is_per_layer(const std::string& key, const nlohmann::ordered_json& value, int layers) {
    if (value.is_array()) return int(value.size()) == layers && speaks_of_layers(key);
    return value.is_string() && int(value.get_ref<const std::string&>().size()) == layers && key.find("pattern") != std::string::npos;
}

void refuse_unknown_lists(const Model& model, const nlohmann::ordered_json& object) {
    const auto fields = layer_fields_of(model.family());
    for (const auto& [key, value] : object.items()) {
        const auto known = [&, &name = key](const LayerField& field) { return field.name == name; };
        if (value.is_object()) refuse_unknown_lists(model, value);
        if (!is_per_layer(key, value, model.architecture().layers) || std::any_of(fields.begin(), fields.end(), known)) continue;
        throw Error((model.folder() / "config.json").string() + ": \"" + key +
                    "\" has one entry per layer, and Suture does not know what becomes of it when layers go; nothing was exported");
    }
}

nlohmann::json kept_entries(const nlohmann::json& list, const LayerSet& removed, int layers) {
    auto kept = nlohmann::json::array();
    for (int l = 0; l < layers; ++l)
        if (!removed.contains(l)) kept.push_back(list[std::size_t(l)]);
    return kept;
}

int kept_below(const LayerSet& removed, int threshold) {
    int kept = 0;
    for (int l = 0; l < threshold; ++l) kept += removed.contains(l) ? 0 : 1;
    return kept;
}

void edit_count(EditedConfig& edited, const LayerField& field, const LayerSet& removed, int layers) {
    if (!edited.config.contains(field.name) || !edited.config[field.name].is_number_integer()) return;
    const int threshold = edited.config[field.name].get<int>();
    if (threshold < layers) edited.config[field.name] = kept_below(removed, threshold);
}

void edit_list(EditedConfig& edited, const LayerField& field, const nlohmann::ordered_json& before, const LayerSet& removed, int layers) {
    if (edited.config.contains(field.name) && edited.config[field.name].is_array()) {
        edited.config[field.name] = kept_entries(edited.config[field.name], removed, layers);
        return;
    }
    if (!field.derived) return;
    const auto wanted = kept_entries(field.derived(before, layers), removed, layers);
    if (wanted == field.derived(edited.config, layers - removed.size())) return;
    edited.config[field.name] = wanted;
    edited.warnings.push_back("\"" + field.name +
                              "\" was added to config.json because the pattern no longer follows from the layer number; programs that "
                              "ignore it compute another model");
}

std::vector<ConfigChange> differences(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after) {
    std::vector<ConfigChange> changes;
    for (const auto& [key, value] : after.items())
        if (!before.contains(key)) changes.push_back({key, nullptr, value});
        else if (before[key] != value) changes.push_back({key, before[key], value});
    return changes;
}

}  // namespace

EditedConfig pruned_config(const Model& model, const LayerSet& removed) {
    refuse_unknown_lists(model, model.config());
    const int layers = model.architecture().layers;
    EditedConfig edited{.config = model.config()};
    edited.config["num_hidden_layers"] = layers - removed.size();
    using Kind = LayerField::Kind;
    for (const LayerField& field : model.family().layer_fields)  // thresholds first: derived patterns read them
        if (field.kind == Kind::CountBelow) edit_count(edited, field, removed, layers);
    for (const LayerField& field : layer_fields_of(model.family()))
        if (field.kind == Kind::List) edit_list(edited, field, model.config(), removed, layers);
    edited.changes = differences(model.config(), edited.config);
    return edited;
}

}  // namespace suture
