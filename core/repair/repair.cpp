// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/repair.h"

#include <limits>

#include "core/base/error.h"
#include "core/repair/internal/fit.h"
#include "core/repair/internal/held_out.h"
#include "core/tensor/internal/arrays.h"

namespace suture {
namespace {

std::vector<const RepairKind*> kinds_in_order() {
    const auto all = all_kinds();
    std::vector<const RepairKind*> kinds(all.begin(), all.end());
    std::sort(kinds.begin(), kinds.end(), [](const auto* a, const auto* b) { return a->order < b->order; });
    return kinds;
}

bool sequential(const RepairKind& kind, const RepairSettings& settings) {
    return settings.fit == "sequential" || (settings.fit == "auto" && kind.sequential_by_default);
}

}  // namespace

const std::vector<Setting<RepairSettings>>& RepairSettings::fields() {
    static const std::vector<Setting<RepairSettings>> list{
        {"definition",
         "Definition of d",
         "paper: ratio of sums over all tokens; script: mean of the windows' ratios",
         &RepairSettings::definition,
         {"paper", "script"}},
        {"ridge", "Ridge λ", "least squares: λ relative to the Gram matrix's mean diagonal", &RepairSettings::ridge, {}},
        {"ridge-search",
         "Search λ",
         "choose λ by the perplexity of calibration windows held out from the fit",
         &RepairSettings::ridge_search,
         {}},
        {"bias", "Additive term", "least squares of a map: also fit an additive term", &RepairSettings::bias, {}},
        {"rank", "Rank", "rank of the low-rank repair", &RepairSettings::rank, {}},
        {"cascade", "Cascade", "kept layers behind each seam that the cascade refits; 0: all", &RepairSettings::cascade, {}},
        {"massive",
         "Massive tokens",
         "tokens of massive activations in a fit: keep them, mask them out, or weight them down to the median norm",
         &RepairSettings::massive,
         {"keep", "mask", "weight"}},
        {"fit",
         "Several seams",
         "maps only: dense (both sides from the dense model), sequential (the stream as already patched) or auto (what suits the kind)",
         &RepairSettings::fit,
         {"auto", "dense", "sequential"}},
    };
    return list;
}

std::vector<RepairInfo> repair_kinds() {
    std::vector<RepairInfo> infos;
    for (const RepairKind* kind : kinds_in_order()) infos.push_back(kind->info);
    return infos;
}

const RepairKind& kind_named(const std::string& name) {
    std::string known;
    for (const RepairKind* kind : kinds_in_order()) {
        if (kind->info.name == name) return *kind;
        known += (known.empty() ? "" : ", ") + kind->info.name;
    }
    throw usage_error("there is no repair named \"" + name + "\"; known are " + known);
}

RepairInfo repair_kind(const std::string& name) { return kind_named(name).info; }

std::string repair_refusal(const std::string& name, const Model& model, const LayerSet& removed) {
    const RepairKind& kind = kind_named(name);
    return kind.refusal ? kind.refusal(model, removed) : "";
}

bool repair_runs_model(const std::string& name, const RepairSettings& settings, const LayerSet& removed) {
    const RepairKind& kind = kind_named(name);
    if (kind.fit_layer) return true;
    return kind.fit && (kind.predictor != Predictor::None || settings.massive != "keep" ||
                        (sequential(kind, settings) && seams_of(removed).size() > 1));
}

std::string repair_json_key(const std::string& kind, const RepairSettings& settings) { return kind_named(kind).json_key(settings); }

Repaired no_repair(const LayerSet& removed) { return {"none", Variant(removed), {}}; }

bool FitJob::sequential() const { return suture::sequential(kind, settings); }

double FitJob::extreme_factor() const {
    return statistics ? statistics->conditions.value("extreme_token", settings.extreme_token) : settings.extreme_token;
}

Repaired fit_repair(std::shared_ptr<const Model> model, const Statistics* statistics, const Windows& windows, const LayerSet& removed,
                    const std::string& kind_name, const RepairSettings& settings, const ComputeSettings& compute, Progress& progress) {
    const c10::InferenceMode no_gradients;
    const RepairKind& kind = kind_named(kind_name);
    const std::string refusal = repair_refusal(kind_name, *model, removed);
    if (!refusal.empty()) throw Error(refusal);
    if (settings.ridge_search && kind.info.ridge) split_windows(windows);  // says so when there is nothing to hold out
    const FitJob job{model, statistics, windows, removed, kind, settings, compute, progress};
    Repaired repaired = kind.fit_layer ? fit_layers(job) : kind.fit ? fit_maps(job) : no_repair(removed);
    repaired.kind = kind_name;
    if (!kind.fit && !kind.fit_layer) return repaired;
    repaired.settings["fit"] = kind.fit_layer || job.sequential() ? "sequential" : "dense";
    if (kind.info.definition) repaired.settings["definition"] = settings.definition;
    if (kind.info.ridge) repaired.settings["ridge"] = settings.ridge_search ? nlohmann::json("searched") : nlohmann::json(settings.ridge);
    if (settings.massive != "keep") repaired.settings["massive"] = settings.massive;
    return repaired;
}

std::string ridge_key(const std::string& kind, const RepairSettings& settings) {
    char text[64];
    std::snprintf(text, sizeof text, "_%g", settings.ridge);
    return kind + (settings.ridge_search ? "_auto" : text);
}

bool fine_tuned(const nlohmann::json& settings) {
    return settings.contains("finetuned") && settings["finetuned"].value("best_step", std::int64_t{1}) > 0;
}

double Repaired::worst_error() const {
    double worst = std::numeric_limits<double>::quiet_NaN();
    if (fine_tuned(settings)) return worst;  // known of the fit only
    for (const Patch& patch : patches)
        if (!(patch.error_median <= worst)) worst = std::isnan(patch.error_median) ? worst : patch.error_median;
    return worst;
}

nlohmann::json Patch::to_json() const {
    nlohmann::json json{{"seam", {{"start", seam.start}, {"end", seam.end}, {"before_layer", seam.end}}},
                        {"kind", kind},
                        {"relative_error", error_frobenius}};
    json["relative_error_median"] = std::isnan(error_median) ? nlohmann::json() : nlohmann::json(error_median);
    if (ridge > 0) json["ridge"] = ridge;
    if (!edited.empty()) json["edited_layers"] = edited;
    if (!map) return json;
    json.update({{"patch_trace", trace}, {"patch_frobenius", frobenius}, {"patch_row0_first8", row0}});
    if (!hadamard.empty()) json["hadamard"] = hadamard;
    if (map->scale.data.size() == 1) json["scale"] = map->scale.data[0];
    else if (!map->scale.empty()) json["d"] = map->scale.data;
    return json;
}

nlohmann::json Repaired::to_json() const {
    nlohmann::json json = nlohmann::json::object();
    auto list = nlohmann::json::array();
    for (const Patch& patch : patches) {
        list.push_back(patch.to_json());
        if (fine_tuned(settings)) list.back()["relative_error"] = list.back()["relative_error_median"] = nullptr;
    }
    if (list.size() == 1) json = list[0];
    json.erase("seam");
    json.update(settings);
    json["kind"] = kind;
    json["patches"] = std::move(list);
    return json;
}

Array<float> apply_to_rows(const StreamMap& map, const Array<float>& rows) { return floats_of(apply_map(map, view_of(rows))); }

Array<float> dense_matrix(const StreamMap& map, std::int64_t hidden) {
    if (!map.matrix.empty()) return map.matrix;
    StreamMap linear = map;
    linear.bias = {};
    Array<float> identity({hidden, hidden});
    for (std::int64_t i = 0; i < hidden; ++i) identity.at(i, i) = 1;
    return apply_to_rows(linear, identity);
}

}  // namespace suture
