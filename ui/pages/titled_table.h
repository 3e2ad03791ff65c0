// SPDX-License-Identifier: GPL-3.0-or-later
// A table under its title, or a sentence where there is nothing to list.
#pragma once

#include <QFrame>

#include "ui/widgets/table_view.h"

class QLabel;
class QStackedWidget;

namespace suture {

class TitledTable : public QFrame {
    Q_OBJECT
public:
    /// `empty`: what is said while the table has no rows. Object names: `name` for the table itself.
    TitledTable(const QString& name, const QString& empty, QWidget* parent);

    void set_table(const Table& table);
    void set_empty_sentence(const QString& sentence);
    const Table& table() const { return view_->table(); }
    TableView* view() const { return view_; }
    /// No higher than its rows need; for tables that stand above others.
    void fit_height(int rows);

private:
    void fit_columns();

    QLabel* title_;
    QStackedWidget* stack_;
    QLabel* sentence_;
    TableView* view_;
};

}  // namespace suture
