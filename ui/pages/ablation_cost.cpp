// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/ablation_cost.h"

#include <algorithm>

#include "core/figures/words.h"
#include "core/study/cost.h"

namespace suture {
namespace {

/// Sets as large as those that will be removed; where they lie is not known yet.
std::vector<LayerSet> likely_choices(const AblationSpec& spec, int layers) {
    std::vector<LayerSet> sets;
    for (const std::string& list : spec.layers) sets.push_back(LayerSet::parse(list, layers));
    for (const int n : spec.remove)
        for (std::size_t c = 0; c < spec.criteria.size(); ++c) sets.push_back(LayerSet::range((layers - n) / 2, n));
    return sets;
}

/// Floating-point operations of everything that one calibration serves.
double operations_behind(const AblationSpec& spec, const AblationPlan::OfModel& part, std::int64_t tokens) {
    const Model& model = *part.model;
    double sum = calibration_operations(model, tokens);
    for (const LayerSet& removed : likely_choices(spec, model.architecture().layers)) {
        sum += evaluation_operations(model, removed, spec.repairs.size(), part.evaluation);
        for (const std::string& repair : spec.repairs)
            if (repair_runs_model(kind_of_repair(repair), spec.settings.repair, removed))
                sum += evaluation_operations(model, {}, 0, tokens);
    }
    return sum;
}

QString counted(std::size_t count, const QString& one, const QString& many) {
    return count == 1 ? QObject::tr("1 %1").arg(one) : QObject::tr("%1 %2").arg(count).arg(many);
}

}  // namespace

double ablation_seconds(const AblationSpec& spec, const AblationPlan& plan, const Model& model, const Forecast* forecast) {
    if (!forecast || forecast->seconds <= 0) return -1;
    double operations = 0;
    for (const AblationPlan::OfModel& part : plan.models) {
        operations += evaluation_operations(*part.model, {}, 0, part.evaluation);
        for (const std::int64_t tokens : part.calibrations) operations += operations_behind(spec, part, tokens);
    }
    return operations * forecast->seconds / calibration_operations(model, forecast->tokens);
}

QString ablation_words(const AblationSpec& spec) {
    std::size_t calibrations = 0;
    for (const NamedText& text : spec.calibration) calibrations += spec.windows_of(text).size();
    const std::size_t choices = spec.layers.size() + spec.remove.size() * spec.criteria.size();
    QString words =
        QObject::tr("%1 rows on %2: %3 × (dense + %4 × %5 × %6).")
            .arg(QString::fromStdString(grouped(spec.rows())), counted(spec.evaluation.size(), QObject::tr("text"), QObject::tr("texts")),
                 counted(spec.models.size(), QObject::tr("model"), QObject::tr("models")),
                 counted(calibrations, QObject::tr("calibration"), QObject::tr("calibrations")),
                 counted(choices, QObject::tr("choice of layers"), QObject::tr("choices of layers")),
                 counted(spec.repairs.size(), QObject::tr("repair"), QObject::tr("repairs")));
    const auto trained =
        std::size_t(std::count_if(spec.repairs.begin(), spec.repairs.end(), fine_tunes)) * calibrations * choices * spec.models.size();
    const double minutes = spec.settings.distillation.minutes;
    if (trained > 0)
        words += minutes > 0 ? QObject::tr(" Fine-tuning takes up to %1 more.").arg(duration_words(double(trained) * minutes * 60))
                             : QObject::tr(" Fine-tuning has no limit of time.");
    const bool runs =
        std::any_of(spec.criteria.begin(), spec.criteria.end(), [](const auto& name) { return criterion_named(name).needs.model(); });
    if (runs && !spec.remove.empty()) words += QObject::tr(" Criteria that run the model take their time, too.");
    return words;
}

}  // namespace suture
