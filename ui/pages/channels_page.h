// SPDX-License-Identifier: GPL-3.0-or-later
// How far apart are the two sides of the seam, channel by channel?
#pragma once

#include "core/figures/channels.h"
#include "ui/pages/page.h"

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace suture {

class ControlPanel;
class PlotWidget;
class SeamSource;
class TitledTable;

class ChannelsPage : public Page {
    Q_OBJECT
public:
    ChannelsPage(Session& session, Results& results);
    QWidget* controls() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    void make_controls();
    ChannelOptions options() const;

    SeamSource* source_;
    PlotWidget *magnitudes_, *ratios_;
    TitledTable *incoherence_, *extremes_;
    ControlPanel* controls_;
    QComboBox *basis_, *order_;
    QCheckBox* log_;
    QSpinBox* top_;
};

}  // namespace suture
