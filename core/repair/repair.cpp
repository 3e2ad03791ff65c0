// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/repair.h"

#include <limits>

#include "core/base/error.h"
#include "core/repair/internal/kind.h"
#include "core/repair/internal/patch_error.h"
#include "core/tensor/internal/hadamard.h"

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

Patch described(Seam seam, const RepairKind& kind, StreamMap map, std::int64_t hidden) {
    Patch patch{.seam = seam, .kind = kind.info.name};
    if (map.hadamard) patch.hadamard = Hadamard::of_size(hidden).description();
    patch.map = std::make_shared<const StreamMap>(std::move(map));
    describe_matrix(patch, hidden);
    return patch;
}

}  // namespace

const std::vector<Setting<RepairSettings>>& RepairSettings::fields() {
    static const std::vector<Setting<RepairSettings>> list{
        {"definition",
         "Definition of d",
         "paper: ratio of sums over all tokens; script: mean of the windows' ratios",
         &RepairSettings::definition,
         {"paper", "script"}},
        {"ridge", "Ridge λ", "least squares: λ relative to the Gram matrix's mean diagonal", &RepairSettings::ridge},
        {"fit",
         "Several seams",
         "dense: both sides from the dense model; sequential: the stream as already patched; auto: what suits the kind",
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

bool repair_runs_model(const std::string& name, const RepairSettings& settings, const LayerSet& removed) {
    const RepairKind& kind = kind_named(name);
    return kind.fit && (kind.needs_gram || (sequential(kind, settings) && seams_of(removed).size() > 1));
}

std::string repair_json_key(const std::string& kind, const RepairSettings& settings) { return kind_named(kind).json_key(settings); }

Repaired no_repair(const LayerSet& removed) { return {"none", Variant(removed), {}}; }

Repaired fit_repair(std::shared_ptr<const Model> model, const Statistics& statistics, const Windows& windows, const LayerSet& removed,
                    const std::string& kind_name, const RepairSettings& settings, const ComputeSettings& compute, Progress& progress) {
    const c10::InferenceMode no_gradients;
    const RepairKind& kind = kind_named(kind_name);
    Repaired repaired = no_repair(removed);
    repaired.kind = kind_name;
    if (!kind.fit) return repaired;
    const auto seams = seams_of(removed);
    const bool follow = sequential(kind, settings);
    repaired.settings["fit"] = follow ? "sequential" : "dense";
    if (kind.info.definition) repaired.settings["definition"] = settings.definition;
    if (kind.needs_gram) repaired.settings["ridge"] = settings.ridge;
    for (std::size_t i = 0; i < seams.size(); ++i) {
        progress.check();
        const bool already_patched = follow && i > 0;  // in front of the first seam the stream is the dense one either way
        SeamStatistics seam;
        if (kind.needs_gram || already_patched) {
            const Decoder decoder(model, compute);
            const auto group =
                estimate_memory(*model, compute, statistics.tokens() / statistics.windows() + 1, statistics.windows(), 6).windows_per_group;
            seam =
                observe_seam(decoder, already_patched ? repaired.variant : Variant(), seams[i], windows, group, kind.needs_gram, progress);
        } else {
            seam = dense_seam(statistics, seams[i]);
        }
        Patch patch = described(seams[i], kind, kind.fit(seam, settings), statistics.hidden);
        patch.error_frobenius = frobenius_error(*patch.map, seam);
        // The sampled states are the dense model's: they say nothing of a stream that is already patched.
        patch.error_median = already_patched ? std::numeric_limits<double>::quiet_NaN() : median_error(*patch.map, statistics, seams[i]);
        repaired.variant = repaired.variant.with_map(seams[i].end, patch.map);
        repaired.patches.push_back(std::move(patch));
    }
    return repaired;
}

double Repaired::worst_error() const {
    double worst = std::numeric_limits<double>::quiet_NaN();
    for (const Patch& patch : patches)
        if (!(patch.error_median <= worst)) worst = std::isnan(patch.error_median) ? worst : patch.error_median;
    return worst;
}

nlohmann::json Patch::to_json() const {
    nlohmann::json json{{"seam", {{"start", seam.start}, {"end", seam.end}, {"before_layer", seam.end}}},
                        {"kind", kind},
                        {"relative_error", error_frobenius},
                        {"patch_trace", trace},
                        {"patch_frobenius", frobenius},
                        {"patch_row0_first8", row0}};
    json["relative_error_median"] = std::isnan(error_median) ? nlohmann::json() : nlohmann::json(error_median);
    if (!hadamard.empty()) json["hadamard"] = hadamard;
    if (map->scale.data.size() == 1) json["scale"] = map->scale.data[0];
    else if (!map->scale.empty()) json["d"] = map->scale.data;
    return json;
}

nlohmann::json Repaired::to_json() const {
    nlohmann::json json = nlohmann::json::object();
    auto list = nlohmann::json::array();
    for (const Patch& patch : patches) list.push_back(patch.to_json());
    if (list.size() == 1) json = list[0];
    json.erase("seam");
    json.update(settings);
    json["kind"] = kind;
    json["patches"] = std::move(list);
    return json;
}

Array<float> apply_to_rows(const StreamMap& map, const Array<float>& rows) {
    const auto x = at::from_blob(const_cast<float*>(rows.data.data()), {rows.size(0), rows.size(1)}, at::kFloat);
    const auto y = apply_map(map, x).contiguous();
    Array<float> result({rows.size(0), rows.size(1)});
    std::copy_n(y.const_data_ptr<float>(), y.numel(), result.data.begin());
    return result;
}

Array<float> dense_matrix(const StreamMap& map, std::int64_t hidden) {
    if (!map.matrix.empty()) return map.matrix;
    StreamMap linear = map;
    linear.bias = {};
    Array<float> identity({hidden, hidden});
    for (std::int64_t i = 0; i < hidden; ++i) identity.at(i, i) = 1;
    return apply_to_rows(linear, identity);
}

}  // namespace suture
