// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/key.h"
#include "core/checkpoint/config_file.h"
#include "core/model/internal/family.h"
#include "core/model/internal/layer_tensors.h"
#include "core/model/internal/own_maps.h"

namespace suture {
namespace {

/// Quantised checkpoints store packed integers that the decoder can't use.
void refuse_quantised(const ConfigReader& config, const TensorSource* tensors) {
    if (const auto quantization = config.object("quantization_config")) {
        const std::string method = quantization->text("quant_method", "an unnamed method");
        config.refuse("the checkpoint is quantised with " + method + "; Suture needs the weights in float32, float16 or bfloat16");
    }
    if (!tensors) return;
    for (const auto& info : tensors->tensors())
        if (info.name.ends_with(".qweight") || info.name.ends_with(".qzeros"))
            config.refuse("the checkpoint holds quantised weights (" + info.name + "); Suture needs them in float32, float16 or bfloat16");
}

/// transformers' rule for a tied head that is stored all the same: the embeddings count.
void check_stored_head(const Architecture& a, const TensorSource& tensors, std::vector<std::string>& warnings) {
    const std::string head = a.head + ".weight", embedding = a.embedding + ".weight";
    if (!a.tied || !tensors.contains(head)) return;
    const auto one = tensors.bytes(head), other = tensors.bytes(embedding);
    if (one.size() != other.size() || !std::equal(one.begin(), one.end(), other.begin()))
        warnings.push_back("config.json ties the head to the embeddings, but the stored " + head +
                           " differs from them; the embeddings are used, as transformers does");
}

std::string modification_times(const TensorSource& tensors) {
    std::string text;
    for (const auto& file : tensors.files())
        text += std::to_string(std::filesystem::last_write_time(file).time_since_epoch().count()) + ";";
    return text;
}

std::string torch_name(const std::string& dtype) {
    return dtype == "F32" ? "float32" : dtype == "F16" ? "float16" : dtype == "BF16" ? "bfloat16" : dtype;
}

void warn_of_long_lists(const ConfigReader& config, const Family& family, int layers, std::vector<std::string>& warnings) {
    for (const LayerField& field : layer_fields_of(family))
        if (field.kind == LayerField::Kind::List && config.has(field.name) && config.json()[field.name].is_array() &&
            int(config.json()[field.name].size()) > layers)
            warnings.push_back("config.json lists " + std::to_string(config.json()[field.name].size()) + " " + field.name + " for " +
                               std::to_string(layers) + " layers; the first " + std::to_string(layers) + " are used");
}

}  // namespace

std::shared_ptr<const Model> Model::open(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
        throw Error(folder.string() + ": is no folder; give the folder that holds config.json and the safetensors files");
    const auto file = folder / "config.json";
    std::shared_ptr<Model> model(new Model());
    model->folder_ = folder;
    model->config_ = read_json_file(file);
    const ConfigReader config(model->config_, file);
    refuse_quantised(config, nullptr);
    model->family_ = &family_of(config);
    model->architecture_ = model->family_->read(config);
    check_layer_fields(config, *model->family_, model->architecture_.layers);
    warn_of_long_lists(config, *model->family_, model->architecture_.layers, model->warnings_);
    model->tensors_ = TensorSource::open(folder);
    refuse_quantised(config, model->tensors_.get());
    for (auto& warning : check_tensors(model->architecture_, *model->tensors_)) model->warnings_.push_back(std::move(warning));
    model->own_maps_ = read_own_maps(config, model->architecture_, *model->tensors_);
    check_stored_head(model->architecture_, *model->tensors_, model->warnings_);
    model->identity_ = model->tensors_->identity(model->config_.dump());
    model->fingerprint_ = sha256_hex(model->identity_ + modification_times(*model->tensors_));
    return model;
}

std::string Model::name() const {
    const auto path = std::filesystem::absolute(folder_).lexically_normal();
    return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

std::int64_t Model::parameters() const {
    std::int64_t sum = 0;
    for (const auto& info : tensors_->tensors()) sum += info.elements();
    return sum;
}

std::int64_t Model::layer_parameters(int layer) const {
    std::int64_t sum = 0;
    for (const auto& info : tensors_->tensors())
        if (layer_of(architecture_, info.name) == layer) sum += info.elements();
    return sum;
}

std::uint64_t Model::bytes() const { return tensors_->total_bytes(); }

std::string Model::storage_type() const { return torch_name(tensors_->info(architecture_.embedding + ".weight").dtype); }

std::int64_t Model::kv_cache_bytes_per_token(int layers) const {
    return std::int64_t(2) * 2 * layers * architecture_.kv_heads * architecture_.head_dim;
}

nlohmann::json inspect_model(const std::filesystem::path& folder, const std::string& tokenizer) {
    try {
        const auto model = Model::open(folder);
        const Architecture& a = model->architecture();
        return {{"model_type", a.model_type},
                {"architecture", a.class_name},
                {"layers", a.layers},
                {"hidden_size", a.hidden},
                {"parameters", model->parameters()},
                {"dtype", model->storage_type()},
                {"bytes", model->bytes()},
                {"vocab_size", a.vocabulary},
                {"tied", a.tied},
                {"tokenizer", tokenizer},
                {"supported", true},
                {"reason", ""},
                {"identity", model->identity()},
                {"warnings", model->warnings()}};
    } catch (const Error& error) {
        if (!std::filesystem::exists(folder / "config.json")) throw;  // not a checkpoint at all
        const auto config = read_json_file(folder / "config.json");
        const auto value = [&](const char* key) { return config.contains(key) ? nlohmann::json(config[key]) : nlohmann::json(); };
        const auto names = value("architectures");
        return {{"model_type", value("model_type")},
                {"architecture", names.is_array() && !names.empty() ? names[0] : nlohmann::json()},
                {"layers", value("num_hidden_layers")},
                {"hidden_size", value("hidden_size")},
                {"parameters", nullptr},
                {"dtype", config.contains("dtype") ? value("dtype") : value("torch_dtype")},
                {"bytes", nullptr},
                {"vocab_size", value("vocab_size")},
                {"tied", value("tie_word_embeddings")},
                {"tokenizer", tokenizer},
                {"supported", false},
                {"reason", error.what()}};
    }
}

}  // namespace suture
