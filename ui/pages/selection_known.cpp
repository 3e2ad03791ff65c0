// SPDX-License-Identifier: GPL-3.0-or-later
// What the board knows of every set of layers: who proposes it, what it costs, and how it becomes the selection.
#include <cmath>

#include "core/base/error.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/selection_board.h"

namespace suture {
namespace {

constexpr std::size_t remembered_answers = 200;

std::string kind_of_score(const Ranking& ranking, const std::string& label) {
    const std::string of = ranking.blocks          ? " of the block"
                           : ranking.order.empty() ? ", mean over the layers"
                                                   : " when the last layer went";
    return label + of +
           (ranking.higher_is_better ? "; the higher, the less a removal should cost" : "; the lower, the less it should cost");
}

}  // namespace

std::shared_ptr<const Ranking> SelectionBoard::instant(const std::string& name, int n, std::string* problem) const {
    const auto statistics = drawable_statistics(session_, results_);
    if (!statistics) return nullptr;
    const Document& d = session_.document();
    const Key key = Key::of({{"statistics", results_.statistics.value_key().hex()},
                             {"criterion", name},
                             {"layers", n},
                             {"protection", d.selection.protection.to_json()},
                             {"settings", settings_to_json(d.selection.criteria)}});
    if (const auto it = instant_.find(key); it != instant_.end()) return it->second;
    try {
        if (instant_.size() > remembered_answers) instant_.clear();
        return instant_[key] = std::make_shared<const Ranking>(rank_layers(selection_input(d, statistics.get()), name, n));
    } catch (const Error& error) {  // too many layers, or no block that may go
        instant_.erase(key);
        if (problem) *problem = error.what();
        return nullptr;
    }
}

CriterionRow SelectionBoard::row_of(const Criterion& criterion) const {
    CriterionRow row{.label = criterion.label};
    if (criterion.needs.instant()) {
        row.ranking = instant(criterion.name, session_.document().block_length, &row.state);
        row.stale = row.ranking && !results_.statistics.fresh();
        if (!row.ranking && row.state.empty()) row.state = "needs a calibration";
        return row;
    }
    const auto& live = *rankings_.at(criterion.name);
    row.ranking = live.value();
    row.stale = outdated(live);
    if (live.running()) row.state = live.job() && live.job()->state == JobInfo::State::Queued ? "waiting" : "running";
    else if (live.state() == LiveBase::State::Failed) row.state = live.message().toStdString();
    else if (!row.ranking) row.state = "not run";
    return row;
}

std::vector<CriterionRow> SelectionBoard::rows() const {
    std::vector<CriterionRow> list;
    if (!session_.study()) return list;
    for (const Criterion* criterion : every_criterion()) list.push_back(row_of(*criterion));
    return list;
}

KnownSet SelectionBoard::set_of(const std::string& by, const LayerSet& removed, const std::optional<Variant>& merged) const {
    KnownSet set{.by = by, .removed = removed, .merged = merged.has_value()};
    if (removed.empty()) return set;
    set.kept_parameters = double(summarise_size(**session_.study(), removed).kept_parameters);
    set.state = "not measured";
    const auto measures = measures_.shown();
    if (!measures) return set;
    const auto it = measures->sets.find(Proposal{removed, merged}.name());
    if (it == measures->sets.end()) return set;
    set.unpatched = it->second.unpatched;
    set.patched = it->second.patched;
    if (set.unpatched) set.state = "measured";
    return set;
}

KnownSet SelectionBoard::criterion_set(const Criterion& criterion, const CriterionRow& row) const {
    if (!row.ranking) {
        KnownSet set{.by = criterion.label};
        set.state = row.state;
        return set;
    }
    KnownSet set = set_of(criterion.label, row.ranking->removed, row.ranking->merged);
    if (const double score = score_of_choice(*row.ranking); !std::isnan(score)) {
        set.predicted = significant(score, 4);
        set.predicted_by = kind_of_score(*row.ranking, criterion.label);
    }
    if (row.ranking->merged) set.predicted_by = "The removed layers' weights are merged into kept ones, so there is nothing to repair";
    if (!row.state.empty()) set.state = row.state;
    else if (row.stale) set.state = "stale: other conditions";
    return set;
}

KnownSet SelectionBoard::found_set(const FoundSet& found) const {
    KnownSet set =
        set_of("search, " + std::to_string(found.removed.size()) + (found.removed.size() == 1 ? " layer" : " layers"), found.removed);
    set.search = found.perplexity();
    set.predicted = significant(found.perplexity(), 4);
    set.predicted_by = "perplexity on the search's own text";
    if (search_stale()) set.state = "stale: other conditions";
    return set;
}

std::optional<Variant> SelectionBoard::merge_in_force() const {
    const auto made = results_.imported();
    return made && made->settings.contains("merged") ? std::optional(made->variant) : std::nullopt;
}

bool SelectionBoard::is_chosen(const KnownSet& set) const {
    return set.removed == session_.document().removed && set.merged == merge_in_force().has_value();
}

void SelectionBoard::adopt(const KnownSet& set) {
    if (set.removed.empty() || set.removed.size() >= session_.layers() || is_chosen(set)) return;
    for (const Criterion* criterion : costly_) {
        const auto ranking = rankings_.at(criterion->name)->value();
        if (set.merged && set.by == criterion->label && ranking && ranking->merged)
            return results_.adopt_merge(*ranking->merged, criterion->label);
    }
    Document after = session_.document();
    after.removed = set.removed;
    after.merge.clear();
    session_.change(std::move(after), tr("Remove %1").arg(QString::fromStdString(layer_words(set.removed))));
}

std::vector<KnownSet> SelectionBoard::sets() const {
    std::vector<KnownSet> list;
    if (!session_.study()) return list;
    if (const LayerSet& removed = session_.document().removed; !removed.empty())
        list.push_back(set_of("chosen now", removed, merge_in_force()));
    for (const Criterion* criterion : every_criterion()) list.push_back(criterion_set(*criterion, row_of(*criterion)));
    if (const auto result = found())
        for (const auto& [size, set] : result->best)
            if (size > 0) list.push_back(found_set(set));
    return list;
}

CostConditions SelectionBoard::conditions() const {
    const Document& d = session_.document();
    const auto measures = measures_.shown();
    return {.layers = session_.layers(),
            .repair = repair_kind(d.repair).fitted ? row_label(d.repair, d.settings.repair) : std::string(),
            .dense = measures ? measures->dense : nullptr,
            .stale = measures && measures_.outdated()};
}

KnownSet SelectionBoard::best_known(int n) const {
    if (!session_.study() || n < 1) return {};
    std::optional<KnownSet> measured;
    const auto worth = [](const KnownSet& set) { return (set.patched ? set.patched : set.unpatched)->perplexity(); };
    for (const KnownSet& set : sets())
        if (set.removed.size() == n && !set.merged && (set.patched || set.unpatched) && (!measured || worth(set) < worth(*measured)))
            measured = set;
    if (const auto result = found(); result && result->best.contains(n)) {
        KnownSet searched = found_set(result->best.at(n));
        if (!measured || !(searched.patched || searched.unpatched)) return searched;  // nothing to compare it by
    }
    if (measured) return *measured;
    const Criterion& criterion = criterion_named(session_.document().criterion);
    CriterionRow row{.label = criterion.label};
    row.ranking = instant(criterion.name, n, nullptr);
    return criterion_set(criterion, row);
}

std::optional<MassiveActivation> SelectionBoard::massive() const {
    const auto statistics = drawable_statistics(session_, results_);
    return statistics ? massive_activation(*statistics) : std::nullopt;
}

}  // namespace suture
