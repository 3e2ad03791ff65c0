// SPDX-License-Identifier: GPL-3.0-or-later
// All that is per family: how its config.json becomes an Architecture, and what a cut does to its per-layer fields.
// One file in core/model/families adds one.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/architecture.h"
#include "core/model/internal/config_reader.h"

namespace suture {

/// A config.json entry that speaks of single layers and must follow a cut.
struct LayerField {
    enum class Kind {
        List,        ///< one entry per layer: the removed layers' entries go
        CountBelow,  ///< a threshold on the layer number: becomes the number of kept layers below it
    };
    std::string name;
    Kind kind = Kind::List;
    /// The entry transformers derives from the layer number when it is absent (List only); null: none is derived.
    nlohmann::json (*derived)(const nlohmann::ordered_json& config, int layers) = nullptr;
};

struct Family {
    std::string model_type;    ///< config.json's model_type
    std::string class_prefix;  ///< "Qwen2" of Qwen2ForCausalLM
    std::string label;         ///< for people
    Architecture (*read)(const ConfigReader& config) = nullptr;
    std::vector<LayerField> layer_fields = {};
    bool bos_by_default = false;  ///< perplexity needs a BOS in front of every window (gemma)
};

/// The family's per-layer fields and layer_types, which any config may carry.
std::vector<LayerField> layer_fields_of(const Family& family);
/// Throws Error when a List field is no list, has fewer entries than layers, or names a layer type nobody knows.
void check_layer_fields(const ConfigReader& config, const Family& family, int layers);

/// What a patched export puts in front of its family's model_type.
inline constexpr std::string_view exported_prefix = "suture_";

/// Every family, one per file of core/model/families.
std::span<const Family* const> all_families();
/// Throws Error naming the file, the architecture and the supported ones.
const Family& family_of(const ConfigReader& config);

/// What all families here share: sizes, norms, rope, tied head, no biases assumed. Checks heads and sizes.
Architecture read_llama_like(const ConfigReader& config, double default_theta = 10000);
/// Sets each layer's window from `layer_types` ("sliding_attention" / "full_attention") when present; returns whether it was.
bool apply_layer_types(const ConfigReader& config, Architecture& architecture);
/// A List entry of the config with one value per layer: longer lists lose their tail (a warning is the caller's), shorter ones are refused.
std::vector<nlohmann::json> per_layer_list(const ConfigReader& config, const std::string& key, int layers);

}  // namespace suture
