// SPDX-License-Identifier: GPL-3.0-or-later
// How far apart are the two sides of the seam, token by token?
#pragma once

#include "core/figures/tokens.h"
#include "ui/pages/page.h"

class QCheckBox;
class QComboBox;
class QModelIndex;
class QSpinBox;
class QTabWidget;

namespace suture {

class ControlPanel;
class PlotWidget;
class SeamSource;
class TitledTable;

class TokensPage : public Page {
    Q_OBJECT
public:
    TokensPage(Session& session, Results& results);
    QWidget* controls() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    void make_companions();
    void make_controls();
    void jump_to(const QModelIndex& row);
    TokenOptions options() const;
    TokenText token_text() const;

    SeamSource* source_;
    PlotWidget *tokens_, *map_, *ratios_;
    TitledTable* extremes_;
    QTabWidget* companions_;
    ControlPanel* controls_;
    QSpinBox* window_;
    QComboBox *measure_, *basis_;
    QCheckBox* log_;
};

}  // namespace suture
