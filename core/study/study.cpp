// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/selection/check.h"

namespace suture {

nlohmann::json JobSettings::to_json() const {
    return {{"windows", settings_to_json(windows)},
            {"evaluation_windows", evaluation_windows},
            {"calibration", settings_to_json(calibration)},
            {"repair", settings_to_json(repair)},
            {"distillation", settings_to_json(distillation)},
            {"compute", settings_to_json(compute)},
            {"export", settings_to_json(export_)}};
}

JobSettings JobSettings::from_json(const nlohmann::json& json) {
    const auto part = [&](const char* name) { return json.value(name, nlohmann::json::object()); };
    return {.windows = settings_from_json<WindowSettings>(part("windows")),
            .evaluation_windows = json.value("evaluation_windows", std::int64_t{0}),
            .calibration = settings_from_json<CalibrationSettings>(part("calibration")),
            .repair = settings_from_json<RepairSettings>(part("repair")),
            .distillation = settings_from_json<DistilSettings>(part("distillation")),
            .compute = settings_from_json<ComputeSettings>(part("compute")),
            .export_ = settings_from_json<ExportSettings>(part("export"))};
}

namespace {

/// For fits that get no statistics.
RepairSettings repair_settings(const JobSettings& settings) {
    RepairSettings repair = settings.repair;
    repair.extreme_token = settings.calibration.extreme_token;
    return repair;
}

}  // namespace

Study::Study(const std::filesystem::path& folder, std::shared_ptr<Store> store) : model_(Model::open(folder)), store_(std::move(store)) {
    if (!Tokenizer::present(folder)) {
        tokenizer_problem_ =
            folder.string() + ": there is no tokenizer.json, tokenizer.model or vocab.json; give token ids instead of a text";
        return;
    }
    try {
        tokenizer_ = Tokenizer::open(folder);
    } catch (const Error& error) {  // the model itself is still of use, with token ids
        tokenizer_problem_ = error.what();
    }
}

Windows Study::calibration_windows(const TextSource& source, const JobSettings& settings) const {
    if (!source.ids.empty()) return windows_of_ids(source.ids, model_->architecture().vocabulary, settings.windows);
    if (source.text.empty()) throw usage_error("no text was given; a text file is needed to calibrate or to evaluate on");
    if (!tokenizer_) throw Error(tokenizer_problem_);
    if (tokenizer_->vocabulary_size() > model_->architecture().vocabulary) {
        // Some tokenizers hold added tokens beyond the embedding table; only their use is an error.
        auto windows = windows_of_text(*tokenizer_, source.text, settings.windows, model_->architecture().model_type);
        for (const auto& window : windows.ids)
            for (const auto id : window)
                if (id >= model_->architecture().vocabulary)
                    throw Error(source.text.string() + ": the tokenizer gives id " + std::to_string(id) +
                                ", but the model's vocabulary has " + std::to_string(model_->architecture().vocabulary) +
                                " entries; tokenizer and model do not belong together");
        return windows;
    }
    return windows_of_text(*tokenizer_, source.text, settings.windows, model_->architecture().model_type);
}

Windows Study::evaluation_windows(const TextSource& source, const JobSettings& settings) const {
    JobSettings own = settings;
    own.windows.windows = settings.evaluation_windows;
    return calibration_windows(source, own);
}

std::shared_ptr<const Statistics> Study::stored_statistics(const Windows& windows, const JobSettings& settings) const {
    const auto artefact = store_->find(calibration_key(*model_, windows, settings.calibration, settings.compute));
    return artefact ? std::make_shared<const Statistics>(Statistics::from_artefact(*artefact)) : nullptr;
}

std::shared_ptr<const Statistics> Study::calibrate(const Windows& windows, const JobSettings& settings, Progress& progress) const {
    if (auto stored = stored_statistics(windows, settings)) return stored;
    auto statistics =
        std::make_shared<const Statistics>(suture::calibrate(model_, windows, settings.calibration, settings.compute, progress));
    store_->put(calibration_key(*model_, windows, settings.calibration, settings.compute), statistics->to_artefact());
    return statistics;
}

Ranking Study::rank(const SelectionInput& input, const std::string& criterion, int n) const {
    if (criterion_named(criterion).needs.instant()) return rank_layers(input, criterion, n);
    check_ranking(input, criterion, n);
    const Key key = ranking_key(input, criterion, n);
    if (const auto artefact = store_->find(key)) return Ranking::from_artefact(*artefact);
    Ranking ranking = rank_layers(input, criterion, n);
    store_->put(key, ranking.to_artefact());
    return ranking;
}

SearchResult Study::search(const SelectionInput& input, const Budget& budget, const SearchSettings& settings,
                           const FoundListener& found) const {
    const Key key = search_key(input, budget, settings);
    if (const auto artefact = store_->find(key)) {
        SearchResult stored = SearchResult::from_artefact(*artefact);
        if (found) found(stored);
        return stored;
    }
    SearchResult result = suture::search(input, budget, settings, found);
    if (result.complete) store_->put(key, result.to_artefact());
    return result;
}

Repaired Study::repair(const Statistics& statistics, const Windows& windows, const LayerSet& removed, const std::string& kind,
                       const JobSettings& settings, Progress& progress) const {
    return fit_repair(model_, statistics, windows, removed, kind, settings.repair, settings.compute, progress);
}

Recommendation Study::recommend(const Windows& windows, const LayerSet& removed, const TrialSettings& trials, const JobSettings& settings,
                                Progress& progress) const {
    return recommend_repair(model_, windows, removed, trials, repair_settings(settings), settings.compute, progress);
}

Distilled Study::finetune(const LayerSet& removed, const std::string& kind, const Windows& windows, const JobSettings& settings,
                          Progress& progress, const TrainingListener& watch) const {
    const Windows seen = training_windows(windows, settings.distillation);
    return finetune(fit_repair(model_, nullptr, seen, removed, kind, repair_settings(settings), settings.compute, progress), windows,
                    settings, progress, watch);
}

Distilled Study::finetune(const Repaired& start, const Windows& windows, const JobSettings& settings, Progress& progress,
                          const TrainingListener& watch) const {
    return distil(model_, start, windows, settings.distillation, settings.compute, *store_, progress, watch);
}

std::vector<std::shared_ptr<const Evaluation>> Study::evaluate(std::span<const Variant> variants, const Windows& windows,
                                                               const JobSettings& settings, std::int64_t logits, Progress& progress) const {
    std::vector<std::shared_ptr<const Evaluation>> results(variants.size());
    std::vector<Variant> missing;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        if (const auto artefact = store_->find(evaluation_key(*model_, variants[i], windows, settings.compute, logits))) {
            results[i] = std::make_shared<const Evaluation>(Evaluation::from_artefact(*artefact));
        } else {
            missing.push_back(variants[i]);
            places.push_back(i);
        }
    }
    if (missing.empty()) return results;
    auto fresh = suture::evaluate(model_, missing, windows, settings.compute, logits, progress);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        store_->put(evaluation_key(*model_, missing[i], windows, settings.compute, logits), fresh[i].to_artefact());
        results[places[i]] = std::make_shared<const Evaluation>(std::move(fresh[i]));
    }
    return results;
}

ExportResult Study::export_to(const std::filesystem::path& folder, const Repaired& repaired, const nlohmann::json& report,
                              const Windows* check, const JobSettings& settings, Progress& progress) const {
    std::vector<std::int64_t> ids;
    if (check && !check->ids.empty())
        ids.assign(check->ids[0].begin(), check->ids[0].begin() + std::ptrdiff_t(std::min<std::size_t>(check->ids[0].size(), 64)));
    else
        for (std::int64_t i = 0; i < std::min<std::int64_t>(32, model_->architecture().vocabulary); ++i) ids.push_back(i);
    return export_variant(model_, repaired, report, folder, settings.export_, settings.compute, ids, progress);
}

std::string words_of_choice(const LayerSet& removed, int layers, const std::string& criterion_label) {
    return (removed.size() == 1 ? "layer " : "layers ") + removed.words() + " (" + std::to_string(removed.size()) + " of " +
           std::to_string(layers) + ")" + (criterion_label.empty() ? ", chosen by hand" : ", best by " + criterion_label);
}

int proposed_count(int layers) { return std::clamp(int(std::lround(layers / 4.0)), 1, std::max(1, layers - 2)); }

SizeSummary summarise_size(const Model& model, const LayerSet& removed) {
    SizeSummary s;
    const Architecture& a = model.architecture();
    s.layers = a.layers;
    s.kept = a.layers - removed.size();
    s.parameters = s.kept_parameters = model.parameters();
    std::int64_t met = a.vocabulary * a.hidden, kept_met = met;  // the head; the embedding is a look-up
    for (int l = 0; l < a.layers; ++l) {
        const std::int64_t in_layer = model.layer_parameters(l);
        met += in_layer;
        if (removed.contains(l)) s.kept_parameters -= in_layer;
        else kept_met += in_layer;
    }
    s.estimated_speedup = double(met) / double(kept_met);
    s.kv_bytes_per_token = model.kv_cache_bytes_per_token(s.layers);
    s.kept_kv_bytes_per_token = model.kv_cache_bytes_per_token(s.kept);
    return s;
}

}  // namespace suture
