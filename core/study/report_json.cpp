// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/report_json.h"

#include <algorithm>
#include <cmath>

namespace suture {
namespace {

constexpr std::string_view trained = "_finetuned";

nlohmann::json matrix_to_json(const Matrix& matrix) {
    auto rows = nlohmann::json::array();
    for (std::int64_t r = 0; r < matrix.size(0); ++r) {
        auto row = nlohmann::json::array();
        for (const double value : matrix.row(r)) row.push_back(std::isnan(value) ? nlohmann::json() : nlohmann::json(value));
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Rows of [P, N] restricted to the first window.
nlohmann::json first_window(const Statistics& s, const auto& row_of) {
    auto rows = nlohmann::json::array();
    for (int p = 0; p < s.points(); ++p) rows.push_back(row_of(p).first(std::size_t(s.window_begin[1])));
    return rows;
}

nlohmann::json extremes_to_json(const Statistics& s) {
    auto tokens = nlohmann::json::array(), channels = nlohmann::json::array();
    for (const ExtremeToken& t : s.extreme_tokens)
        tokens.push_back({{"window", t.window},
                          {"position", t.position},
                          {"id", t.id},
                          {"point", t.point},
                          {"first_point", t.first_point},
                          {"last_point", t.last_point},
                          {"l2", t.norm},
                          {"median_l2", t.median}});
    for (const ExtremeChannel& c : s.extreme_channels)
        channels.push_back({{"point", c.point}, {"channel", c.channel}, {"mean_abs", c.mean_abs}, {"median_mean_abs", c.median}});
    return {{"extreme_tokens", tokens}, {"extreme_channels", channels}};
}

}  // namespace

std::string finetuned_name(const std::string& name) { return name + std::string(trained); }

std::string variant_json_key(const std::string& name, const RepairSettings& settings) {
    if (name.ends_with(trained)) return finetuned_name(variant_json_key(name.substr(0, name.size() - trained.size()), settings));
    const auto kinds = repair_kinds();
    const bool fitted = std::any_of(kinds.begin(), kinds.end(), [&](const RepairInfo& kind) { return kind.name == name; });
    return fitted ? repair_json_key(name, settings) : name;
}

nlohmann::json cut_to_json(const LayerSet& removed, int layers) {
    auto seams = nlohmann::json::array();
    for (const Seam& seam : seams_of(removed)) seams.push_back({{"start", seam.start}, {"end", seam.end}, {"removed", seam.removed()}});
    return {{"removed", removed.layers()}, {"kept", removed.complement(layers).layers()}, {"seams", seams}};
}

nlohmann::json selection_to_json(const Statistics& statistics, int n) {
    nlohmann::json json{{"n", n}};
    for (const Criterion* criterion : criteria()) {
        if (criterion->name == "update-norm" && statistics.sample.empty()) continue;  // it reads the sampled states
        const Ranking ranking = rank_layers(statistics, criterion->name, n);
        if (criterion->json_key.empty()) {
            std::string key = criterion->name;
            std::replace(key.begin(), key.end(), '-', '_');
            json["removed_" + key] = ranking.removed.layers();
            continue;
        }
        auto scores = nlohmann::json::object();
        for (const auto& [start, score] : ranking.scores) scores[std::to_string(start)] = score;
        json[criterion->json_key] = scores;
        std::string start = criterion->name == "cosine"    ? "start_cosine_token"
                            : criterion->name == "angular" ? "start_angular"
                                                           : "start_" + criterion->json_key;
        json[start] = ranking.removed.layers().front();
        if (criterion->name == "cosine") json["removed"] = ranking.removed.layers();
    }
    return json;
}

nlohmann::json analysis_to_json(const Model& model, const Statistics& s, const std::vector<int>& counts) {
    nlohmann::json json{{"model", model.name()},        {"layers", s.layers},
                        {"hidden_size", s.hidden},      {"hadamard", s.hadamard},
                        {"n_calibration", s.windows()}, {"seqlen", s.conditions.value("seqlen", std::int64_t{0})},
                        {"conditions", s.conditions}};
    json["calibration_ids_first_window"] = std::span(s.ids).first(std::size_t(s.window_begin[1]));
    auto channels = nlohmann::json::array();
    for (int p = 0; p < s.points(); ++p) channels.push_back(s.mean_abs(0, p));
    json["mean_abs_per_channel"] = channels;
    json["token_l2_first_window"] = first_window(s, [&](int p) { return s.token_l2.row(p); });
    json["token_mean_abs_first_window"] = first_window(s, [&](int p) { return s.token_abs.row(0, p); });
    json["cosine_token_matrix"] = matrix_to_json(s.cosine_token);
    json["block_influence"] = s.block_influence();
    json.update(extremes_to_json(s));
    json["prune"] = nlohmann::json::array();
    for (const int n : counts) json["prune"].push_back(selection_to_json(s, n));
    return json;
}

}  // namespace suture
