// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/tokens_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>
#include <QTabWidget>
#include <algorithm>

#include "ui/pages/control_panel.h"
#include "ui/pages/layout.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"

namespace suture {
namespace {

enum ExtremeColumn { WindowColumn = 1, PositionColumn = 2 };  // of extreme_token_table()

/// In quotes, so that a space can be seen. The map's read-out has its own.
TokenText quoted(const TokenText& text) {
    if (!text) return {};
    return [text](std::int64_t id) {
        const std::string plain = text(id);
        return plain.empty() ? plain : "“" + plain + "”";
    };
}

}  // namespace

TokensPage::TokensPage(Session& session, Results& results)
    : Page(QStringLiteral("tokens"), tr("Tokens"), tr("How far apart are the two sides of the seam, token by token?"), session, results),
      source_(new SeamSource(session, results, this)),
      tokens_(new PlotWidget(this)),
      map_(new PlotWidget(this)),
      ratios_(new PlotWidget(this)),
      extremes_(new TitledTable(QStringLiteral("tokens.extremes"), {}, this)),
      companions_(new QTabWidget(this)),
      controls_(new ControlPanel(id(), this)) {
    make_companions();
    fill_page(this, make_split(Qt::Vertical, {{tokens_, 1}, {companions_, 1}}, this));
    make_controls();
    for (PlotWidget* plot : {tokens_, map_, ratios_}) connect(plot, &PlotWidget::hovered, this, &Page::hovered);
    connect(tokens_, &PlotWidget::x_changed, map_, [this](double low, double high) { map_->show_x({low, high}); });
    connect(map_, &PlotWidget::x_changed, tokens_, [this](double low, double high) { tokens_->show_x({low, high}); });
    connect(source_, &SeamSource::changed, this, [this] {
        if (isVisible()) refresh();
    });
    refresh();
}

void TokensPage::make_companions() {
    tokens_->setObjectName(QStringLiteral("tokens.tokens"));
    map_->setObjectName(QStringLiteral("tokens.map"));
    ratios_->setObjectName(QStringLiteral("tokens.ratios"));
    companions_->setObjectName(QStringLiteral("tokens.companions"));
    companions_->setDocumentMode(true);
    companions_->addTab(map_, tr("Along the layers"));
    companions_->addTab(ratios_, tr("Distribution"));
    companions_->addTab(extremes_, tr("Massive tokens"));
    extremes_->view()->setToolTip(tr("Double click or Return shows the token's window above"));
    connect(extremes_->view(), &QAbstractItemView::activated, this, &TokensPage::jump_to);
    connect(extremes_->view(), &QAbstractItemView::doubleClicked, this, &TokensPage::jump_to);
}

void TokensPage::make_controls() {
    controls_->add_heading(tr("Tokens"));
    window_ = controls_->add_spin(QStringLiteral("window"), tr("&Window"), tr("Which window of the calibration text"));
    measure_ = controls_->add_combo(QStringLiteral("measure"), tr("&Magnitude"), tr("How the size of a token's state is measured"));
    add_choice(measure_, tr("Mean |x|"), int(TokenMeasure::MeanAbs), tr("Mean magnitude of the token's channels: the paper's"));
    add_choice(measure_, tr("L2 norm"), int(TokenMeasure::L2), tr("Euclidean norm; the same in both bases"));
    basis_ = controls_->add_combo(QStringLiteral("basis"), tr("&Basis"),
                                  tr("The stream itself, or the stream rotated by the Hadamard matrix H"));
    add_choice(basis_, tr("Raw"), int(Basis::Raw));
    add_choice(basis_, tr("Hadamard"), int(Basis::Hadamard));
    log_ = controls_->add_check(QStringLiteral("log"), tr("&Logarithmic"), tr("Logarithmic axis above and logarithmic colours below"));
    log_->setChecked(true);
    connect(window_, &QSpinBox::valueChanged, this, &TokensPage::refresh);
    for (QComboBox* combo : {measure_, basis_}) connect(combo, &QComboBox::activated, this, &TokensPage::refresh);
    connect(log_, &QCheckBox::toggled, this, [this](bool log) {
        for (PlotWidget* plot : {tokens_, map_}) plot->set_log(log);
    });
}

QWidget* TokensPage::controls() { return controls_; }

void TokensPage::jump_to(const QModelIndex& row) {
    constexpr int around = 24;  // tokens on both sides that stay in view
    const auto cell = [&](int column) { return row.siblingAtColumn(column).data(TableModel::SortRole); };
    if (!cell(WindowColumn).isValid()) return;
    window_->setValue(cell(WindowColumn).toInt());
    const double position = cell(PositionColumn).toDouble();
    for (PlotWidget* plot : {tokens_, map_}) {
        plot->reset_view();
        if (const auto all = plot->visible_x())
            plot->show_x({std::max(all->low, position - around), std::min(all->high, position + around)});
    }
}

TokenOptions TokensPage::options() const {
    return {.window = window_->value(),
            .measure = TokenMeasure(measure_->currentData().toInt()),
            .basis = Basis(basis_->currentData().toInt()),
            .log = log_->isChecked()};
}

TokenText TokensPage::token_text() const {
    const auto tokenizer = session().study() ? session().study()->tokenizer() : nullptr;
    if (!tokenizer) return {};
    return [tokenizer](std::int64_t id) { return tokenizer->token_text(id); };
}

std::vector<Figure> TokensPage::figures() const {
    const SeamLook look = source_->look();
    return told_stale({token_magnitudes(look.view, options(), quoted(token_text())),
                       token_map(look.statistics.get(), options(), token_text()), token_ratios(look.view)},
                      results());
}

std::vector<Table> TokensPage::tables() const {
    return {extreme_token_table(drawable_statistics(session(), results()).get(), quoted(token_text()))};
}

void TokensPage::refresh() {
    source_->want();
    const auto statistics = drawable_statistics(session(), results());
    const int last = statistics ? int(statistics->windows()) - 1 : 0;
    show_value(window_, 0, last, window_->value());
    window_->setSuffix(statistics ? tr(" of 0–%1").arg(last) : QString());
    basis_->setEnabled(options().measure == TokenMeasure::MeanAbs);
    const auto drawn = figures();
    tokens_->set_figure(drawn[0]);
    map_->set_figure(drawn[1]);
    ratios_->set_figure(drawn[2]);
    extremes_->set_empty_sentence(statistics ? tr("No token stands far above the others of its window.")
                                             : tr("Calibrate to see massive activations."));
    extremes_->set_table(tables()[0]);
    companions_->setTabText(companions_->indexOf(extremes_),
                            statistics ? tr("Massive tokens (%1)").arg(statistics->extreme_tokens.size()) : tr("Massive tokens"));
}

}  // namespace suture
