// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/repair_settings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include "core/figures/patch.h"
#include "ui/pages/control_panel.h"
#include "ui/pages/stale_note.h"

namespace suture {
namespace {

/// Maps fitted by least squares that may have an additive term.
bool may_have_bias(const std::string& kind) { return kind == "ridge" || kind == "ridge-normalised" || kind == "low-rank"; }

void show_chosen(QComboBox* combo, const std::string& value) {
    show_choice(combo, QString::fromStdString(value));
    combo->setToolTip(combo->currentData(Qt::ToolTipRole).toString());
}

std::string chosen(const QComboBox* combo) { return combo->currentData().toString().toStdString(); }

}  // namespace

RepairSettingsRows::RepairSettingsRows(ControlPanel& panel, Session& session, Results& results)
    : QObject(&panel), panel_(panel), session_(session), results_(results) {
    panel.add_heading(tr("Repair"));
    kind_ = panel.add_combo(QStringLiteral("kind"), tr("&Kind"), {});
    for (const RepairInfo& info : repair_kinds())
        add_choice(kind_, QString::fromStdString(info.label), QString::fromStdString(info.name), QString::fromStdString(info.help));
    note_ = panel.add_note(QStringLiteral("note"));
    make_map_settings();
    make_fit_settings();
    connect(kind_, &QComboBox::activated, this, [this] { change(tr("Repair: %1").arg(kind_->currentText())); });
    connect(definition_, &QComboBox::activated, this, [this] { change(tr("Definition of d: %1").arg(definition_->currentText())); });
    connect(ridge_, &QDoubleSpinBox::valueChanged, this, [this] { change(tr("Ridge λ %1").arg(ridge_->value())); });
    connect(search_, &QCheckBox::toggled, this, [this] { change(tr("Search λ")); });
    connect(bias_, &QCheckBox::toggled, this, [this] { change(tr("Additive term")); });
    connect(rank_, &QSpinBox::valueChanged, this, [this] { change(tr("Rank %1").arg(rank_->value())); });
    connect(cascade_, &QSpinBox::valueChanged, this, [this] { change(tr("Cascade of %1").arg(cascade_->value())); });
    connect(massive_, &QComboBox::activated, this, [this] { change(tr("Massive tokens: %1").arg(massive_->currentText())); });
    connect(fit_, &QComboBox::activated, this, [this] { change(tr("Several seams: %1").arg(fit_->currentText())); });
}

void RepairSettingsRows::make_map_settings() {
    definition_ = panel_.add_combo(QStringLiteral("definition"), tr("&Definition of d"), {});
    add_choice(definition_, tr("Paper"), QStringLiteral("paper"), tr("Ratio of the sums over all tokens"));
    add_choice(definition_, tr("Script"), QStringLiteral("script"), tr("Mean of the windows' ratios, as in the published script"));
    ridge_ = panel_.add_number(QStringLiteral("ridge"), tr("&Ridge λ"), tr("Least squares: relative to the Gram matrix's mean diagonal"));
    ridge_->setDecimals(5);
    ridge_->setRange(0, 1000);
    ridge_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    search_ = panel_.add_check(QStringLiteral("ridge_search"), tr("Search λ on held-&out windows"),
                               tr("Takes the λ with the lowest perplexity on calibration windows that the fit does not see"));
    rank_ = panel_.add_spin(QStringLiteral("rank"), tr("Ran&k"), tr("Rank of the two factors in P = I + L·R"));
    cascade_ =
        panel_.add_spin(QStringLiteral("cascade"), tr("Layers b&ehind"), tr("So many kept layers behind each seam are refitted too"));
    cascade_->setSpecialValueText(tr("all"));
    for (QSpinBox* spin : {rank_, cascade_}) spin->setKeyboardTracking(false);
    bias_ = panel_.add_check(QStringLiteral("bias"), tr("A&dditive term"), tr("Also fits a vector that is added to the stream"));
}

void RepairSettingsRows::make_fit_settings() {
    massive_ = panel_.add_combo(QStringLiteral("massive"), tr("&Massive tokens"), {});
    add_choice(massive_, tr("Keep"), QStringLiteral("keep"), tr("Tokens of massive activations count in the fit like all others"));
    add_choice(massive_, tr("Leave out"), QStringLiteral("mask"), tr("Tokens of massive activations are left out of the fit"));
    add_choice(massive_, tr("Weight down"), QStringLiteral("weight"),
               tr("Tokens of massive activations count as if they had the median norm"));
    fit_ = panel_.add_combo(QStringLiteral("fit"), tr("Sev&eral seams"), {});
    add_choice(fit_, tr("As suits the kind"), QStringLiteral("auto"), tr("What suits the kind of repair"));
    add_choice(fit_, tr("From the dense model"), QStringLiteral("dense"), tr("Both sides of every seam from the dense model"));
    add_choice(fit_, tr("One after the other"), QStringLiteral("sequential"),
               tr("The stream as the seams before have patched it; runs the model again"));
}

void RepairSettingsRows::change(const QString& step) {
    Document after = session_.document();
    if (chosen(kind_) != after.repair || after.replaced()) after.choose_repair(chosen(kind_));
    RepairSettings& settings = after.settings.repair;
    settings.definition = chosen(definition_);
    settings.ridge = ridge_->value();
    settings.ridge_search = search_->isChecked();
    settings.bias = bias_->isChecked();
    settings.rank = rank_->value();
    settings.cascade = cascade_->value();
    settings.massive = chosen(massive_);
    settings.fit = chosen(fit_);
    session_.change(std::move(after), step, step.section(QLatin1Char(' '), 0, 0));
}

void RepairSettingsRows::show_settings(const RepairInfo& info) {
    const bool several = seams_of(session_.document().removed).size() > 1;
    panel_.show_row(definition_, info.definition);
    panel_.show_row(ridge_, info.ridge);
    panel_.show_row(search_, info.ridge);
    ridge_->setEnabled(info.ridge && !search_->isChecked());
    panel_.show_row(rank_, info.name == "low-rank");
    panel_.show_row(cascade_, info.behind);
    panel_.show_row(bias_, may_have_bias(info.name));
    panel_.show_row(massive_, info.fitted);
    panel_.show_row(fit_, info.fitted && several && !info.edits);  // edits always see the stream as already repaired
}

void RepairSettingsRows::show() {
    const Document& d = session_.document();
    const RepairInfo info = repair_kind(d.repair);
    show_choice(kind_, QString::fromStdString(d.repair));
    kind_->setToolTip(QString::fromStdString(info.help));
    show_chosen(definition_, d.settings.repair.definition);
    show_value(ridge_, d.settings.repair.ridge);
    show_checked(search_, d.settings.repair.ridge_search);
    show_checked(bias_, d.settings.repair.bias);
    show_value(rank_, 1, session_.study() ? int((**session_.study()).architecture().hidden) : 65536, int(d.settings.repair.rank));
    show_value(cascade_, 0, 1000, int(d.settings.repair.cascade));
    show_chosen(massive_, d.settings.repair.massive);
    show_chosen(fit_, d.settings.repair.fit);
    show_settings(info);
    const bool other = results_.imported() || results_.finetuned();
    show_note(note_, other ? tr("In force: %1.").arg(QString::fromStdString(results_.repair_label())) : results_.refusal());
}

}  // namespace suture
