// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of a page: labels on the left, fields on the right, in groups.
#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace suture {

/// Every control gets the object name "<page>.<name>", a tool tip and, by an ampersand in its label, a key. Changes made by
/// show_…() functions emit no signal.
class ControlPanel : public QWidget {
    Q_OBJECT
public:
    ControlPanel(const QString& page, QWidget* parent);

    /// Begins a group.
    void add_heading(const QString& text);
    QComboBox* add_combo(const QString& name, const QString& label, const QString& help);
    QSpinBox* add_spin(const QString& name, const QString& label, const QString& help);
    QDoubleSpinBox* add_number(const QString& name, const QString& label, const QString& help);
    QLineEdit* add_line(const QString& name, const QString& label, const QString& help);
    QCheckBox* add_check(const QString& name, const QString& text, const QString& help);
    QPushButton* add_button(const QString& name, const QString& text, const QString& help);
    /// Any other control, or several in one widget, over the whole width.
    void add_other(QWidget* widget);
    /// Hides a field of this panel with its label, or shows both. What is hidden is disabled.
    void show_row(QWidget* field, bool shown);
    /// Small muted text over the whole width.
    QLabel* add_note(const QString& name);

private:
    template <class T>
    T* add_field(T* field, const QString& name, const QString& label, const QString& help);
    template <class T>
    T* add_wide(T* widget, const QString& name, const QString& help);

    QString page_;
    QGridLayout* grid_;
};

/// An item with what stands for it in the program and a sentence that explains it.
void add_choice(QComboBox* combo, const QString& text, const QVariant& data, const QString& help = {});
void show_choice(QComboBox* combo, const QVariant& data);
void show_value(QSpinBox* spin, int low, int high, int value);
void show_value(QDoubleSpinBox* spin, double value);
void show_checked(QCheckBox* check, bool checked);

}  // namespace suture
