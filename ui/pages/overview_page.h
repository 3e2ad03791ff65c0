// SPDX-License-Identifier: GPL-3.0-or-later
// What the weights alone tell.
#pragma once

#include "ui/pages/page.h"
#include "ui/plots/plot_widget.h"
#include "ui/widgets/table_view.h"

namespace suture {

class OverviewPage : public Page {
    Q_OBJECT
public:
    OverviewPage(Session& session, Results& results);
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    PlotWidget* sizes_;
    TableView* facts_;
};

}  // namespace suture
