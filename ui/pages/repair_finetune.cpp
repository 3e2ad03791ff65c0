// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/repair_finetune.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "core/figures/finetune.h"
#include "ui/pages/layout.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"

namespace suture {
namespace {

enum Along { LogSteps, Steps, Seconds };

std::vector<FormField> simple_rows() {
    return {{"ft-train", QObject::tr("&Train")},
            {"ft-minutes", QObject::tr("&Minutes"), 0, 10000, QObject::tr("no limit")},
            {"ft-epochs", QObject::tr("&Epochs"), 1, 10000},
            {"ft-learning-rate", QObject::tr("&Learning rate"), 0, 1, {}, 6}};
}

std::vector<FormField> advanced_rows() {
    return {{"ft-start", QObject::tr("Start from")},
            {"ft-target", QObject::tr("Target")},
            {"ft-top-k", QObject::tr("Top K"), 1, 1000000},
            {"ft-batch", QObject::tr("Batch"), 1, 10000},
            {"ft-decay", QObject::tr("Decay"), 0, 1000, {}, 4},
            {"ft-clip", QObject::tr("Gradient norm"), 0, 1000, QObject::tr("no limit")},
            {"ft-validation", QObject::tr("Validation"), 1, 100000},
            {"ft-validate-every", QObject::tr("Validate every"), 1, 100000},
            {"ft-patience", QObject::tr("Patience"), 0, 100000, QObject::tr("never stop")}};
}

}  // namespace

RepairFineTune::RepairFineTune(Session& session, Results& results, QWidget* parent)
    : PageView(QStringLiteral("repair.finetune"), tr("Fine-tuning"), tr("Does the repair get better by learning from the dense model?"),
               session, results, parent),
      cost_(session.lanes()),
      curves_(new PlotWidget(this)),
      facts_(new TitledTable(QStringLiteral("repair.finetune.facts"), tr("No run yet."), this)),
      stale_(make_stale_note(QStringLiteral("repair.finetune.stale"), this)),
      controls_(new ControlPanel(objectName(), this)) {
    curves_->setObjectName(QStringLiteral("repair.finetune.curves"));
    make_controls();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stale_);
    column->addWidget(make_split(Qt::Vertical, {{curves_, 3}, {facts_, 2}}, this), 1);
    connect(curves_, &PlotWidget::hovered, this, &PageView::hovered);
    connect(run_, &RunControls::start, this, [this] {
        this->results().finetune();
        seen_ = 0;
        watch_.start();
    });
    watch_.setInterval(100);
    connect(&watch_, &QTimer::timeout, this, &RepairFineTune::look);
    connect(
        &cost_, &LiveBase::changed, this, [this] { refresh_if_seen(); }, Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] { cost_.clear(); });
}

void RepairFineTune::make_controls() {
    run_ = new RunControls(*controls_, session().lanes(), results().finetuning.live,
                           tr("Trains the repair on the calibration text until it answers as the dense model does"));
    run_->set_stop(tr("Stop and keep the best"), tr("Ends the training; the best weights so far become the repair"));
    outcome_ = controls_->add_note(QStringLiteral("outcome"));
    use_ = controls_->add_check(QStringLiteral("use"), tr("&Use the fine-tuned weights"),
                                tr("On every page and in the export, in place of the repair as it was fitted"));
    connect(use_, &QCheckBox::toggled, this, [this](bool on) {
        Document after = session().document();
        after.finetuned = on;
        session().change(std::move(after), on ? tr("Use the fine-tuned weights") : tr("Use the fitted weights"));
    });
    make_settings();
    controls_->add_heading(tr("Plot"));
    axis_ = controls_->add_combo(QStringLiteral("axis"), tr("&Along"), tr("What the curves are drawn over"));
    add_choice(axis_, tr("Steps, logarithmic"), LogSteps);
    add_choice(axis_, tr("Steps"), Steps);
    add_choice(axis_, tr("Seconds"), Seconds);
    connect(axis_, &QComboBox::activated, this, &RepairFineTune::refresh);
}

void RepairFineTune::make_settings() {
    controls_->add_heading(tr("Training"));
    const auto changed = [this](const DistilSettings& settings) {
        Document after = session().document();
        after.settings.distillation = settings;
        session().change(std::move(after), tr("Fine-tuning"), QStringLiteral("fine-tuning"));
    };
    form_ = std::make_unique<SettingsForm<DistilSettings>>(*controls_, simple_rows(), changed);
    cost_note_ = controls_->add_note(QStringLiteral("cost"));
    unfold_ = controls_->add_button(QStringLiteral("unfold"), tr("More …"), tr("Shows or hides the settings that seldom matter"));
    advanced_ = new ControlPanel(objectName(), controls_);
    advanced_form_ = std::make_unique<SettingsForm<DistilSettings>>(*advanced_, advanced_rows(), changed);
    controls_->add_other(advanced_);
    connect(unfold_, &QPushButton::clicked, this, [this] { show_advanced(advanced_->isHidden()); });
    show_advanced(false);
}

void RepairFineTune::show_advanced(bool shown) {
    advanced_->setVisible(shown);
    unfold_->setText(shown ? tr("Less") : tr("More …"));
}

QWidget* RepairFineTune::controls() { return controls_; }

void RepairFineTune::expect() {}  // the results know what is wanted

void RepairFineTune::look() {
    const FineTuning& tuning = results().finetuning;
    if (tuning.version() != seen_) {
        seen_ = tuning.version();
        refresh_if_seen();
    }
    if (!tuning.live.running()) watch_.stop();
}

void RepairFineTune::want_cost() {
    if (!results().why_not_finetune().isEmpty()) return;
    const Document& d = session().document();
    const auto start = results().untrained();
    if (!start) return;
    const Key key = Key::of({{"result", "fine-tuning cost"},
                             {"start", start->variant.to_json()},
                             {"model", results().dense_key().hex()},
                             {"text", text_stamp(d.calibration)},
                             {"windows", settings_to_json(d.settings.windows)},
                             {"settings", settings_to_json(d.settings.distillation)}});
    cost_.want(key, tr("Look at the training text"), Lane::Light,
               [inputs = results().inputs(), start](Progress&) { return make_finetuning_cost(inputs, *start); });
}

QString RepairFineTune::obstacle() const {
    if (const QString why = results().why_not_finetune(); !why.isEmpty()) return why;
    if (const auto cost = cost_.fresh_value(); cost && results().untrained()) return QString::fromStdString(cost->problem);
    return {};
}

QString RepairFineTune::outcome_words() const {
    const auto run = results().finetuning.live.fresh_value();
    if (!run) return {};
    QString ended = QString::fromStdString(run->ended);
    if (!ended.isEmpty()) ended[0] = ended[0].toUpper();
    if (run->best == 0) return tr("%1. No step was better than the start, so the repair stays as it was fitted.").arg(ended);
    return results().finetuned() ? tr("%1. The fine-tuned repair is in force.").arg(ended) : tr("%1.").arg(ended);
}

std::vector<Figure> RepairFineTune::figures() const {
    const auto run = results().finetuning.shown();
    const auto along = Along(axis_->currentData().toInt());
    Figure figure = finetuning_curves(run.get(), along == Seconds, along == LogSteps);
    if (run && results().finetuning.outdated()) figure.caption = "stale: another repair than the one chosen now · " + figure.caption;
    return {figure};
}

std::vector<Table> RepairFineTune::tables() const { return {finetuning_facts(results().finetuning.shown().get())}; }

void RepairFineTune::refresh() {
    want_cost();
    const Document& d = session().document();
    form_->show(d.settings.distillation);
    advanced_form_->show(d.settings.distillation);
    const auto& tuning = results().finetuning;
    run_->show(tuning.shown() ? tr("Fine-tune again") : tr("Fine-tune"), obstacle(), -1);
    const auto cost = cost_.fresh_value();
    show_note(cost_note_, cost && results().untrained() ? QString::fromStdString(cost_words(cost->cost)) + QLatin1Char('.') : QString());
    show_note(outcome_, outcome_words());
    const auto run = tuning.live.fresh_value();
    use_->setVisible(run && run->best > 0);
    show_checked(use_, d.finetuned);
    show_note(stale_, tuning.shown() && tuning.outdated()
                          ? tr("Stale: this run trained another repair than the one chosen now, or on other text.")
                          : QString());
    curves_->set_figure(figures()[0]);
    facts_->set_table(tables()[0]);
    if (tuning.live.running() && !watch_.isActive()) watch_.start();
}

}  // namespace suture
