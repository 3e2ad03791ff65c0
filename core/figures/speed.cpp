// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/speed.h"

#include "core/figures/internal/parts.h"

namespace suture {
namespace {

constexpr double milliseconds = 1e3, megabyte = 1e6;

std::string conditions_of(const SpeedComparison& found) {
    const auto whole = [&](const char* name) { return found.conditions.value(name, std::int64_t(0)); };
    return joined({"median and quartiles of " + grouped(whole("repeats")) + " rounds in which the variants take turns",
                   "prompt of " + grouped(whole("prompt_tokens")) + " tokens", grouped(whole("decode_tokens")) + " tokens behind it",
                   found.conditions.value("dtype", std::string()), grouped(whole("threads")) + " threads",
                   found.conditions.value("weights_in_memory", true)
                       ? ""
                       : "the layers do not fit the memory limit, so reading them is measured too"});
}

Figure latency_bars(const std::string& id, const std::string& title, const std::string& unit, Timing VariantSpeed::*timing,
                    const std::vector<VariantLabel>& variants, const SpeedComparison* found) {
    Figure result = figure(id, title, {.title = "variant"}, {.title = unit},
                           found ? "" : "Measure to see how much faster the pruned model is on this machine.");
    if (!found) return result;
    for (std::size_t v = 0; v < found->variants.size(); ++v) {
        const Timing& taken = found->variants[v].*timing;
        result.series.push_back({.name = variants[v].shown(),
                                 .role = variants[v].shown_role(),
                                 .style = Series::Style::Bars,
                                 .x = {double(v)},
                                 .y = {milliseconds * taken.median()},
                                 .low = {milliseconds * taken.quantile(0.25)},
                                 .high = {milliseconds * taken.quantile(0.75)}});
        result.x.labels.push_back(variants[v].shown());
    }
    result.caption = conditions_of(*found);
    return result;
}

}  // namespace

Figure prefill_bars(const std::vector<VariantLabel>& variants, const SpeedComparison* found) {
    return latency_bars("prefill", "Reading the prompt", "time for the whole prompt (ms)", &VariantSpeed::prefill, variants, found);
}

Figure decode_bars(const std::vector<VariantLabel>& variants, const SpeedComparison* found) {
    return latency_bars("decode", "Writing token by token", "time per token (ms)", &VariantSpeed::decode, variants, found);
}

Table speed_table(const std::vector<VariantLabel>& variants, const SpeedComparison& found) {
    Table table{.title = "Speed and size",
                .columns = {{"variant"},
                            {"prefill (ms)", 2},
                            {"quartiles"},
                            {"speed-up", 3},
                            {"decode (ms)", 3},
                            {"quartiles"},
                            {"speed-up", 3},
                            {"parameters"},
                            {"size (MB)", 2},
                            {"KV bytes per token"},
                            {"state"}},
                .rows = {}};
    const auto quartiles = [](const Timing& t) {
        return significant(milliseconds * t.quantile(0.25), 4) + " – " + significant(milliseconds * t.quantile(0.75), 4);
    };
    for (std::size_t v = 0; v < found.variants.size(); ++v) {
        const VariantSpeed& s = found.variants[v];
        table.rows.push_back({variants[v].label, milliseconds * s.prefill.median(), quartiles(s.prefill), found.prefill_speedup(v),
                              milliseconds * s.decode.median(), quartiles(s.decode), found.decode_speedup(v), s.size.parameters,
                              double(s.size.bytes) / megabyte, s.size.kv_bytes_per_token, variants[v].state()});
        table.notes.emplace_back(table.columns.size(), conditions_of(found));
    }
    return table;
}

}  // namespace suture
