// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/ablation.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"

namespace suture {
namespace {

/// What is removed, and who chose it.
struct Choice {
    std::string criterion;
    LayerSet removed;
};

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
                for (const std::int64_t windows : counts(text)) calibrated(study, text, windows);
        }
        return std::move(result_);
    }

private:
    std::vector<std::int64_t> counts(const NamedText& text) const {
        if (!spec_.calibration_windows.empty()) return spec_.calibration_windows;
        return {text.windows > 0 ? text.windows : spec_.settings.windows.windows};
    }

    /// Everything that one calibration serves.
    void calibrated(const Study& study, const NamedText& text, std::int64_t count) {
        JobSettings settings = spec_.settings;
        settings.windows.windows = count;
        const Windows windows = study.calibration_windows(text.source, settings);
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
                variants.push_back(fitted(study, *statistics, windows, rows.back(), settings));
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
                                   .repair_settings = settings.repair,
                                   .progress = &progress_};
        for (const int n : spec_.remove)
            for (const std::string& criterion : spec_.criteria) result.push_back({criterion, rank_layers(input, criterion, n).removed});
        return result;
    }

    Variant fitted(const Study& study, const Statistics& statistics, const Windows& windows, AblationRow& row,
                   const JobSettings& settings) {
        const bool finetune = row.repair.ends_with("+ft");
        const std::string kind = finetune ? row.repair.substr(0, row.repair.size() - 3) : row.repair;
        row.refusal = repair_refusal(kind, *study, row.removed);
        if (!row.refusal.empty() || !repair_kind(kind).fitted) return Variant(row.removed);
        const Repaired repaired = study.repair(statistics, windows, row.removed, kind, settings, progress_);
        if (!finetune) return repaired.variant;
        try {
            return study.finetune(repaired, windows, settings, progress_).repaired.variant;
        } catch (const Error& error) {  // too few windows, say: the others of this run still count
            row.refusal = error.what();
            return Variant(row.removed);
        }
    }

    void measure(const Study& study, std::vector<AblationRow> rows, const std::vector<Variant>& variants) {
        for (const NamedText& text : spec_.evaluation) {
            JobSettings settings = spec_.settings;
            if (text.windows > 0) settings.evaluation_windows = text.windows;
            const auto found = study.evaluate(variants, study.evaluation_windows(text.source, settings), settings, 0, progress_);
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

/// Rows that differ in the repair only.
std::string group_of(const AblationRow& row) {
    return row.model + "\n" + row.calibration + "\n" + std::to_string(row.windows) + "\n" + row.criterion + "\n" + row.removed.text();
}

}  // namespace

Ablation run_ablation(const AblationSpec& spec, std::shared_ptr<Store> store, Progress& progress,
                      const std::function<void(const AblationRow&)>& watch) {
    return Runner(spec, std::move(store), progress, watch).run();
}

Table Ablation::table() const {
    Table table{.title = "Ablation",
                .columns = {{"model"}, {"calibration"}, {"windows"}, {"chosen by"}, {"removed"}, {"layers"}, {"repair"}}};
    for (const std::string& name : evaluation) table.columns.push_back({"perplexity " + name, 3});
    table.columns.push_back({"remark"});
    for (const AblationRow& row : rows) {
        const bool dense = row.removed.empty();
        std::vector<Cell> cells{row.model};
        if (dense) cells.insert(cells.end(), {Cell(), Cell(), Cell(), std::int64_t{0}, Cell()});
        else
            cells.insert(cells.end(), {row.calibration, row.windows, row.criterion, std::int64_t(row.removed.size()), row.removed.words()});
        cells.push_back(row.repair);
        for (const std::string& name : evaluation) {
            const auto it = row.perplexity.find(name);
            cells.push_back(it == row.perplexity.end() ? Cell() : Cell(it->second));
        }
        cells.push_back(row.refusal.empty() ? Cell() : Cell(row.refusal));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table Ablation::wins() const {
    std::map<std::string, std::vector<const AblationRow*>> groups;
    std::vector<std::string> repairs;
    for (const AblationRow& row : rows) {
        if (row.removed.empty()) continue;
        groups[group_of(row)].push_back(&row);
        if (std::find(repairs.begin(), repairs.end(), row.repair) == repairs.end()) repairs.push_back(row.repair);
    }
    std::map<std::string, std::map<std::string, std::int64_t>> won;  // [repair][evaluation]
    for (const auto& [name, members] : groups)
        for (const std::string& text : evaluation) {
            const AblationRow* best = nullptr;
            for (const AblationRow* row : members)
                if (row->perplexity.contains(text) && (!best || row->perplexity.at(text) < best->perplexity.at(text))) best = row;
            if (best) ++won[best->repair][text];
        }
    Table table{.title = "How often each repair was best", .columns = {{"repair"}}};
    for (const std::string& text : evaluation) table.columns.push_back({text});
    table.columns.push_back({"of"});
    for (const std::string& repair : repairs) {
        std::vector<Cell> cells{repair};
        for (const std::string& text : evaluation) cells.push_back(won[repair][text]);
        cells.push_back(std::int64_t(groups.size()));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

nlohmann::json AblationRow::to_json() const {
    nlohmann::json json{{"model", model},         {"calibration", calibration},  {"windows", windows},
                        {"criterion", criterion}, {"removed", removed.layers()}, {"repair", repair}};
    if (!refusal.empty()) json["refusal"] = refusal;
    for (const auto& [text, value] : perplexity) {
        json["perplexity"][text] = value;
        if (const auto it = interval.find(text); it != interval.end()) json["interval"][text] = {it->second.low, it->second.high};
        json["in_domain"][text] = in_domain(text);
    }
    return json;
}

nlohmann::json Ablation::to_json() const {
    auto list = nlohmann::json::array();
    for (const AblationRow& row : rows) list.push_back(row.to_json());
    return {{"evaluation", evaluation}, {"rows", list}, {"settings", settings}};
}

}  // namespace suture
