// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/finetune.h"

#include <cmath>

#include "core/figures/internal/parts.h"

namespace suture {
namespace {

double place_of(const DistilPoint& point, bool seconds) { return seconds ? point.seconds : double(point.step); }

std::string nats(double value) { return significant(value, 4) + " nats"; }

}  // namespace

Figure finetuning_curves(const Distilled* run, bool seconds, bool log_x) {
    Figure result = figure("finetuning", "How far the repaired model is from the dense one",
                           {.title = seconds ? "training time (s)" : "step", .log = log_x, .integers = !seconds && !log_x},
                           {.title = "KL divergence (nats per token)"},
                           run ? "" : "Fine-tune the repair to see its distance from the dense model fall.");
    if (!run) return result;
    Series training{.name = "training", .role = Role::Neutral, .style = Series::Style::LineAndPoints};
    Series validation{.name = "validation", .role = Role::Patched, .style = Series::Style::LineAndPoints};
    for (const DistilPoint& point : run->curve) {
        const double x = place_of(point, seconds);
        if (log_x && (point.step == 0 || x <= 0)) continue;
        if (std::isfinite(point.training)) {
            training.x.push_back(x);
            training.y.push_back(point.training);
        }
        if (!std::isfinite(point.validation)) continue;
        validation.x.push_back(x);
        validation.y.push_back(point.validation);
    }
    if (validation.x.empty()) {
        result.empty = run->curve.empty() ? "The first validation is under way." : "The first steps are under way.";
        return result;
    }
    result.series = {std::move(training), std::move(validation)};
    const DistilPoint& best = run->curve[run->best];
    if (!log_x || best.step > 0)
        result.series.push_back({.name = "best",
                                 .role = Role::Accent,
                                 .style = Series::Style::Points,
                                 .x = {place_of(best, seconds)},
                                 .y = {best.validation},
                                 .point_labels = {"best: step " + std::to_string(best.step)}});
    result.guides.push_back({run->curve[0].validation, "validation at the start"});
    result.caption = joined({"best " + nats(best.validation) + " at step " + grouped(best.step), run->ended});
    return result;
}

Table finetuning_facts(const Distilled* run) {
    Table table{.title = "The run", .columns = {{"fact"}, {"value", 4}}, .rows = {}};
    if (!run || run->curve.empty()) return table;
    const auto add = [&](const std::string& fact, Cell value) { table.rows.push_back({fact, std::move(value)}); };
    const DistilPoint &first = run->curve.front(), &last = run->curve.back(), &best = run->curve[run->best];
    if (run->parameters > 0) add("trained parameters", short_count(double(run->parameters)));
    add("steps", grouped(last.step));
    add("tokens trained on", grouped(last.tokens));
    add("training time (s)", significant(last.seconds, 3));
    add("validation KL at the start (nats)", measured(first.validation));
    add("validation KL at its best (nats)", measured(best.validation));
    add("change", significant(100 * (best.validation / first.validation - 1), 3) + " %");
    add("best step", grouped(best.step));
    add("learning rate there", significant(best.learning_rate, 2));
    if (!run->ended.empty()) add("ended", run->ended);
    return table;
}

std::string cost_words(const DistilCost& cost) {
    return short_count(double(cost.parameters)) + " parameters are trained; " + size_words(double(cost.teacher)) +
           " of the dense model's answers on disk, " + "about " + size_words(double(cost.memory())) + " in memory";
}

}  // namespace suture
