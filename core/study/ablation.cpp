// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/ablation.h"

#include <algorithm>

#include "core/base/error.h"

namespace suture {
namespace {

/// What is removed, and who chose it.
struct Choice {
    std::string criterion;
    LayerSet removed;
    std::optional<Variant> merged = std::nullopt;  ///< the kept layers took up the removed ones
};

/// The first `count` windows of a text. A file of ids gives all it has, whatever the settings say; a number that is `asked_for` in the
/// specification holds for it as well.
Windows first_windows(const Study& study, const AblationSpec& spec, const NamedText& text, std::int64_t count, bool asked_for) {
    JobSettings settings = spec.settings;
    settings.windows.windows = count;
    Windows windows = study.calibration_windows(text.source, settings);
    if (asked_for && count > 0 && std::size_t(count) < windows.ids.size()) {
        windows.ids.resize(std::size_t(count));
        windows.counted.resize(std::size_t(count));
        windows.settings.windows = count;
    }
    return windows;
}

Windows fitted_windows(const Study& study, const AblationSpec& spec, const NamedText& text, std::int64_t count) {
    return first_windows(study, spec, text, count, !spec.calibration_windows.empty() || text.windows > 0);
}

Windows measured_windows(const Study& study, const AblationSpec& spec, const NamedText& text) {
    return first_windows(study, spec, text, text.windows > 0 ? text.windows : spec.settings.evaluation_windows, text.windows > 0);
}

class Runner {
public:
    Runner(const AblationSpec& spec, std::shared_ptr<Store> store, Progress& progress, const std::function<void(const AblationRow&)>& watch)
        : spec_(spec), store_(std::move(store)), progress_(progress), watch_(watch) {
        for (const NamedText& text : spec.evaluation) result_.evaluation.push_back(text.name);
        result_.settings = spec.settings.to_json();
    }

    Ablation run() {
        for (const auto& folder : spec_.models) {
            const Study study(folder, store_);
            measure(study, {AblationRow{.model = study.model()->name(), .repair = "dense"}}, {Variant()});
            for (const NamedText& text : spec_.calibration)
                for (const std::int64_t windows : spec_.windows_of(text)) calibrated(study, text, windows);
        }
        return std::move(result_);
    }

private:
    /// Everything that one calibration serves.
    void calibrated(const Study& study, const NamedText& text, std::int64_t count) {
        JobSettings settings = spec_.settings;
        settings.windows.windows = count;
        const Windows windows = fitted_windows(study, spec_, text, count);
        const auto statistics = study.calibrate(windows, settings, progress_);
        for (const Choice& choice : choices(study, *statistics, windows, settings)) {
            std::vector<AblationRow> rows;
            std::vector<Variant> variants;
            for (const std::string& repair : spec_.repairs) {
                rows.push_back({.model = study.model()->name(),
                                .calibration = text.name,
                                .criterion = choice.criterion,
                                .repair = repair,
                                .windows = std::int64_t(windows.ids.size()),
                                .removed = choice.removed});
                variants.push_back(choice.merged ? taken_up(*choice.merged, rows.back())
                                                 : fitted(study, *statistics, windows, rows.back(), settings));
            }
            measure(study, std::move(rows), variants);
        }
    }

    std::vector<Choice> choices(const Study& study, const Statistics& statistics, const Windows& windows, const JobSettings& settings) {
        std::vector<Choice> result;
        const int layers = study.model()->architecture().layers;
        for (const std::string& list : spec_.layers) result.push_back({"by hand", LayerSet::parse(list, layers)});
        const SelectionInput input{.statistics = &statistics,
                                   .model = study.model(),
                                   .windows = &windows,
                                   .compute = settings.compute,
                                   .repair = spec_.ranked_by(),
                                   .repair_settings = settings.repair,
                                   .progress = &progress_};
        for (const int n : spec_.remove)
            for (const std::string& criterion : spec_.criteria) {
                Ranking ranking = study.rank(input, criterion, n);
                result.push_back({criterion, std::move(ranking.removed), std::move(ranking.merged)});
            }
        return result;
    }

    /// A merge is its own repair.
    static Variant taken_up(const Variant& merged, AblationRow& row) {
        if (!repair_kind(kind_of_repair(row.repair)).fitted) row.repair = "merged";
        else row.refusal = row.criterion + " merges the removed layers into kept ones, which is its own repair";
        return merged;
    }

    Variant fitted(const Study& study, const Statistics& statistics, const Windows& windows, AblationRow& row,
                   const JobSettings& settings) {
        const std::string kind = kind_of_repair(row.repair);
        row.refusal = repair_refusal(kind, *study, row.removed);
        if (!row.refusal.empty() || !repair_kind(kind).fitted) return Variant(row.removed);
        try {
            if (fine_tunes(row.repair)) {
                const Distilled tuned = study.finetune(row.removed, kind, windows, settings, progress_);
                if (tuned.best > 0) return tuned.repaired.variant;  // else the fit on all windows
            }
            return study.repair(statistics, windows, row.removed, kind, settings, progress_).variant;
        } catch (const Error& error) {  // too few windows, too little memory: the others of this run still count
            row.refusal = error.what();
            return Variant(row.removed);
        }
    }

    void measure(const Study& study, std::vector<AblationRow> rows, const std::vector<Variant>& variants) {
        for (const NamedText& text : spec_.evaluation) {
            const auto found = study.evaluate(variants, measured_windows(study, spec_, text), spec_.settings, 0, progress_);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (!rows[i].refusal.empty()) continue;
                rows[i].perplexity[text.name] = found[i]->perplexity();
                if (const auto interval = found[i]->interval()) rows[i].interval[text.name] = *interval;
            }
        }
        for (AblationRow& row : rows) {
            if (watch_) watch_(row);
            result_.rows.push_back(std::move(row));
        }
    }

    const AblationSpec& spec_;
    std::shared_ptr<Store> store_;
    Progress& progress_;
    const std::function<void(const AblationRow&)>& watch_;
    Ablation result_;
};

}  // namespace

Ablation run_ablation(const AblationSpec& spec, std::shared_ptr<Store> store, Progress& progress,
                      const std::function<void(const AblationRow&)>& watch) {
    return Runner(spec, std::move(store), progress, watch).run();
}

AblationPlan plan_ablation(const AblationSpec& spec, std::shared_ptr<Store> store) {
    AblationPlan plan;
    for (const auto& folder : spec.models) {
        const Study study(folder, store);
        const int layers = study.model()->architecture().layers;
        for (const int n : spec.remove) check_removal_count(layers, n);
        for (const std::string& list : spec.layers) LayerSet::parse(list, layers);
        AblationPlan::OfModel& part = plan.models.emplace_back();
        part.model = study.model();
        for (const NamedText& text : spec.calibration)
            for (const std::int64_t count : spec.windows_of(text))
                part.calibrations.push_back(fitted_windows(study, spec, text, count).tokens());
        for (const NamedText& text : spec.evaluation) part.evaluation += measured_windows(study, spec, text).tokens();
    }
    return plan;
}

}  // namespace suture
