// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint that has been understood: its architecture, its tensors, its identity. Holds no weights in memory.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/tensor_source.h"
#include "core/model/architecture.h"
#include "core/model/variant.h"

namespace suture {

struct Family;

class Model {
public:
    /// Opens a Hugging Face folder and checks every tensor the architecture needs: presence, shape, type, layer numbers without gaps.
    /// Throws Error naming the file and what is missing, unexpected or not supported. Reads headers only.
    static std::shared_ptr<const Model> open(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }
    std::string name() const;  ///< the folder's own name
    const Architecture& architecture() const { return architecture_; }
    const Family& family() const { return *family_; }
    const nlohmann::ordered_json& config() const { return config_; }
    const TensorSource& tensors() const { return *tensors_; }
    /// The patches of a checkpoint that this program exported, by the layer they stand in front of (the layer count: the final
    /// norm). They are part of the model: x_l is the stream behind them. Empty for every other checkpoint.
    const std::map<int, std::shared_ptr<const StreamMap>>& own_maps() const { return own_maps_; }
    /// Things worth telling that are no reason to refuse, one sentence each.
    const std::vector<std::string>& warnings() const { return warnings_; }

    /// SHA-256 over config.json, the index and the safetensors headers with file sizes.
    const std::string& identity() const { return identity_; }
    /// Identity and the files' modification times: changes when weights are written anew with the same shapes.
    const std::string& fingerprint() const { return fingerprint_; }

    std::int64_t parameters() const;                 ///< elements of all tensors in the file
    std::int64_t layer_parameters(int layer) const;  ///< of one decoder layer
    std::uint64_t bytes() const;                     ///< of all tensors as stored
    std::string storage_type() const;                ///< of the embeddings: float32, float16 or bfloat16
    /// Keys and values of one token in all `layers` layers, bytes at two bytes a value.
    std::int64_t kv_cache_bytes_per_token(int layers) const;

private:
    Model() = default;
    std::filesystem::path folder_;
    nlohmann::ordered_json config_;
    const Family* family_ = nullptr;
    Architecture architecture_;
    std::shared_ptr<const TensorSource> tensors_;
    std::map<int, std::shared_ptr<const StreamMap>> own_maps_;
    std::vector<std::string> warnings_;
    std::string identity_, fingerprint_;
};

/// What `suture-cli inspect` prints: the facts of CONTRACT "JSON", also for checkpoints that can't be opened (supported false, reason).
nlohmann::json inspect_model(const std::filesystem::path& folder, const std::string& tokenizer);

}  // namespace suture
