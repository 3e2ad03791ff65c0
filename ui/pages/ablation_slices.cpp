// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/ablation_slices.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

#include "ui/pages/control_panel.h"
#include "ui/window/labels.h"

namespace suture {
namespace {

QVariant data_of(const std::string& text) { return QString::fromStdString(text); }
QVariant data_of(std::int64_t number) { return qlonglong(number); }
QVariant data_of(int number) { return number; }

/// Hidden unless there are several to choose from.
template <class Choice, class T>
void show_list(const Choice& choice, const std::vector<T>& list, const T& chosen, bool of_use = true) {
    const QSignalBlocker silent(choice.combo);
    choice.combo->clear();
    for (const T& entry : list) choice.combo->addItem(data_of(entry).toString(), data_of(entry));
    show_choice(choice.combo, data_of(chosen));
    for (QWidget* part : std::initializer_list<QWidget*>{choice.caption, choice.combo}) part->setVisible(of_use && list.size() > 1);
}

}  // namespace

AblationSlices::AblationSlices(QWidget* parent) : QWidget(parent) {
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    along_ = add(QStringLiteral("along"), tr("Along"), tr("What the curves run along"),
                 [this](const QVariant& v) { wish_.along_windows = v.toBool(); });
    evaluation_ = add(QStringLiteral("on"), tr("Measured on"), tr("The text that perplexity is of"),
                      [this](const QVariant& v) { wish_.evaluation = v.toString().toStdString(); });
    calibration_ = add(QStringLiteral("calibrated"), tr("Calibrated on"), tr("The text that layers are chosen and repairs fitted on"),
                       [this](const QVariant& v) { wish_.calibration = v.toString().toStdString(); });
    model_ = add(QStringLiteral("model"), tr("Model"), tr("Which of the models"),
                 [this](const QVariant& v) { wish_.model = v.toString().toStdString(); });
    criterion_ = add(QStringLiteral("criterion"), tr("Chosen by"), tr("Who chose the layers"),
                     [this](const QVariant& v) { wish_.criterion = v.toString().toStdString(); });
    windows_ = add(QStringLiteral("at_windows"), tr("Windows"), tr("How many windows were calibrated on"),
                   [this](const QVariant& v) { wish_.windows = v.toLongLong(); });
    removed_ = add(QStringLiteral("at_removed"), tr("Layers"), tr("How many layers were removed"),
                   [this](const QVariant& v) { wish_.removed = v.toInt(); });
    line->addStretch();
    add_choice(along_.combo, tr("layers removed"), false);
    add_choice(along_.combo, tr("calibration windows"), true);
    show_choices(nullptr);
}

AblationSlices::Choice AblationSlices::add(const QString& name, const QString& caption, const QString& help,
                                           const std::function<void(const QVariant&)>& take) {
    auto* label = make_muted_label(QStringLiteral("ablation.slice.%1.caption").arg(name), this);
    label->setText(caption);
    auto* combo = new QComboBox(this);
    combo->setObjectName(QStringLiteral("ablation.slice.") + name);
    combo->setToolTip(help);
    combo->setAccessibleName(caption);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    combo->setMaximumWidth(180);
    layout()->addWidget(label);
    layout()->addWidget(combo);
    connect(combo, &QComboBox::activated, this, [this, combo, take] {
        take(combo->currentData());
        Q_EMIT changed();
    });
    return {label, combo};
}

void AblationSlices::set_along_windows(bool along) {
    wish_.along_windows = along;
    Q_EMIT changed();
}

void AblationSlices::show_choices(const Ablation* ablation) {
    const bool any = ablation && !ablation->rows.empty();
    if (!any) return hide();
    slice_ = valid_slice(wish_, *ablation);
    const AblationAxes axes = ablation_axes(*ablation);
    show_choice(along_.combo, slice_.along_windows);
    show_list(evaluation_, ablation->evaluation, slice_.evaluation);
    show_list(calibration_, axes.calibrations, slice_.calibration);
    show_list(model_, axes.models, slice_.model);
    show_list(criterion_, axes.criteria, slice_.criterion);
    show_list(windows_, axes.windows, slice_.windows, !slice_.along_windows);
    show_list(removed_, axes.removed, slice_.removed, slice_.along_windows);
    show();  // last: a window grows for all that it once had to show, and does not shrink again
}

}  // namespace suture
