// SPDX-License-Identifier: GPL-3.0-or-later
// What do the criteria say, and what does each set cost?
#pragma once

#include "ui/pages/page.h"
#include "ui/pages/selection_board.h"

class QModelIndex;
class QPushButton;

namespace suture {

class PlotWidget;
class SelectionControls;
class TitledTable;

class SelectionPage : public Page {
    Q_OBJECT
public:
    SelectionPage(Session& session, Results& results);
    QWidget* controls() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

    SelectionBoard& board() { return *board_; }

private:
    QWidget* make_table();
    /// The row's set becomes the selection.
    void adopt(const QModelIndex& row);
    void adopt_strip(double y);
    void adopt_point(double x, double y);
    const KnownSet* set_of(const QModelIndex& row) const;
    void show_adopt();
    Figure strips() const;
    Figure cost() const;

    SelectionBoard* board_;
    PlotWidget *strips_, *agreement_, *cost_;
    TitledTable* table_;
    QPushButton* adopt_;
    SelectionControls* controls_;
    std::vector<CriterionRow> rows_;  // as shown
    std::vector<KnownSet> sets_;
    int looked_at_ = -1;
};

}  // namespace suture
