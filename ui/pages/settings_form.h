// SPDX-License-Identifier: GPL-3.0-or-later
// Form rows made from described settings.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>
#include <functional>
#include <vector>

#include "core/base/setting.h"
#include "ui/pages/control_panel.h"

namespace suture {

struct FormField {
    std::string name;  ///< of the setting
    QString label;
    double low = 0, high = 1000000;
    QString lowest = {};  ///< shown in place of `low`, e.g. "all"
    int decimals = 2;     ///< of measured numbers
};

/// Rows for some fields of S, in the order given; the others keep the values last shown.
template <class S>
class SettingsForm {
public:
    using Changed = std::function<void(const S&)>;

    SettingsForm(ControlPanel& panel, const std::vector<FormField>& rows, Changed changed) : changed_(std::move(changed)) {
        for (const FormField& row : rows)
            for (const auto& field : S::fields())
                if (field.name == row.name) add(panel, row, field);
    }

    void show(const S& settings) {
        shown_ = settings;
        for (const auto& put : put_) put(settings);
    }

private:
    void add(ControlPanel& panel, const FormField& row, const Setting<S>& field) {
        const QString name = QString::fromStdString(field.json_name());
        QString help = QString::fromStdString(field.help);
        if (!help.isEmpty()) help[0] = help[0].toUpper();
        std::visit(
            [&](auto member) {
                // The visitor is made for every type of member; compilers warn of a string in settings too small to hold one.
                if constexpr (sizeof(S) >= sizeof(S().*member)) add_widget(panel, row, field, name, help, member);
            },
            field.member);
    }
    void add_widget(ControlPanel& panel, const FormField& row, const Setting<S>&, const QString& name, const QString& help,
                    std::int64_t S::*member) {
        auto* spin = panel.add_spin(name, row.label, help);
        spin->setSpecialValueText(row.lowest);
        spin->setKeyboardTracking(false);
        put_.push_back([=](const S& s) { show_value(spin, int(row.low), int(row.high), int(s.*member)); });
        QObject::connect(spin, &QSpinBox::valueChanged, spin, [this, member](int value) { change(member, std::int64_t(value)); });
    }
    void add_widget(ControlPanel& panel, const FormField& row, const Setting<S>&, const QString& name, const QString& help,
                    double S::*member) {
        auto* number = panel.add_number(name, row.label, help);
        number->setDecimals(row.decimals);
        number->setSingleStep(0.05);
        if (row.decimals > 2) number->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        number->setRange(row.low, row.high);
        number->setSpecialValueText(row.lowest);
        put_.push_back([=](const S& s) { show_value(number, s.*member); });
        QObject::connect(number, &QDoubleSpinBox::valueChanged, number, [this, member](double value) { change(member, value); });
    }
    void add_widget(ControlPanel& panel, const FormField& row, const Setting<S>&, const QString& name, const QString& help,
                    bool S::*member) {
        auto* box = panel.add_check(name, row.label, help);
        put_.push_back([=](const S& s) { show_checked(box, s.*member); });
        QObject::connect(box, &QCheckBox::toggled, box, [this, member](bool on) { change(member, on); });
    }
    void add_widget(ControlPanel& panel, const FormField& row, const Setting<S>& field, const QString& name, const QString& help,
                    std::string S::*member) {
        auto* combo = panel.add_combo(name, row.label, help);
        for (const std::string& choice : field.choices) add_choice(combo, QString::fromStdString(choice), QString::fromStdString(choice));
        put_.push_back([=](const S& s) { show_choice(combo, QString::fromStdString(s.*member)); });
        QObject::connect(combo, &QComboBox::activated, combo,
                         [this, combo, member] { change(member, combo->currentData().toString().toStdString()); });
    }
    template <class Value>
    void change(Value S::*member, const Value& value) {
        S after = shown_;
        after.*member = value;
        changed_(after);
    }

    Changed changed_;
    S shown_;
    std::vector<std::function<void(const S&)>> put_;
};

}  // namespace suture
