// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/evaluate_speed.h"

#include <nlohmann/json.hpp>

#include "ui/pages/evaluation_cost.h"
#include "ui/pages/layout.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"

namespace suture {

EvaluateSpeed::EvaluateSpeed(Session& session, Results& results, QWidget* parent)
    : PageView(QStringLiteral("evaluate.speed"), tr("Speed"), tr("How much faster and smaller is it on this machine?"), session, results,
               parent),
      live_(session.lanes()),
      prefill_(new PlotWidget(this)),
      decode_(new PlotWidget(this)),
      table_(new TitledTable(QStringLiteral("evaluate.speed.table"), tr("Measure to see medians, speed-ups and sizes."), this)),
      stale_(make_stale_note(QStringLiteral("evaluate.speed.stale"), this)),
      controls_(new ControlPanel(objectName(), this)) {
    prefill_->setObjectName(QStringLiteral("evaluate.speed.prefill"));
    decode_->setObjectName(QStringLiteral("evaluate.speed.decode"));
    run_ = new RunControls(*controls_, session.lanes(), live_,
                           tr("Times the dense model and every repair chosen below in turn; leave the machine alone meanwhile"));
    controls_->add_heading(tr("Measurement"));
    form_ = std::make_unique<SettingsForm<SpeedSettings>>(*controls_,
                                                          std::vector<FormField>{{"prompt-tokens", tr("&Prompt"), 1, 100000},
                                                                                 {"decode-tokens", tr("&New tokens"), 1, 100000},
                                                                                 {"repeats", tr("R&ounds"), 1, 1000}},
                                                          [this](const SpeedSettings& settings) {
                                                              Document after = this->session().document();
                                                              after.measures.speed = settings;
                                                              this->session().change(std::move(after), tr("Speed measurement"),
                                                                                     QStringLiteral("speed"));
                                                          });
    auto* plots = make_split(Qt::Horizontal, {{decode_, 1}, {prefill_, 1}}, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stale_);
    column->addWidget(make_split(Qt::Vertical, {{plots, 4}, {table_, 3}}, this), 1);
    for (PlotWidget* plot : {prefill_, decode_}) connect(plot, &PlotWidget::hovered, this, &PageView::hovered);
    connect(run_, &RunControls::start, this, &EvaluateSpeed::start);
    connect(
        &live_, &LiveBase::changed, this, [this] { refresh_if_seen(); }, Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] { live_.clear(); });
}

QWidget* EvaluateSpeed::controls() { return controls_; }

Key EvaluateSpeed::dense_key() const {
    return Key::of({{"model", results().dense_key().hex()}, {"settings", settings_to_json(session().document().measures.speed)}});
}

Key EvaluateSpeed::key() const {
    return Key::of({{"result", "speed"}, {"dense", dense_key().hex()}, {"variants", results().variants_key().hex()}});
}

void EvaluateSpeed::start() {
    live_.clear();  // a duration holds for its moment only
    live_.want(key(), tr("Measure speed"), Lane::Heavy,
               [inputs = results().inputs(), dense = dense_key()](Progress& progress) { return make_speed_set(inputs, dense, progress); });
}

std::vector<VariantLabel> EvaluateSpeed::labels() const {
    const auto set = live_.value();
    return set ? marked(*set, outdated(live_), dense_key()) : std::vector<VariantLabel>();
}

std::vector<Figure> EvaluateSpeed::figures() const {
    const auto set = live_.value();
    const SpeedComparison* found = set ? &set->found : nullptr;
    return {decode_bars(labels(), found), prefill_bars(labels(), found)};
}

std::vector<Table> EvaluateSpeed::tables() const {
    const auto set = live_.value();
    if (!set) return {{.title = "Speed and size"}};
    return {speed_table(labels(), set->found)};
}

void EvaluateSpeed::expect() { live_.expect(key()); }

void EvaluateSpeed::refresh() {
    const Document& d = session().document();
    form_->show(d.measures.speed);
    const QString obstacle = session().study() ? QString() : tr("Open a model first.");
    run_->show(live_.value() ? tr("Measure again") : tr("Measure"), obstacle,
               session().study() ? speed_seconds(**session().study(), d, results().forecast.value().get()) : -1);
    const auto set = live_.value();
    show_note(stale_, set && outdated(live_) ? stale_words(set->removed, session()) : QString());
    const auto drawn = figures();
    decode_->set_figure(drawn[0]);
    prefill_->set_figure(drawn[1]);
    table_->set_table(tables()[0]);
}

}  // namespace suture
