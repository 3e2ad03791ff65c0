// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/export_tables.h"

#include <algorithm>

#include "core/figures/words.h"

namespace suture {

Table export_files(const ExportPlan* plan) {
    Table table{.title = "Files", .columns = {{"file"}, {"size"}}};
    if (!plan) return table;
    const std::vector<std::string> with_results{"README.md",
                                                "suture.json"};  // hold results, so their size is known only when they are written
    table.title = std::to_string(plan->files.size() + with_results.size()) + " files, about " + size_words(double(plan->bytes));
    auto files = plan->files;
    std::stable_sort(files.begin(), files.end(), [](const WrittenFile& a, const WrittenFile& b) { return a.bytes > b.bytes; });
    for (const WrittenFile& file : files) table.rows.push_back({file.name, size_words(double(file.bytes))});
    for (const std::string& name : with_results) table.rows.push_back({name, "a few kB"});
    return table;
}

Table export_config_changes(const Model& model, const ExportPlan* plan) {
    Table table{.title = "Changes in config.json", .columns = {{"member"}, {"old"}, {"new"}}};
    if (!plan) return table;
    const nlohmann::ordered_json &before = model.config(), &after = plan->config.config;
    for (const auto& [key, value] : after.items()) {
        const auto old = before.find(key);
        if (old == before.end()) table.rows.push_back({key, {}, value.dump()});
        else if (*old != value) table.rows.push_back({key, old->dump(), value.dump()});
    }
    for (const auto& [key, value] : before.items())
        if (!after.contains(key)) table.rows.push_back({key, value.dump(), {}});
    return table;
}

}  // namespace suture
