// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the Selection page knows: the criteria's answers, what a search found, and what each set costs.
#pragma once

#include <map>
#include <memory>

#include "core/figures/selection.h"
#include "ui/pages/watched.h"
#include "ui/session/selection_jobs.h"

namespace suture {

class SelectionBoard : public QObject {
    Q_OBJECT
public:
    SelectionBoard(Session& session, Results& results, QObject* parent);

    /// Tells all results what is wanted now, without starting anything but the memory estimates.
    void expect();

    /// Criteria that take a run, in the order in which they are offered.
    const std::vector<const Criterion*>& costly() const { return costly_; }
    LiveBase& ranking(const Criterion& criterion) const { return *rankings_.at(criterion.name); }
    /// Why it can't be run, as a sentence; empty: it can.
    QString obstacle(const Criterion& criterion) const;
    void rank(const Criterion& criterion);
    void rank_all();
    std::optional<MemoryEstimate> memory(const std::string& criterion) const;

    LiveBase& search_job() { return search_.live; }
    QString why_not_search() const;
    void start_search();
    /// What the last search found, or has found so far; null: nothing.
    std::shared_ptr<const SearchResult> found() const { return search_.shown(); }
    bool search_stale() const { return search_.outdated(); }
    bool search_stopped() const { return search_.partial() && !search_.live.running(); }
    std::optional<MemoryEstimate> search_memory() const;

    LiveBase& measure_job() { return measures_.live; }
    QString why_not_measure() const;
    void measure();

    std::vector<CriterionRow> rows() const;
    /// The choice of now, every criterion's, and the search's by size.
    std::vector<KnownSet> sets() const;
    CostConditions conditions() const;
    /// Makes the set the selection, with its merge where it is one; one undo step.
    void adopt(const KnownSet& set);
    /// It is the selection, merge or not.
    bool is_chosen(const KnownSet& set) const;
    /// The best set of n layers that is known; with `removed` empty: none.
    KnownSet best_known(int n) const;
    std::optional<MassiveActivation> massive() const;

Q_SIGNALS:
    /// Something new is known.
    void changed();

private:
    void forget();
    void watch(LiveBase& live);
    Key ranking_key(const Criterion& criterion) const;
    Key search_key() const;
    Key measures_key() const;
    void want_memory();
    std::shared_ptr<const Ranking> instant(const std::string& name, int n, std::string* problem) const;
    CriterionRow row_of(const Criterion& criterion) const;
    std::vector<Proposal> proposals() const;
    std::optional<Variant> merge_in_force() const;
    KnownSet set_of(const std::string& by, const LayerSet& removed, const std::optional<Variant>& merged = std::nullopt) const;
    KnownSet criterion_set(const Criterion& criterion, const CriterionRow& row) const;
    KnownSet found_set(const FoundSet& set) const;

    Session& session_;
    Results& results_;
    std::vector<const Criterion*> costly_;
    std::map<std::string, std::unique_ptr<Live<Ranking>>> rankings_;
    Live<SelectionMemory> memory_;
    Watched<SearchResult> search_;
    Watched<SetMeasures> measures_;
    mutable std::map<Key, std::shared_ptr<const Ranking>> instant_;  // the last few answers of instant criteria
};

}  // namespace suture
