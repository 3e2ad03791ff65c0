// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/selection_jobs.h"

namespace suture {
namespace {

/// The first windows of the calibration text, as many as the model is run on.
Windows search_windows(const JobInputs& inputs) {
    const Document& d = inputs.document;
    Windows windows = *inputs.windows->calibration(*inputs.study, d.calibration, d.settings);
    const auto wanted = std::size_t(d.selection.windows);
    if (wanted == 0 || wanted >= windows.ids.size()) return windows;
    windows.ids.resize(wanted);
    windows.counted.resize(wanted);
    windows.settings.windows = d.selection.windows;
    return windows;
}

std::shared_ptr<const Statistics> statistics_of(const JobInputs& inputs, bool needed, Progress& progress) {
    return inputs.statistics || !needed ? inputs.statistics : make_statistics(inputs, progress);
}

}  // namespace

SelectionInput selection_input(const Document& document, const Statistics* statistics) {
    return {.statistics = statistics,
            .compute = document.settings.compute,
            .repair_settings = document.settings.repair,
            .protection = document.selection.protection,
            .settings = document.selection.criteria};
}

std::shared_ptr<const SelectionMemory> estimate_selection(const JobInputs& inputs) {
    const Windows windows = search_windows(inputs);
    const Document& d = inputs.document;
    auto memory = std::make_shared<SelectionMemory>();
    for (const Criterion* criterion : every_criterion())
        if (criterion->memory) memory->criteria[criterion->name] = criterion->memory(**inputs.study, windows, d.settings.compute);
    memory->search = estimate_search(**inputs.study, windows, d.settings.compute, d.selection.search);
    return memory;
}

std::shared_ptr<const Ranking> make_ranking(const JobInputs& inputs, const std::string& name, Progress& progress) {
    const Document& d = inputs.document;
    const Needs& needs = criterion_named(name).needs;
    const auto statistics = statistics_of(inputs, needs.statistics || needs.repair || d.selection.protection.massive_activation, progress);
    const Windows windows = needs.windows() ? search_windows(inputs) : Windows();
    SelectionInput input = selection_input(d, statistics.get());
    input.model = inputs.study->model();
    if (needs.windows()) input.windows = &windows;
    input.repair = d.repair;
    input.progress = &progress;
    return std::make_shared<const Ranking>(inputs.study->rank(input, name, d.block_length));
}

double budget_amount(const Document& document) {
    return document.selection.amount > 0 ? document.selection.amount : double(document.block_length);
}

Budget budget_in(const Document& document, const Model& model, const std::string& unit, double amount) {
    return Budget::of(model, unit, amount, {document.selection.layers_ms});
}

std::shared_ptr<const SearchResult> make_search(const JobInputs& inputs, Feed<SearchResult>& feed, Progress& progress) {
    const Document& d = inputs.document;
    const bool repairs = d.selection.repair && repair_kind(d.repair).fitted;
    const auto statistics = statistics_of(inputs, repairs || d.selection.protection.massive_activation, progress);
    const Windows windows = search_windows(inputs);
    SelectionInput input = selection_input(d, statistics.get());
    input.model = inputs.study->model();
    input.windows = &windows;
    input.repair = repairs ? d.repair : "none";
    input.progress = &progress;
    const Budget budget = budget_in(d, *input.model, d.selection.unit, budget_amount(d));
    const auto publish = [&](const SearchResult& found) { feed.change([&](SearchResult& shown) { shown = found; }); };
    auto found = std::make_shared<const SearchResult>(inputs.study->search(input, budget, d.selection.search, publish));
    publish(*found);
    return found;
}

std::shared_ptr<const SetMeasures> measure_proposals(const JobInputs& given, const std::vector<Proposal>& proposals, SetMeasures known,
                                                     Feed<SetMeasures>& feed, Progress& progress) {
    JobInputs inputs = given;
    const Document& d = inputs.document;
    const bool held_out = !d.evaluation.empty();
    progress.begin("Reading the text", 0, "tokens");
    const auto windows = held_out ? inputs.windows->evaluation(*inputs.study, d.evaluation, d.settings)
                                  : inputs.windows->calibration(*inputs.study, d.calibration, d.settings);
    const bool repairs = repair_kind(d.repair).fitted;
    inputs.statistics = statistics_of(inputs, repairs, progress);
    inputs.repaired = nullptr;  // of other layers
    const auto score = [&](const Variant& variant) { return inputs.study->evaluate({&variant, 1}, *windows, d.settings, 0, progress)[0]; };
    const auto publish = [&] { feed.change([&](SetMeasures& shown) { shown = known; }); };
    publish();
    if (!known.dense) known.dense = score(Variant());
    for (const Proposal& proposal : proposals) {
        SetMeasure& measure = known.sets[proposal.name()];
        if (!measure.unpatched) measure.unpatched = score(proposal.merged ? *proposal.merged : Variant(proposal.removed));
        publish();
        if (measure.patched || proposal.merged || !repairs) continue;
        inputs.document.removed = proposal.removed;
        measure.patched = score(make_repaired(inputs, d.repair, progress)->variant);
        publish();
    }
    return std::make_shared<const SetMeasures>(std::move(known));
}

}  // namespace suture
