// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview_page.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "core/figures/summary.h"

namespace suture {

OverviewPage::OverviewPage(Session& session, Results& results)
    : Page(QStringLiteral("overview"), tr("Overview"), tr("What is this model made of?"), session, results),
      sizes_(new PlotWidget(this)),
      facts_(new TableView(this)) {
    sizes_->setObjectName(QStringLiteral("overview.sizes"));
    facts_->setObjectName(QStringLiteral("overview.facts"));
    facts_->horizontalHeader()->setStretchLastSection(true);
    facts_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(sizes_, 3);
    column->addWidget(facts_, 2);
    connect(sizes_, &PlotWidget::hovered, this, &Page::hovered);
}

void OverviewPage::refresh() {
    for (const Figure& figure : figures()) sizes_->set_figure(figure);
    for (const Table& table : tables()) facts_->set_table(table);
}

std::vector<Figure> OverviewPage::figures() const {
    if (!session().study()) return {};
    return {layer_sizes(**session().study(), session().document().removed)};
}

std::vector<Table> OverviewPage::tables() const {
    if (!session().study()) return {};
    return {model_facts(**session().study())};
}

}  // namespace suture
