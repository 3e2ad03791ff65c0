// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/selection_page.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <cmath>
#include <limits>

#include "ui/pages/layout.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/selection_controls.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"
#include "ui/window/labels.h"

namespace suture {

SelectionPage::SelectionPage(Session& session, Results& results)
    : Page(QStringLiteral("selection"), tr("Selection"), tr("What do the criteria say, and what does each set of layers cost?"), session,
           results),
      board_(new SelectionBoard(session, results, this)),
      strips_(new PlotWidget(this)),
      agreement_(new PlotWidget(this)),
      cost_(new PlotWidget(this)),
      table_(new TitledTable(QStringLiteral("selection.sets"), tr("Open a model to see which layers the criteria would remove."), this)),
      adopt_(new QPushButton(tr("Remove these layers"), this)),
      controls_(new SelectionControls(session, results, *board_, this)) {
    strips_->setObjectName(QStringLiteral("selection.strips"));
    agreement_->setObjectName(QStringLiteral("selection.agreement_map"));
    cost_->setObjectName(QStringLiteral("selection.cost"));
    auto* above = make_split(Qt::Horizontal, {{strips_, 5}, {agreement_, 3}}, this);
    auto* below = make_split(Qt::Horizontal, {{make_table(), 3}, {cost_, 1}}, this);
    fill_page(this, make_split(Qt::Vertical, {{above, 1}, {below, 1}}, this));
    for (PlotWidget* plot : {strips_, agreement_, cost_}) connect(plot, &PlotWidget::hovered, this, &Page::hovered);
    connect(strips_, &PlotWidget::clicked_at, this, [this](double, double y) { adopt_strip(y); });
    connect(cost_, &PlotWidget::clicked_at, this, [this](double x, double y) { adopt_point(x, y); });
    connect(controls_, &SelectionControls::view_changed, this, &SelectionPage::refresh);
    connect(controls_, &SelectionControls::looked_at, this, [this](int count) {
        looked_at_ = count;
        strips_->set_figure(strips());
    });
    connect(board_, &SelectionBoard::changed, this, [this] {
        if (isVisible()) refresh();
    });
    refresh();
}

QWidget* SelectionPage::make_table() {
    auto* box = new QWidget(this);
    adopt_->setObjectName(QStringLiteral("selection.adopt"));
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(table_, 1);
    auto* line = new QHBoxLayout;
    line->addWidget(adopt_);
    line->addStretch();
    column->addLayout(line);
    TableView* view = table_->view();
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setToolTip(tr("Double click or Return removes the row's layers"));
    connect(view, &QAbstractItemView::activated, this, &SelectionPage::adopt);
    connect(view, &QAbstractItemView::doubleClicked, this, &SelectionPage::adopt);
    connect(view->selectionModel(), &QItemSelectionModel::currentChanged, this, &SelectionPage::show_adopt);
    connect(adopt_, &QPushButton::clicked, this, [this] { adopt(table_->view()->currentIndex()); });
    return box;
}

QWidget* SelectionPage::controls() { return controls_; }

const KnownSet* SelectionPage::set_of(const QModelIndex& row) const {
    if (!row.isValid()) return nullptr;
    const auto place = std::size_t(static_cast<const QSortFilterProxyModel*>(row.model())->mapToSource(row).row());
    return place < sets_.size() ? &sets_[place] : nullptr;
}

void SelectionPage::adopt(const QModelIndex& row) {
    if (const KnownSet* set = set_of(row)) board_->adopt(KnownSet(*set));
}

void SelectionPage::adopt_strip(double y) {
    const auto row = std::lround(y);
    if (row < 0 || std::size_t(row) >= rows_.size()) return;
    for (const KnownSet& set : std::vector(sets_))
        if (set.by == rows_[std::size_t(row)].label) board_->adopt(set);
}

void SelectionPage::adopt_point(double x, double y) {
    double nearest = 15;  // pixels; farther away a click means no point
    KnownSet meant;
    const auto dense = board_->conditions().dense;
    const double edge = dense ? highest_times_dense * dense->perplexity() : std::numeric_limits<double>::infinity();
    for (const KnownSet& set : sets_) {
        std::vector<double> values;
        for (const auto& measured : {set.unpatched, set.patched})
            if (measured) values.push_back(std::min(measured->perplexity(), edge));
        for (const double value : values) {
            const QPointF away =
                cost_->pixel_of(kept_size(set, controls_->size().toStdString(), session().layers()), value) - cost_->pixel_of(x, y);
            if (set.removed.empty() || !(std::hypot(away.x(), away.y()) <= nearest)) continue;
            nearest = std::hypot(away.x(), away.y());
            meant = set;
        }
    }
    board_->adopt(meant);
}

void SelectionPage::show_adopt() {
    const KnownSet* set = set_of(table_->view()->currentIndex());
    const bool there = set && !set->removed.empty();
    adopt_->setEnabled(there && !board_->is_chosen(*set));
    const QString layers = there ? QString::fromStdString(layer_words(set->removed)) : QString();
    adopt_->setText(!there ? tr("Remove these layers") : set->merged ? tr("Merge away %1").arg(layers) : tr("Remove %1").arg(layers));
    adopt_->setToolTip(!there        ? tr("Choose a row that removes layers first")
                       : set->merged ? tr("Makes the row's layers the selection; the merge into kept layers takes the place of a repair")
                                     : tr("Makes the row's layers the selection; undo brings the present one back"));
}

Figure SelectionPage::strips() const {
    const auto statistics = drawable_statistics(session(), results());
    const LayerSet removed = looked_at_ >= 0 ? board_->best_known(looked_at_).removed : session().document().removed;
    return criteria_strips(board_->rows(), session().layers(), removed,
                           statistics ? conditions_words(statistics->conditions) : std::string());
}

Figure SelectionPage::cost() const { return cost_by_size(board_->sets(), controls_->size().toStdString(), board_->conditions()); }

std::vector<Figure> SelectionPage::figures() const {
    return told_stale({strips(), criteria_agreement(board_->rows(), controls_->agreement_of_scores()), cost()}, results());
}

std::vector<Table> SelectionPage::tables() const { return {known_sets(board_->sets(), board_->conditions())}; }

void SelectionPage::refresh() {
    board_->expect();
    rows_ = board_->rows();
    sets_ = board_->sets();
    const auto drawn = figures();
    strips_->set_figure(drawn[0]);
    agreement_->set_figure(drawn[1]);
    cost_->set_figure(drawn[2]);
    table_->set_table(session().study() ? known_sets(sets_, board_->conditions()) : Table());
    show_adopt();
    controls_->refresh();
}

}  // namespace suture
