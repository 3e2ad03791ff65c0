// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/control_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/window/labels.h"

namespace suture {
namespace {

constexpr int label_width = 84;  // the same on every page, so that fields don't jump when the page changes

}  // namespace

ControlPanel::ControlPanel(const QString& page, QWidget* parent) : QWidget(parent), page_(page), grid_(new QGridLayout) {
    setObjectName(page + QStringLiteral(".controls"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(grid_);
    column->addStretch();
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(7);
    grid_->setColumnMinimumWidth(0, label_width);
    grid_->setColumnStretch(1, 1);
}

void ControlPanel::add_heading(const QString& text) {
    auto* heading = make_label({}, this);
    heading->setText(text);
    set_bold(heading);
    const int row = grid_->rowCount();
    if (row > 1) heading->setContentsMargins(0, 10, 0, 0);
    grid_->addWidget(heading, row, 0, 1, 2);
}

template <class T>
T* ControlPanel::add_field(T* field, const QString& name, const QString& label, const QString& help) {
    field->setObjectName(page_ + QLatin1Char('.') + name);
    field->setToolTip(help);
    field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* caption = new QLabel(label, this);
    caption->setBuddy(field);
    const int row = grid_->rowCount();
    grid_->addWidget(caption, row, 0);
    grid_->addWidget(field, row, 1);
    return field;
}

template <class T>
T* ControlPanel::add_wide(T* widget, const QString& name, const QString& help) {
    widget->setObjectName(page_ + QLatin1Char('.') + name);
    widget->setToolTip(help);
    grid_->addWidget(widget, grid_->rowCount(), 0, 1, 2);
    return widget;
}

QComboBox* ControlPanel::add_combo(const QString& name, const QString& label, const QString& help) {
    auto* combo = add_field(new QComboBox(this), name, label, help);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    return combo;
}

QSpinBox* ControlPanel::add_spin(const QString& name, const QString& label, const QString& help) {
    return add_field(new QSpinBox(this), name, label, help);
}

QDoubleSpinBox* ControlPanel::add_number(const QString& name, const QString& label, const QString& help) {
    auto* number = add_field(new QDoubleSpinBox(this), name, label, help);
    number->setLocale(QLocale::c());
    number->setKeyboardTracking(false);
    return number;
}

QLineEdit* ControlPanel::add_line(const QString& name, const QString& label, const QString& help) {
    return add_field(new QLineEdit(this), name, label, help);
}

QCheckBox* ControlPanel::add_check(const QString& name, const QString& text, const QString& help) {
    return add_wide(new QCheckBox(text, this), name, help);
}

QPushButton* ControlPanel::add_button(const QString& name, const QString& text, const QString& help) {
    return add_wide(new QPushButton(text, this), name, help);
}

void ControlPanel::add_other(QWidget* widget) { grid_->addWidget(widget, grid_->rowCount(), 0, 1, 2); }

void ControlPanel::show_row(QWidget* field, bool shown) {
    field->setVisible(shown);
    field->setEnabled(shown);
    for (QLabel* caption : findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
        if (caption->buddy() == field) caption->setVisible(shown);
}

QLabel* ControlPanel::add_note(const QString& name) {
    auto* note = add_wide(make_muted_label({}, this), name, {});
    note->setWordWrap(true);
    return note;
}

void add_choice(QComboBox* combo, const QString& text, const QVariant& data, const QString& help) {
    combo->addItem(text, data);
    combo->setItemData(combo->count() - 1, help, Qt::ToolTipRole);
}

void show_choice(QComboBox* combo, const QVariant& data) {
    const QSignalBlocker silent(combo);
    combo->setCurrentIndex(combo->findData(data));
}

void show_value(QSpinBox* spin, int low, int high, int value) {
    const QSignalBlocker silent(spin);
    spin->setRange(low, high);
    if (spin->value() != value) spin->setValue(value);
}

void show_value(QDoubleSpinBox* spin, double value) {
    const QSignalBlocker silent(spin);
    if (spin->value() != value) spin->setValue(value);
}

void show_checked(QCheckBox* check, bool checked) {
    const QSignalBlocker silent(check);
    check->setChecked(checked);
}

}  // namespace suture
