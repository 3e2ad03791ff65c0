// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/selection_board.h"

#include "ui/pages/seam_source.h"

namespace suture {
SelectionBoard::SelectionBoard(Session& session, Results& results, QObject* parent)
    : QObject(parent),
      session_(session),
      results_(results),
      memory_(session.lanes()),
      search_(session.lanes(), [this] { Q_EMIT changed(); }),
      measures_(session.lanes(), [this] { Q_EMIT changed(); }) {
    for (const Criterion* criterion : every_criterion()) {
        if (criterion->needs.instant()) continue;
        costly_.push_back(criterion);
        rankings_[criterion->name] = std::make_unique<Live<Ranking>>(session.lanes());
        watch(*rankings_[criterion->name]);
    }
    for (LiveBase* live : std::initializer_list<LiveBase*>{&memory_, &search_.live, &measures_.live}) watch(*live);
    connect(&session, &Session::study_changed, this, &SelectionBoard::forget);
}

void SelectionBoard::watch(LiveBase& live) { connect(&live, &LiveBase::changed, this, &SelectionBoard::changed, Qt::QueuedConnection); }

void SelectionBoard::forget() {
    for (const auto& [name, live] : rankings_) live->clear();
    memory_.clear();
    search_.clear();
    measures_.clear();
    instant_.clear();
}

Key SelectionBoard::ranking_key(const Criterion& criterion) const {
    const Document& d = session_.document();
    nlohmann::json json{{"result", "ranking"},
                        {"criterion", criterion.name},
                        {"layers", d.block_length},
                        {"statistics", results_.inputs().statistics_key.hex()},
                        {"protection", d.selection.protection.to_json()},
                        {"settings", settings_to_json(d.selection.criteria)}};
    if (criterion.needs.windows()) json["windows"] = d.selection.windows;
    if (criterion.needs.repair) json.update({{"repair", d.repair}, {"repair_settings", settings_to_json(d.settings.repair)}});
    return Key::of(json);
}

Key SelectionBoard::search_key() const {
    const Document& d = session_.document();
    nlohmann::json json{{"result", "search"},
                        {"statistics", results_.inputs().statistics_key.hex()},
                        {"choice", d.selection.to_json()},
                        {"amount", budget_amount(d)}};
    if (d.selection.repair) json.update({{"repair", d.repair}, {"repair_settings", settings_to_json(d.settings.repair)}});
    return Key::of(json);
}

Key SelectionBoard::measures_key() const {
    const Document& d = session_.document();
    return Key::of({{"result", "set measures"},
                    {"statistics", results_.inputs().statistics_key.hex()},
                    {"text", text_stamp(d.evaluation)},
                    {"windows", d.settings.evaluation_windows},
                    {"repair", d.repair},
                    {"repair_settings", settings_to_json(d.settings.repair)}});
}

void SelectionBoard::expect() {
    if (!session_.study()) return;
    for (const Criterion* criterion : costly_) ranking(*criterion).expect(ranking_key(*criterion));
    search_.live.expect(search_key());
    measures_.live.expect(measures_key());
    want_memory();
}

void SelectionBoard::want_memory() {
    const Document& d = session_.document();
    if (d.calibration.empty() || !results_.forecast.fresh()) return;  // which has read the text and found it good
    const Key key = Key::of({{"result", "selection memory"},
                             {"statistics", results_.inputs().statistics_key.hex()},
                             {"windows", d.selection.windows},
                             {"compute", settings_to_json(d.settings.compute)},
                             {"search", settings_to_json(d.selection.search)}});
    memory_.want(key, tr("Estimate memory"), Lane::Light, [inputs = results_.inputs()](Progress&) { return estimate_selection(inputs); });
}

std::optional<MemoryEstimate> SelectionBoard::memory(const std::string& criterion) const {
    const auto known = memory_.fresh_value();
    if (!known || !known->criteria.contains(criterion)) return std::nullopt;
    return known->criteria.at(criterion);
}

std::optional<MemoryEstimate> SelectionBoard::search_memory() const {
    const auto known = memory_.fresh_value();
    return known ? std::optional(known->search) : std::nullopt;
}

namespace {

QString too_much(const std::optional<MemoryEstimate>& memory, double allowed) {
    if (!memory || double(memory->resident) <= allowed * 1e9) return {};
    return QObject::tr("It would take about %1 of memory, and the settings allow %2 GB; let it run on fewer windows.")
        .arg(QString::fromStdString(size_words(double(memory->resident))))
        .arg(allowed);
}

}  // namespace

QString SelectionBoard::obstacle(const Criterion& criterion) const {
    const Document& d = session_.document();
    if (!session_.study()) return tr("Open a model first.");
    const Needs& needs = criterion.needs;
    if ((needs.windows() || needs.statistics || needs.repair) && d.calibration.empty())
        return tr("Choose a calibration text first (File menu).");
    if (needs.repair && !repair_kind(d.repair).fitted) return tr("Choose a repair first (Patch page): it measures the repair's error.");
    if (session_.layers() < 3) return tr("The model has too few layers to choose from.");
    return too_much(memory(criterion.name), d.settings.compute.memory);
}

void SelectionBoard::rank(const Criterion& criterion) {
    if (!obstacle(criterion).isEmpty()) return;
    auto& live = *rankings_.at(criterion.name);
    live.allow_again();
    live.want(ranking_key(criterion), tr("Rank by %1").arg(QString::fromStdString(criterion.label)), Lane::Heavy,
              [inputs = results_.inputs(), name = criterion.name](Progress& progress) { return make_ranking(inputs, name, progress); });
}

void SelectionBoard::rank_all() {
    for (const Criterion* criterion : costly_)
        if (!ranking(*criterion).fresh() && !ranking(*criterion).running()) rank(*criterion);
}

QString SelectionBoard::why_not_search() const {
    const Document& d = session_.document();
    if (!session_.study()) return tr("Open a model first.");
    if (d.calibration.empty()) return tr("Choose a calibration text first (File menu).");
    const bool repairs = d.selection.repair && repair_kind(d.repair).fitted;
    if (d.selection.unit == "milliseconds" && !(d.selection.layers_ms > 0))
        return tr("Say first how many milliseconds all layers take together.");
    if (repairs && !results_.statistics.fresh()) return tr("Calibrate first, or search without the repair: it is fitted for every set.");
    return too_much(search_memory(), d.settings.compute.memory);
}

void SelectionBoard::start_search() {
    if (!why_not_search().isEmpty()) return;
    search_.start(search_key(), tr("Search for layers"), [inputs = results_.inputs()](Feed<SearchResult>& feed, Progress& progress) {
        return make_search(inputs, feed, progress);
    });
}

QString SelectionBoard::why_not_measure() const {
    const Document& d = session_.document();
    if (!session_.study()) return tr("Open a model first.");
    if (d.evaluation.empty() && d.calibration.empty()) return tr("Choose an evaluation text first (File menu).");
    if (repair_kind(d.repair).fitted && !results_.statistics.fresh()) return tr("Calibrate first: the repair is fitted for every set.");
    return {};
}

std::vector<Proposal> SelectionBoard::proposals() const {
    std::vector<Proposal> list;
    const auto add = [&](const LayerSet& removed, const std::optional<Variant>& merged = std::nullopt) {
        if (!removed.empty()) list.push_back({removed, merged});
    };
    add(session_.document().removed, merge_in_force());
    for (const CriterionRow& row : rows())
        if (row.ranking && !row.stale) add(row.ranking->removed, row.ranking->merged);
    if (const auto result = found(); result && !search_stale())
        for (const auto& [size, set] : result->best) add(set.removed);
    return list;
}

void SelectionBoard::measure() {
    if (!why_not_measure().isEmpty()) return;
    const auto known = measures_.outdated() ? nullptr : measures_.shown();
    measures_.start(
        measures_key(), tr("Measure sets of layers"),
        [inputs = results_.inputs(), proposals = proposals(), known = known ? *known : SetMeasures()](
            Feed<SetMeasures>& feed, Progress& progress) { return measure_proposals(inputs, proposals, known, feed, progress); });
}

}  // namespace suture
