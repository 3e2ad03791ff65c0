// SPDX-License-Identifier: GPL-3.0-or-later
// Which repair is in force: fitted from calibration, imported, or trained on.
#include "core/figures/patch.h"
#include "core/figures/words.h"
#include "core/study/report_json.h"
#include "ui/session/recipe_jobs.h"

namespace suture {

void Results::want_repaired() {
    const Document& d = session_.document();
    if (!session_.study() || d.removed.empty()) {
        repaired.clear();
        return;
    }
    const Key key = repaired_key();
    repaired.expect(key);
    if (const auto made = finetuned() ? finetuned() : imported()) {
        repaired.offer(key, made);
        return;
    }
    if (!refusal().isEmpty()) return;
    if (repair_kind(d.repair).fitted && !statistics.fresh()) return;
    const Lane lane = repair_runs_model(d.repair, d.settings.repair, d.removed) ? Lane::Heavy : Lane::Light;
    repaired.want(key, tr("Fit %1").arg(QString::fromStdString(repair_kind(d.repair).label)), lane,
                  [inputs = inputs(), kind = d.repair](Progress& progress) { return make_repaired(inputs, kind, progress); });
}

std::shared_ptr<const Repaired> Results::imported() const {
    const Document& d = session_.document();
    if (const auto it = merges_.find(d.merge); it != merges_.end() && it->second->variant.removed() == d.removed) return it->second;
    const auto value = scales.value();
    const bool of_this = value && !d.scales.empty() && scales.value_key() == scales_key(d.scales);
    return of_this && value->variant.removed() == d.removed ? value : nullptr;
}

std::shared_ptr<const Repaired> Results::finetuned() const {
    const auto run = finetuning.live.fresh_value();
    if (!run || run->best == 0 || !session_.document().finetuned) return nullptr;  // nothing better than the start was found
    return {run, &run->repaired};
}

std::shared_ptr<const Repaired> Results::untrained() const {
    if (const auto made = imported()) return made;
    if (!finetuned()) return repaired.fresh_value();
    const JobInputs known = inputs();
    return session_.study() ? known.fitted->find(fitted_repair_key(known, session_.document().repair)) : nullptr;
}

std::string Results::repair_label() const {
    if (const auto made = finetuned() ? finetuned() : imported()) return repair_words(made->kind, made->settings);
    return row_label(session_.document().repair, session_.document().settings.repair);
}

std::string Results::repair_row() const {
    const auto other = imported();
    const std::string kind = other ? extra_kind(*other) : session_.document().repair;
    return finetuned() ? finetuned_name(kind) : kind;
}

QString Results::refusal() const {
    const Document& d = session_.document();
    if (!session_.study() || d.removed.empty() || imported()) return {};
    return QString::fromStdString(repair_refusal(d.repair, **session_.study(), d.removed));
}

QString Results::why_not_finetune() const {
    const Document& d = session_.document();
    if (!session_.study()) return tr("Open a model first.");
    if (d.removed.empty()) return tr("Choose the layers to remove first.");
    if (d.calibration.empty()) return tr("Choose a calibration text first (File menu).");
    if (!refusal().isEmpty()) return refusal();
    if (d.repair == "none" && !imported()) return tr("Choose a repair first: without one there is nothing to train.");
    return {};
}

void Results::finetune() {
    if (!why_not_finetune().isEmpty()) return;
    if (finetuning.live.fresh()) finetuning.clear();  // a person asks for it, even if it was done before
    finetuning.start(finetuning_key(), [inputs = inputs()](const auto& watch, Progress& progress) {
        const Document& d = inputs.document;
        const auto windows = inputs.windows->calibration(*inputs.study, d.calibration, d.settings);
        return std::make_shared<const Distilled>(inputs.imported
                                                     ? inputs.study->finetune(*inputs.imported, *windows, d.settings, progress, watch)
                                                     : inputs.study->finetune(d.removed, d.repair, *windows, d.settings, progress, watch));
    });
}

void Results::adopt_merge(const Variant& merged, const std::string& by) {
    Repaired made = no_repair(merged.removed());
    made.variant = merged;
    made.settings["merged"] = by;
    const std::string name = Key::of(merged.to_json()).hex();
    merges_[name] = std::make_shared<const Repaired>(std::move(made));
    Document after = session_.document();
    after.removed = merged.removed();
    after.merge = name;
    after.scales.clear();
    session_.change(std::move(after), tr("Merge away %1").arg(QString::fromStdString(layer_words(merged.removed()))));
}

void Results::import_scales(const std::filesystem::path& file) {
    if (!session_.study()) return;
    importing_ = file;
    scales.allow_again();
    scales.want(scales_key(file), tr("Import LinearPatch scales"), Lane::Light, [model = session_.study()->model(), file](Progress&) {
        return std::make_shared<const Repaired>(suture::import_scales(file, *model));
    });
    take_scales();  // when it was read before
}

void Results::take_scales() {
    if (!scales.running() && !importing_.empty()) {
        const auto file = std::exchange(importing_, {});
        if (const auto value = scales.fresh_value()) {
            Document after = session_.document();
            after.removed = value->variant.removed();
            after.scales = file;
            after.merge.clear();
            session_.change(std::move(after), tr("Import %1").arg(QString::fromStdString(file.filename().string())));
        }
    }
    want_repaired();
}

const Patch* Results::shown_patch() const {
    const auto value = repaired.fresh_value();
    const auto seam = session_.document().shown_seam();
    if (!value || !seam) return nullptr;
    for (const Patch& patch : value->patches)
        if (patch.seam == *seam) return &patch;
    return nullptr;
}

}  // namespace suture
