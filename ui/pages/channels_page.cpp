// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/channels_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>

#include "core/figures/tokens.h"
#include "ui/pages/control_panel.h"
#include "ui/pages/layout.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"

namespace suture {

ChannelsPage::ChannelsPage(Session& session, Results& results)
    : Page(QStringLiteral("channels"), tr("Channels"), tr("How far apart are the two sides of the seam, channel by channel?"), session,
           results),
      source_(new SeamSource(session, results, this)),
      magnitudes_(new PlotWidget(this)),
      ratios_(new PlotWidget(this)),
      incoherence_(
          new TitledTable(QStringLiteral("channels.incoherence"), tr("Calibrate and choose layers to see the incoherence."), this)),
      extremes_(new TitledTable(QStringLiteral("channels.extremes"), tr("No channel stands far above the median one."), this)),
      controls_(new ControlPanel(id(), this)) {
    magnitudes_->setObjectName(QStringLiteral("channels.magnitudes"));
    ratios_->setObjectName(QStringLiteral("channels.ratios"));
    incoherence_->fit_height(2);
    auto* facts = make_split(Qt::Vertical, {{incoherence_, 1}, {extremes_, 2}}, this);
    auto* below = make_split(Qt::Horizontal, {{ratios_, 4}, {facts, 3}}, this);
    fill_page(this, make_split(Qt::Vertical, {{magnitudes_, 1}, {below, 1}}, this));
    make_controls();
    for (PlotWidget* plot : {magnitudes_, ratios_}) connect(plot, &PlotWidget::hovered, this, &Page::hovered);
    connect(magnitudes_, &PlotWidget::x_changed, ratios_, [this](double low, double high) { ratios_->show_x({low, high}); });
    connect(ratios_, &PlotWidget::x_changed, magnitudes_, [this](double low, double high) { magnitudes_->show_x({low, high}); });
    connect(source_, &SeamSource::changed, this, [this] {
        if (isVisible()) refresh();
    });
    refresh();
}

void ChannelsPage::make_controls() {
    controls_->add_heading(tr("Channels"));
    basis_ = controls_->add_combo(QStringLiteral("basis"), tr("&Basis"),
                                  tr("The stream itself, or the stream rotated by the Hadamard matrix H"));
    add_choice(basis_, tr("Raw"), int(Basis::Raw), tr("The channels of the residual stream x"));
    add_choice(basis_, tr("Hadamard"), int(Basis::Hadamard), tr("The channels of x·H, in which massive channels are spread out"));
    order_ = controls_->add_combo(QStringLiteral("order"), tr("&Order"), tr("How the channels lie along the axis"));
    add_choice(order_, tr("Expected magnitude"), int(ChannelOrder::Magnitude), tr("Largest expected mean |x| first"));
    add_choice(order_, tr("Channel number"), int(ChannelOrder::Number));
    top_ = controls_->add_spin(QStringLiteral("top"), tr("Stron&gest"), tr("Show only so many channels of largest expected magnitude"));
    top_->setSpecialValueText(tr("all"));
    top_->setSingleStep(16);
    log_ = controls_->add_check(QStringLiteral("log"), tr("&Logarithmic axis"), tr("Magnitudes and ratios on logarithmic axes"));
    log_->setChecked(true);
    for (QComboBox* combo : {basis_, order_}) connect(combo, &QComboBox::activated, this, &ChannelsPage::refresh);
    connect(top_, &QSpinBox::valueChanged, this, &ChannelsPage::refresh);
    connect(log_, &QCheckBox::toggled, this, [this](bool log) {
        for (PlotWidget* plot : {magnitudes_, ratios_}) plot->set_log(log);
    });
}

QWidget* ChannelsPage::controls() { return controls_; }

ChannelOptions ChannelsPage::options() const {
    return {.basis = Basis(basis_->currentData().toInt()),
            .order = ChannelOrder(order_->currentData().toInt()),
            .log = log_->isChecked(),
            .top = top_->value()};
}

std::vector<Figure> ChannelsPage::figures() const {
    const SeamLook look = source_->look();
    return told_stale({channel_magnitudes(look.view, options()), channel_ratios(look.view, options())}, results());
}

std::vector<Table> ChannelsPage::tables() const {
    const SeamLook look = source_->look();
    return {incoherence_table(look.view), extreme_channel_table(look.statistics.get())};
}

void ChannelsPage::refresh() {
    source_->want();
    const auto statistics = drawable_statistics(session(), results());
    show_value(top_, 0, statistics ? int(statistics->hidden) : 0, top_->value());
    const auto drawn = figures();
    magnitudes_->set_figure(drawn[0]);
    ratios_->set_figure(drawn[1]);
    extremes_->set_empty_sentence(statistics ? tr("No channel stands far above the median one.")
                                             : tr("Calibrate to see massive channels."));
    const auto listed = tables();
    incoherence_->set_table(listed[0]);
    extremes_->set_table(listed[1]);
}

}  // namespace suture
