// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export.h"

#include <cstring>

#include "core/base/error.h"
#include "core/checkpoint/config_file.h"
#include "core/export/internal/contents.h"
#include "core/export/internal/template.h"
#include "core/model/internal/decoder.h"
#include "core/model/internal/family.h"
#include "core/model/internal/layer_tensors.h"
#include "core/model/merges.h"

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
    Contents contents;
    ExportPlan plan;
};

/// Everything but the report's own files.
Prepared prepare(const Model& model, const Repaired& repaired, const std::filesystem::path& target, const ExportSettings& settings) {
    if (!model.own_maps().empty()) throw Error(already_patched(model));
    Prepared p{
        CheckpointWriter(
            target, {.shard_bytes = std::uint64_t(settings.shard_gb * 1e9), .overwrite = settings.overwrite, .sacred = {model.folder()}}),
        contents_of(model, repaired, form_named(settings.form, repaired)),
        {}};
    p.plan.config = p.contents.config;
    p.plan.warnings = p.plan.config.warnings;
    p.plan.custom_code = p.contents.custom_code;
    p.plan.form = form_name(form_named(settings.form, repaired));
    if (p.plan.custom_code) p.writer.add_text("modeling_suture.py", modelling_file(model.family().model_type, model.family().class_prefix));
    p.plan.load_snippet = snippet(target, p.plan.custom_code);
    for (const OutTensor& tensor : p.contents.tensors) p.writer.add_tensor(tensor.name, tensor.dtype, tensor.shape, tensor.write);
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
        {"form",
         "Form",
         "patched: the repair as tensors of its own with code that travels along; stock: the family's own tensors only; rotated: the "
         "stream turned by H; auto: stock where the repair allows it",
         &ExportSettings::form,
         {"auto", "patched", "stock", "rotated"}},
        {"shard-gb", "File size limit (GB)", "GB of tensors per safetensors file", &ExportSettings::shard_gb, {}},
        {"overwrite", "Replace an earlier export", "replace a folder that an earlier export wrote", &ExportSettings::overwrite, {}},
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
    if (repaired.patches.empty() && !repaired.variant.edits().empty()) recipe["merges"] = merges_json(repaired.variant);
    recipe["form"] = p.plan.form;
    recipe["suture"] = suture_version;
    p.writer.add_text("README.md", model_card(*model, repaired, report, p.plan));
    recipe["files"] = {"suture.json"};
    for (const WrittenFile& file : p.writer.plan()) recipe["files"].push_back(file.name);
    p.writer.add_text("suture.json", recipe.dump(2) + "\n");
    ExportResult result{.folder = target};
    result.files = p.writer.commit(progress);
    progress.begin("Checking the export", 1, "comparison");
    double largest = 0;
    result.largest_logit_difference = compare_logits(model, p.contents.repaired.variant, target, compute, check_ids, largest);
    result.tolerance = p.contents.rounding * std::max(1.0, largest);
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
