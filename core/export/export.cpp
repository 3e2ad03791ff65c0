// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export.h"

#include <cstring>

#include "core/base/error.h"
#include "core/checkpoint/config_file.h"
#include "core/export/internal/template.h"
#include "core/model/internal/decoder.h"
#include "core/model/internal/family.h"
#include "core/model/internal/layer_tensors.h"

namespace suture {
namespace {

/// Files beside the weights that belong to a model; copied byte for byte.
bool is_side_file(const std::string& name) {
    static const std::vector<std::string> exact{"generation_config.json",
                                                "special_tokens_map.json",
                                                "added_tokens.json",
                                                "vocab.json",
                                                "vocab.txt",
                                                "merges.txt",
                                                "LICENSE",
                                                "LICENSE.txt",
                                                "LICENSE.md",
                                                "NOTICE",
                                                "USE_POLICY.md"};
    return name.starts_with("tokenizer") || name.starts_with("chat_template") || name.ends_with(".model") ||
           std::find(exact.begin(), exact.end(), name) != exact.end();
}

std::string renumbered(const Architecture& a, const std::string& name, const std::vector<int>& kept) {
    const int layer = layer_of(a, name);
    if (layer < 0) return name;
    const auto place = std::find(kept.begin(), kept.end(), layer) - kept.begin();
    return a.layer_prefix + std::to_string(place) + name.substr(a.layer_prefix.size() + std::to_string(layer).size());
}

int kept_before(const LayerSet& removed, int layer) {
    int count = 0;
    for (int l = 0; l < layer; ++l) count += removed.contains(l) ? 0 : 1;
    return count;
}

/// Adds the config members that make transformers load the modelling file.
nlohmann::ordered_json patched_config(nlohmann::ordered_json config, const Model& model, const Repaired& repaired) {
    const Family& family = model.family();
    const std::string prefix = "Suture" + family.class_prefix, module = "modeling_suture.";
    config["model_type"] = std::string(exported_prefix) + family.model_type;
    config["architectures"] = {prefix + "ForCausalLM"};
    config["auto_map"] = {{"AutoConfig", module + prefix + "Config"}, {"AutoModelForCausalLM", module + prefix + "ForCausalLM"}};
    auto patches = nlohmann::ordered_json::array();
    for (const Patch& patch : repaired.patches) {
        nlohmann::ordered_json entry{{"before_layer", kept_before(repaired.variant.removed(), patch.seam.end)}, {"kind", patch.kind}};
        entry["hadamard"] = patch.hadamard.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(patch.hadamard);
        auto tensors = nlohmann::ordered_json::array();
        if (patch.map->hadamard || !patch.map->matrix.empty()) tensors.push_back("P");
        if (!patch.map->scale.empty()) tensors.push_back("d");
        if (!patch.map->bias.empty()) tensors.push_back("bias");
        entry["tensors"] = tensors;
        patches.push_back(entry);
    }
    config["suture"] = {{"format", 1}, {"patches", patches}};
    return config;
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
}

void add_patch(CheckpointWriter& writer, const Patch& patch, std::size_t index, std::int64_t hidden) {
    const std::string prefix = "suture.patches." + std::to_string(index) + ".";
    const StreamMap& map = *patch.map;
    if (map.hadamard || !map.matrix.empty())
        writer.add_tensor(prefix + "P", "F32", {hidden, hidden},
                          [&map, hidden](const CheckpointWriter::Sink& sink) { sink(bytes_of(dense_matrix(map, hidden).data)); });
    if (!map.scale.empty())
        writer.add_tensor(prefix + "d", "F32", {std::int64_t(map.scale.data.size())}, [&map](const CheckpointWriter::Sink& sink) {
            sink(bytes_of(std::vector<float>(map.scale.data.begin(), map.scale.data.end())));
        });
    if (!map.bias.empty()) writer.add_tensor(prefix + "bias", "F32", {hidden}, bytes_of(map.bias.data));
}

void add_tensors(CheckpointWriter& writer, const Model& model, const Repaired& repaired) {
    const LayerSet& removed = repaired.variant.removed();
    const auto kept = removed.complement(model.architecture().layers).layers();
    std::vector<const TensorInfo*> tensors;
    for (const TensorInfo& info : model.tensors().tensors()) {
        const int layer = layer_of(model.architecture(), info.name);
        if (layer < 0 || !removed.contains(layer)) tensors.push_back(&info);
    }
    for (const TensorInfo* info : tensors) {
        const TensorSource& source = model.tensors();
        writer.add_tensor(renumbered(model.architecture(), info->name, kept), info->dtype, info->shape,
                          [&source, info](const CheckpointWriter::Sink& sink) {
                              sink(source.bytes(info->name));
                              source.release(info->name);
                          });
    }
    for (std::size_t i = 0; i < repaired.patches.size(); ++i) add_patch(writer, repaired.patches[i], i, model.architecture().hidden);
}

std::vector<std::filesystem::path> side_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_regular_file() && is_side_file(entry.path().filename().string())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// transformers refuses to save such a file again, although it reads it.
bool contradicts_itself(const std::filesystem::path& generation_config) {
    const auto json = read_json_file(generation_config);
    if (json.value("do_sample", false)) return false;
    const auto given = [&](const char* key, double neutral) {
        return json.contains(key) && json[key].is_number() && json[key].get<double>() != neutral;
    };
    return given("temperature", 1) || given("top_p", 1) || given("top_k", 50);
}

std::string snippet(const std::filesystem::path& target, bool custom_code) {
    const std::string trust = custom_code ? ", trust_remote_code=True" : "";
    return "from transformers import AutoModelForCausalLM, AutoTokenizer\n"
           "model = AutoModelForCausalLM.from_pretrained(\"" +
           target.string() + "\"" + trust +
           ")\n"
           "tokenizer = AutoTokenizer.from_pretrained(\"" +
           target.string() + "\"" + trust + ")\n";
}

std::string already_patched(const Model& model) {
    return model.folder().string() + ": is a patched export already; open the model it was made from and choose all layers there";
}

struct Prepared {
    CheckpointWriter writer;
    ExportPlan plan;
};

/// Everything but the report's own files.
Prepared prepare(const Model& model, const Repaired& repaired, const std::filesystem::path& target, const ExportSettings& settings) {
    if (!model.own_maps().empty()) throw Error(already_patched(model));
    Prepared p{
        CheckpointWriter(
            target, {.shard_bytes = std::uint64_t(settings.shard_gb * 1e9), .overwrite = settings.overwrite, .sacred = {model.folder()}}),
        {}};
    p.plan.config = pruned_config(model, repaired.variant.removed());
    p.plan.warnings = p.plan.config.warnings;
    p.plan.custom_code = !repaired.patches.empty();
    if (p.plan.custom_code) {
        p.plan.config.config = patched_config(p.plan.config.config, model, repaired);
        p.writer.add_text("modeling_suture.py", modelling_file(model.family().model_type, model.family().class_prefix));
        p.plan.warnings.push_back(
            "the patch (tensors suture.patches.*) is unknown to converters such as llama.cpp's and to vLLM without a plug-in; export "
            "without a repair for those");
    }
    p.plan.load_snippet = snippet(target, p.plan.custom_code);
    add_tensors(p.writer, model, repaired);
    p.writer.add_text("config.json", p.plan.config.config.dump(2) + "\n");
    const auto sides = side_files(model.folder());
    bool tokenizer = false;
    for (const auto& file : sides) {
        p.writer.add_file(file.filename().string(), file);
        if (file.filename() == "generation_config.json" && contradicts_itself(file))
            p.plan.warnings.push_back(
                "generation_config.json sets sampling values although do_sample is off; it is copied as it is, and transformers will "
                "refuse to save it again");
        tokenizer = tokenizer || file.filename().string().starts_with("tokenizer") || file.filename() == "vocab.json";
    }
    if (!tokenizer) p.plan.warnings.push_back("the source has no tokenizer files, so the export has none either");
    return p;
}

/// The exported folder run by the same decoder, against the variant in memory.
double compare_logits(std::shared_ptr<const Model> model, const Variant& variant, const std::filesystem::path& folder,
                      const ComputeSettings& compute, const std::vector<std::int64_t>& ids, double& largest) {
    const c10::InferenceMode no_gradients;
    const auto logits = [&](const std::shared_ptr<const Model>& m, const Variant& v) {
        const Decoder decoder(m, compute);
        auto x = decoder.embed(ids);
        for (const Step& step : v.steps(m->architecture().layers))
            x = step.map ? apply_map(*step.map, x) : decoder.run(decoder.load(step), x);
        return decoder.logits(x);  // [T, V]
    };
    const auto expected = logits(model, variant), found = logits(Model::open(folder), Variant());
    largest = expected.abs().max().item<double>();
    return (expected - found).abs().max().item<double>();
}

}  // namespace

const std::vector<Setting<ExportSettings>>& ExportSettings::fields() {
    static const std::vector<Setting<ExportSettings>> list{
        {"shard-gb", "File size limit (GB)", "GB of tensors per safetensors file", &ExportSettings::shard_gb},
        {"overwrite", "Replace an earlier export", "replace a folder that an earlier export wrote", &ExportSettings::overwrite},
    };
    return list;
}

std::string export_problem(const Model& model, const std::filesystem::path& target, const ExportSettings& settings) {
    if (!(settings.shard_gb > 0)) return "the file size limit must be above 0 GB";
    if (!model.own_maps().empty()) return already_patched(model);
    return CheckpointWriter(target, {.overwrite = settings.overwrite, .sacred = {model.folder()}}).problem();
}

ExportPlan plan_export(const Model& model, const Repaired& repaired, const std::filesystem::path& target, const ExportSettings& settings) {
    Prepared p = prepare(model, repaired, target, settings);
    p.plan.files = p.writer.plan();
    p.plan.bytes = p.writer.total_bytes();
    p.plan.problem = p.writer.problem();
    return std::move(p.plan);
}

ExportResult export_variant(std::shared_ptr<const Model> model, const Repaired& repaired, const nlohmann::json& report,
                            const std::filesystem::path& target, const ExportSettings& settings, const ComputeSettings& compute,
                            const std::vector<std::int64_t>& check_ids, Progress& progress) {
    Prepared p = prepare(*model, repaired, target, settings);
    auto recipe = report;
    recipe["format"] = 1;
    recipe["source"] = {
        {"name", model->name()}, {"identity", model->identity()}, {"content_sha256", model->tensors().content_hash(progress)}};
    recipe["removed"] = repaired.variant.removed().layers();
    recipe["repair"] = repaired.to_json();
    recipe["suture"] = suture_version;
    p.writer.add_text("README.md", model_card(*model, repaired, report, p.plan));
    recipe["files"] = {"suture.json"};
    for (const WrittenFile& file : p.writer.plan()) recipe["files"].push_back(file.name);
    p.writer.add_text("suture.json", recipe.dump(2) + "\n");
    ExportResult result{.folder = target};
    result.files = p.writer.commit(progress);
    progress.begin("Checking the export", 1, "comparison");
    double largest = 0;
    result.largest_logit_difference = compare_logits(model, repaired.variant, target, compute, check_ids, largest);
    // P is stored in float32 and applied as a dense matrix: rounding of float32 sums, relative to the logits.
    result.tolerance = 1e-4 * std::max(1.0, largest);
    progress.step();
    return result;
}

nlohmann::json ExportResult::to_json() const {
    auto list = nlohmann::json::array();
    for (const WrittenFile& file : files) list.push_back({{"name", file.name}, {"bytes", file.bytes}});
    return {{"folder", folder.string()},
            {"files", list},
            {"check", {{"largest_logit_difference", largest_logit_difference}, {"tolerance", tolerance}, {"equal", equal()}}}};
}

}  // namespace suture
