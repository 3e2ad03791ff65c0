// SPDX-License-Identifier: GPL-3.0-or-later
// What an exported folder holds beside the files that are copied: one file per form.
#pragma once

#include "core/checkpoint/checkpoint_writer.h"
#include "core/export/config_edit.h"
#include "core/model/internal/decoder.h"
#include "core/repair/forms.h"

namespace suture {

struct OutTensor {
    std::string name, dtype;
    std::vector<std::int64_t> shape;
    std::function<void(const CheckpointWriter::Sink&)> write;  ///< called once, when the file is written
};

struct Contents {
    Repaired repaired;  ///< what the folder computes
    EditedConfig config;
    std::vector<OutTensor> tensors;
    bool custom_code = false;  ///< modeling_suture.py travels along
    double rounding = 1e-4;    ///< largest difference of logits to expect, relative to the largest logit
};

/// The contents in the given form. `model` and `repaired` must outlive the writing. Throws Error when there is no such form.
Contents contents_of(const Model& model, const Repaired& repaired, Form form);

/// A tensor that is computed when it is written.
OutTensor computed(std::string name, at::ScalarType type, std::vector<std::int64_t> shape, std::function<at::Tensor()> make);

/// Place of every kept layer in the pruned model. `inserted`: original numbers in front of which a layer is added.
std::map<int, int> places_of(const LayerSet& removed, int layers, const std::vector<int>& inserted = {});
std::string renumbered(const Architecture& a, const std::string& name, const std::map<int, int>& places);

/// The source's tensors that stay, with the variant's edits, under their new numbers.
std::vector<OutTensor> kept_tensors(const Model& model, const Variant& variant, const std::map<int, int>& places);

/// Changes a config member and records it.
void set_config(EditedConfig& config, const std::string& key, const nlohmann::ordered_json& value);

// The forms.
void add_patches(Contents& contents, const Model& model);         ///< maps as tensors suture.patches.i.* with their code
void write_stock_layers(Contents& contents, const Model& model);  ///< maps x + x̂·M as decoder layers
void write_rotated(Contents& contents, const Model& model);       ///< everything turned by H, and the maps with it

}  // namespace suture
