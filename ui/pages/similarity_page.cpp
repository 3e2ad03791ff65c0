// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/similarity_page.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/similarity.h"
#include "ui/pages/control_panel.h"
#include "ui/pages/layout.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"
#include "ui/session/selection_jobs.h"

namespace suture {
namespace {

/// What the criterion says of n layers; nothing when it can't.
std::optional<Ranking> ranking(const Statistics* statistics, const Document& document) {
    if (!statistics) return std::nullopt;
    try {
        return rank_layers(selection_input(document, statistics), document.criterion, document.block_length);
    } catch (const Error&) {  // too many layers for this model, or for those that may go; the plot says so
        return std::nullopt;
    }
}

}  // namespace

SimilarityPage::SimilarityPage(Session& session, Results& results)
    : Page(QStringLiteral("similarity"), tr("Similarity"), tr("Which layers change the stream least?"), session, results),
      layers_(new PlotWidget(this)),
      scores_(new PlotWidget(this)),
      pairs_(new PlotWidget(this)),
      choices_(new TitledTable(QStringLiteral("similarity.choices"), tr("Calibrate to see what every criterion would remove."), this)),
      controls_(new ControlPanel(id(), this)) {
    layers_->setObjectName(QStringLiteral("similarity.layers"));
    scores_->setObjectName(QStringLiteral("similarity.scores"));
    pairs_->setObjectName(QStringLiteral("similarity.pairs"));
    auto* above = make_split(Qt::Horizontal, {{layers_, 1}, {scores_, 1}}, this);
    auto* below = make_split(Qt::Horizontal, {{pairs_, 1}, {choices_, 1}}, this);
    fill_page(this, make_split(Qt::Vertical, {{above, 10}, {below, 11}}, this));
    make_controls();
    for (PlotWidget* plot : {layers_, scores_, pairs_}) connect(plot, &PlotWidget::hovered, this, &Page::hovered);
    connect(scores_, &PlotWidget::clicked_at, this, [this](double x, double y) { choose_by_score(x, y); });
    connect(pairs_, &PlotWidget::clicked_at, this, [this](double x, double y) { choose_pair(x, y); });
    refresh();
}

void SimilarityPage::make_controls() {
    controls_->add_heading(tr("Block"));
    length_ = controls_->add_spin(QStringLiteral("length"), tr("La&yers"), tr("How many layers to remove"));
    criterion_ = controls_->add_combo(QStringLiteral("criterion"), tr("&Criterion"), {});
    for (const Criterion* criterion : criteria())
        add_choice(criterion_, QString::fromStdString(criterion->label), QString::fromStdString(criterion->name),
                   QString::fromStdString(criterion->help));
    controls_->add_note(QStringLiteral("hint"))
        ->setText(tr("Click on a point of its curve, or on a cell of the map, to remove those layers."));
    controls_->add_heading(tr("Map"));
    axis_ = controls_->add_combo(QStringLiteral("axis"), tr("Cosine al&ong"), tr("Which vectors the map compares"));
    add_choice(axis_, tr("Hidden axis"), false, tr("One cosine per token, then the mean over tokens: the paper's"));
    add_choice(axis_, tr("Token axis"), true, tr("One cosine per channel along the tokens, then the mean: the published script's"));
    connect(length_, &QSpinBox::valueChanged, this, &SimilarityPage::set_block);
    connect(criterion_, &QComboBox::activated, this, &SimilarityPage::set_block);
    connect(axis_, &QComboBox::activated, this, &SimilarityPage::refresh);
}

QWidget* SimilarityPage::controls() { return controls_; }

void SimilarityPage::set_block() { results().set_block(length_->value(), criterion_->currentData().toString().toStdString()); }

std::optional<int> SimilarityPage::scored_layer(double x, double y) const {
    double nearest = 15;  // pixels; farther away a click means no point
    std::optional<int> layer;
    for (const Series& series : scores_->figure().series)
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            const QPointF away = scores_->pixel_of(series.x[i], series.y[i]) - scores_->pixel_of(x, y);
            const double distance = std::hypot(away.x(), away.y());
            if (!(distance <= nearest)) continue;  // also where there is no score
            nearest = distance;
            layer = int(std::lround(series.x[i]));
        }
    return layer;
}

void SimilarityPage::choose_by_score(double x, double y) {
    const auto statistics = drawable_statistics(session(), results());
    const auto scored = ranking(statistics.get(), session().document());
    const int first = scored_layer(x, y).value_or(-1);
    if (!scored || !scored->scores.contains(first)) return;
    const LayerSet& removed = session().document().removed;
    if (scored->blocks) session().remove_layers(LayerSet::range(first, session().document().block_length));
    else if (removed.contains(first)) session().remove_layers(removed.without(first));
    else if (removed.size() + 1 < session().layers()) session().remove_layers(removed.with(first));
}

void SimilarityPage::choose_pair(double j, double i) {
    const int first = int(std::lround(i)), end = int(std::lround(j));
    if (!drawable_statistics(session(), results()) || first < 0 || first >= end || end > session().layers() ||
        end - first >= session().layers())
        return;
    session().remove_layers(LayerSet::range(first, end - first));
}

std::vector<Figure> SimilarityPage::figures() const {
    const Document& d = session().document();
    const auto statistics = drawable_statistics(session(), results());
    return told_stale({layer_similarity(statistics.get(), d.removed),
                       criterion_scores(selection_input(d, statistics.get()), d.criterion, d.block_length, d.removed),
                       pair_similarity(statistics.get(), axis_->currentData().toBool(), d.removed)},
                      results());
}

std::vector<Table> SimilarityPage::tables() const {
    const auto statistics = drawable_statistics(session(), results());
    return {criteria_choices(selection_input(session().document(), statistics.get()), session().document().block_length)};
}

void SimilarityPage::refresh() {
    const Document& d = session().document();
    show_value(length_, 1, std::max(1, session().layers() - 2), d.block_length);
    show_choice(criterion_, QString::fromStdString(d.criterion));
    criterion_->setToolTip(criterion_->currentData(Qt::ToolTipRole).toString());
    const auto drawn = figures();
    layers_->set_figure(drawn[0]);
    scores_->set_figure(drawn[1]);
    pairs_->set_figure(drawn[2]);
    choices_->set_table(tables()[0]);
}

}  // namespace suture
