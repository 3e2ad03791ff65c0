// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/study/ablation.h"

namespace suture {
namespace {

/// Rows that differ in the repair only.
std::string group_of(const AblationRow& row) {
    return row.model + "\n" + row.calibration + "\n" + std::to_string(row.windows) + "\n" + row.criterion + "\n" + row.removed.text();
}

/// What a perplexity rests on, for a cell's note.
std::string note_of(const AblationRow& row, const std::string& text) {
    if (!row.perplexity.contains(text)) return {};
    char words[80] = "too few windows for an interval";
    if (const auto it = row.interval.find(text); it != row.interval.end())
        std::snprintf(words, sizeof words, "95 %% interval %.4g – %.4g", it->second.low, it->second.high);
    return row.removed.empty() ? words
                               : std::string(words) + (row.in_domain(text) ? " · calibrated on it" : " · calibrated on another text");
}

}  // namespace

Table Ablation::table() const {
    Table table{.title = "Ablation",
                .columns = {{"model"}, {"calibration"}, {"windows"}, {"chosen by"}, {"removed"}, {"layers"}, {"repair"}}};
    for (const std::string& name : evaluation) table.columns.push_back({"perplexity " + name, 3});
    const bool remarks = std::any_of(rows.begin(), rows.end(), [](const AblationRow& row) { return !row.refusal.empty(); });
    if (remarks) table.columns.push_back({"remark"});
    for (const AblationRow& row : rows) {
        const bool dense = row.removed.empty();
        std::vector<Cell> cells{row.model};
        if (dense) cells.insert(cells.end(), {Cell(), Cell(), Cell(), std::int64_t{0}, Cell()});
        else
            cells.insert(cells.end(), {row.calibration, row.windows, row.criterion, std::int64_t(row.removed.size()), row.removed.words()});
        cells.push_back(row.repair);
        std::vector<std::string> notes(cells.size());
        for (const std::string& name : evaluation) {
            const auto it = row.perplexity.find(name);
            cells.push_back(it == row.perplexity.end() ? Cell() : Cell(it->second));
            notes.push_back(note_of(row, name));
        }
        if (remarks) {
            cells.push_back(row.refusal.empty() ? Cell() : Cell(row.refusal));
            notes.push_back(row.refusal);
        }
        table.rows.push_back(std::move(cells));
        table.notes.push_back(std::move(notes));
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
    std::map<std::string, std::int64_t> entered;                     // [repair]: a refused row can't win
    for (const AblationRow& row : rows) entered[row.repair] += !row.removed.empty() && !row.perplexity.empty();
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
        for (const std::string& text : evaluation) cells.emplace_back(won[repair][text]);
        cells.emplace_back(entered[repair]);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table Ablation::domains() const {
    struct Mean {
        double sum = 0;
        std::int64_t count = 0;
        Cell cell() const { return count > 0 ? Cell(std::exp(sum / double(count))) : Cell(); }
    };
    std::map<std::string, std::map<std::string, double>> dense;  // [model][evaluation]
    std::map<std::string, std::pair<Mean, Mean>> means;          // [repair] in and out of domain, of log perplexity over dense
    std::vector<std::string> repairs;
    for (const AblationRow& row : rows) {
        if (row.removed.empty()) {
            dense[row.model] = row.perplexity;
            continue;
        }
        if (!means.contains(row.repair)) repairs.push_back(row.repair);
        auto& [in, out] = means[row.repair];
        for (const auto& [text, value] : row.perplexity) {
            Mean& mean = row.in_domain(text) ? in : out;
            mean.sum += std::log(value / dense[row.model].at(text));
            ++mean.count;
        }
    }
    Table table{.title = "Times dense, on own and other texts", .columns = {{"repair"}, {"own"}, {"others"}}};
    const auto has = [&](auto which) {
        return std::any_of(means.begin(), means.end(), [&](const auto& entry) { return (entry.second.*which).count > 0; });
    };
    if (!has(&std::pair<Mean, Mean>::first) || !has(&std::pair<Mean, Mean>::second)) return table;
    for (const std::string& repair : repairs) {
        const auto& [in, out] = means[repair];
        table.rows.push_back({repair, in.cell(), out.cell()});
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
