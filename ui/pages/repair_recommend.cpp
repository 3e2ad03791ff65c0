// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/repair_recommend.h"

#include <QAbstractProxyModel>
#include <QCheckBox>
#include <QPushButton>
#include <nlohmann/json.hpp>

#include "core/figures/recommendation.h"
#include "ui/pages/control_panel.h"
#include "ui/pages/evaluation_cost.h"
#include "ui/pages/layout.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"
#include "ui/session/recipe_jobs.h"

namespace suture {

RepairRecommend::RepairRecommend(Session& session, Results& results, QWidget* parent)
    : PageView(QStringLiteral("repair.recommend"), tr("Which is best?"), tr("Which repair is best on text that it was not fitted to?"),
               session, results, parent),
      live_(session.lanes()),
      ratios_(new PlotWidget(this)),
      trials_(new TitledTable(QStringLiteral("repair.recommend.trials"), tr("Nothing has been tried yet."), this)),
      stale_(make_stale_note(QStringLiteral("repair.recommend.stale"), this)),
      controls_(new ControlPanel(objectName(), this)) {
    ratios_->setObjectName(QStringLiteral("repair.recommend.ratios"));
    trials_->view()->setToolTip(tr("Double click or Return takes this repair"));
    run_ = new RunControls(*controls_, session.lanes(), live_,
                           tr("Fits every kind, or those ticked, on three quarters of the calibration windows and measures perplexity on the others"));
    each_ = controls_->add_check(QStringLiteral("each"), tr("&Massive tokens every way"),
                                 tr("Fits least squares with massive tokens kept, left out, and weighed down"));
    ticked_ = controls_->add_check(QStringLiteral("ticked"), tr("&Only kinds ticked on Evaluate"),
                                   tr("Tries the repairs that the Evaluate page compares, and no others"));
    controls_->add_heading(tr("Result"));
    reason_ = controls_->add_note(QStringLiteral("reason"));
    adopt_ = controls_->add_button(QStringLiteral("adopt"), tr("&Use it"), tr("Makes the recommended repair the one in force"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stale_);
    column->addWidget(make_split(Qt::Vertical, {{ratios_, 1}, {trials_, 1}}, this), 1);
    connect(ratios_, &PlotWidget::hovered, this, &PageView::hovered);
    connect(run_, &RunControls::start, this, &RepairRecommend::start);
    for (QCheckBox* box : {each_, ticked_})
        connect(box, &QCheckBox::toggled, this, [this] {
            expect();
            refresh();
        });
    connect(adopt_, &QPushButton::clicked, this, [this] {
        if (const auto found = live_.value()) adopt(found->best);
    });
    const auto adopt_row = [this](const QModelIndex& index) {
        const auto* sorted = qobject_cast<const QAbstractProxyModel*>(index.model());
        adopt(std::size_t(sorted ? sorted->mapToSource(index).row() : index.row()));
    };
    connect(trials_->view(), &QAbstractItemView::activated, this, adopt_row);
    connect(trials_->view(), &QAbstractItemView::doubleClicked, this, adopt_row);
    connect(
        &live_, &LiveBase::changed, this, [this] { refresh_if_seen(); }, Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] { live_.clear(); });
}

QWidget* RepairRecommend::controls() { return controls_; }

RepairSettings RepairRecommend::compared_settings() const {
    RepairSettings settings = session().document().settings.repair;
    if (each_->isChecked()) settings.massive = RepairSettings().massive;
    return settings;
}

TrialSettings RepairRecommend::trials() const {
    TrialSettings trials{.massive_each = each_->isChecked()};
    for (const std::string& kind : session().document().repairs)
        if (ticked_->isChecked() && repair_kind(kind).fitted) trials.kinds.push_back(kind);
    return trials;
}

Key RepairRecommend::key() const {
    const Document& d = session().document();
    return Key::of({{"result", "recommendation"},
                    {"model", results().dense_key().hex()},
                    {"text", text_stamp(d.calibration)},
                    {"windows", settings_to_json(d.settings.windows)},
                    {"removed", d.removed.layers()},
                    {"settings", settings_to_json(compared_settings())},
                    {"kinds", trials().tried()},
                    {"massive_each", each_->isChecked()}});
}

QString RepairRecommend::obstacle() const {
    const Document& d = session().document();
    if (!session().study()) return tr("Open a model first.");
    if (d.removed.empty()) return tr("Choose the layers to remove first.");
    if (d.calibration.empty()) return tr("Choose a calibration text first (File menu).");
    const auto forecast = results().forecast.fresh_value();
    if (ticked_->isChecked() && trials().kinds.empty()) return tr("Tick a repair on the Evaluate page first.");
    return forecast && forecast->windows < 2 ? tr("The calibration text gives one window only; take more or shorter ones.") : QString();
}

double RepairRecommend::seconds() const {
    const auto forecast = results().forecast.fresh_value();
    return obstacle().isEmpty() ? recommendation_seconds(**session().study(), session().document(), trials(), forecast.get())
                                : -1;
}

void RepairRecommend::start() {
    if (live_.fresh()) live_.clear();
    live_.allow_again();
    JobInputs inputs = results().inputs();
    inputs.document.settings.repair = compared_settings();
    live_.want(key(), tr("Find the best repair"), Lane::Heavy,
               [inputs, trials = trials()](Progress& progress) { return make_recommendation(inputs, trials, progress); });
}

void RepairRecommend::adopt(std::size_t trial) {
    const auto found = live_.value();
    if (!found || trial >= found->trials.size() || !found->trials[trial].refusal.empty()) return;
    Document after = session().document();
    after.choose_repair(found->trials[trial].kind);
    if (repair_kind(found->trials[trial].kind).ridge) after.settings.repair.massive = found->trials[trial].massive;
    session().change(std::move(after), tr("Repair: %1").arg(QString::fromStdString(trial_words(found->trials[trial]))));
}

std::vector<Figure> RepairRecommend::figures() const { return {repair_ratios(live_.value().get(), outdated(live_))}; }

std::vector<Table> RepairRecommend::tables() const { return {repair_trials(live_.value().get())}; }

void RepairRecommend::expect() { live_.expect(key()); }

void RepairRecommend::show_adopt() {
    const auto found = live_.fresh_value();
    const Document& d = session().document();
    QString words = found ? QString::fromStdString(found->reason) + QLatin1Char('.') : QString();
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    const RepairTrial* best = found ? &found->recommended() : nullptr;
    const bool in_force =
        best && results().repair_row() == best->kind && (!repair_kind(best->kind).ridge || d.settings.repair.massive == best->massive);
    show_note(reason_, in_force ? words + QLatin1Char('\n') + tr("It is the repair in force.") : words);
    adopt_->setText(best ? tr("&Use %1").arg(QString::fromStdString(repair_kind(best->kind).label)) : tr("&Use it"));
    adopt_->setEnabled(best && !in_force);
}

void RepairRecommend::refresh() {
    run_->show(live_.value() ? tr("Try all again") : tr("Which repair is best?"), obstacle(), seconds());
    show_adopt();
    const auto found = live_.value();
    show_note(stale_, found && outdated(live_) ? stale_words(found->trials[0].repaired.variant.removed(), session()) : QString());
    ratios_->set_figure(figures()[0]);
    trials_->set_table(tables()[0]);
}

}  // namespace suture
