// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers change the stream least?
#pragma once

#include <optional>

#include "ui/pages/page.h"

class QComboBox;
class QSpinBox;

namespace suture {

class ControlPanel;
class PlotWidget;
class TitledTable;

class SimilarityPage : public Page {
    Q_OBJECT
public:
    SimilarityPage(Session& session, Results& results);
    QWidget* controls() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    void make_controls();
    void set_block();
    /// The block (or, by criteria of single layers, the layer) that a click on the scores means.
    void choose_by_score(double x, double y);
    /// The layer whose point is drawn close to this place.
    std::optional<int> scored_layer(double x, double y) const;
    /// The layers i … j-1 of a cell of the heat map.
    void choose_pair(double j, double i);

    PlotWidget *layers_, *scores_, *pairs_;
    TitledTable* choices_;
    ControlPanel* controls_;
    QSpinBox* length_;
    QComboBox *criterion_, *axis_;
};

}  // namespace suture
