// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/ablation_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>

#include "core/base/error.h"
#include "ui/pages/ablation_cost.h"
#include "ui/pages/ablation_form.h"
#include "ui/pages/ablation_slices.h"
#include "ui/pages/control_panel.h"
#include "ui/pages/layout.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"
#include "ui/session/ablation_json.h"
#include "ui/session/recipe_jobs.h"

namespace suture {

AblationPage::AblationPage(Session& session, Results& results)
    : Page(QStringLiteral("ablation"), tr("Ablation"), tr("Which repair wins, over numbers of layers, texts, criteria and models?"),
           session, results),
      plan_(session.lanes()),
      ablation_(session.lanes(),
                [this] {
                    if (isVisible()) refresh();
                }),
      plot_(new PlotWidget(this)),
      rows_(new TitledTable(QStringLiteral("ablation.rows"), tr("Run an ablation to see every cut and repair on every text."), this)),
      wins_(new TitledTable(QStringLiteral("ablation.wins"), tr("How often each repair was best."), this)),
      domains_(new TitledTable(QStringLiteral("ablation.domains"), {}, this)),
      stale_(make_stale_note(QStringLiteral("ablation.stale"), this)),
      slices_(new AblationSlices(this)),
      controls_(new ControlPanel(id(), this)) {
    plot_->setObjectName(QStringLiteral("ablation.curves"));
    run_ = new RunControls(*controls_, session.lanes(), ablation_.live,
                           tr("Measures every combination of the specification below; what is finished is shown at once and kept"));
    note_ = controls_->add_note(QStringLiteral("size"));
    form_ = new AblationForm(*controls_, session);
    auto* counts = make_split(Qt::Vertical, {{wins_, 1}, {domains_, 1}}, this);
    auto* above = make_split(Qt::Horizontal, {{plot_, 4}, {counts, 3}}, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(slices_);
    column->addWidget(stale_);
    column->addWidget(make_split(Qt::Vertical, {{above, 6}, {rows_, 5}}, this), 1);
    column->addWidget(make_copy());
    connect(plot_, &PlotWidget::hovered, this, &Page::hovered);
    connect(run_, &RunControls::start, this, &AblationPage::start);
    connect(slices_, &AblationSlices::changed, this, &AblationPage::show_results);
    connect(form_, &AblationForm::failed, this, [this](const QString& sentence) {
        file_problem_ = sentence;
        show_controls();
    });
    connect(&session, &Session::document_changed, this, [this] { file_problem_.clear(); });
    for (LiveBase* live : std::initializer_list<LiveBase*>{&plan_, &ablation_.live})
        connect(
            live, &LiveBase::changed, this,
            [this] {
                if (isVisible()) refresh();
            },
            Qt::QueuedConnection);
    refresh();
}

QWidget* AblationPage::make_copy() {
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    const auto add = [&](const QString& name, const QString& text, const QString& help,
                         const std::function<std::string(const Table&)>& print) {
        auto* button = new QPushButton(text, row);
        button->setObjectName(QStringLiteral("ablation.copy_") + name);
        button->setToolTip(help);
        line->addWidget(button);
        copy_.push_back(button);
        connect(button, &QPushButton::clicked, this, [this, print] {
            std::string all;
            for (const Table& table : tables())
                if (!table.rows.empty()) all += (all.empty() ? "" : "\n") + print(table);
            QGuiApplication::clipboard()->setText(QString::fromStdString(all));
        });
    };
    add(QStringLiteral("markdown"), tr("Copy as Markdown"), tr("Copies all tables as Markdown"),
        [](const Table& t) { return t.to_markdown(); });
    add(QStringLiteral("latex"), tr("Copy as LaTeX"), tr("Copies all tables as LaTeX with booktabs"),
        [](const Table& t) { return t.to_latex(); });
    add(QStringLiteral("csv"), tr("Copy as CSV"), tr("Copies all tables as CSV with full precision"),
        [](const Table& t) { return t.to_csv(); });
    line->addStretch();
    return row;
}

QWidget* AblationPage::controls() { return controls_; }

void AblationPage::read_spec() {
    try {
        problem_.clear();
        spec_ = ablation_spec(session().document(), session().layers());
    } catch (const Error& error) {
        spec_.reset();
        problem_ = QString::fromUtf8(error.what());
    }
}

Key AblationPage::key() const {
    const nlohmann::json spec = ablation_json(session().document(), session().layers());
    auto texts = nlohmann::json::array();
    if (spec_)
        for (const auto* list : {&spec_->calibration, &spec_->evaluation})
            for (const NamedText& text : *list) texts.push_back(text_stamp(text.source));
    return Key::of({{"result", "ablation"}, {"spec", spec}, {"texts", texts}});
}

/// Of the parts of the specification that it depends on, so that a tick elsewhere costs nothing.
void AblationPage::want_plan() {
    if (!session().study() || !spec_) return;
    nlohmann::json parts = spec_->to_json();
    for (const char* other : {"criteria", "repairs"}) parts.erase(other);
    plan_.want(
        Key::of({{"result", "ablation plan"}, {"spec", parts}}), tr("Look at models and texts"), Lane::Light,
        [spec = *spec_, store = session().store()](Progress&) { return std::make_shared<const AblationPlan>(plan_ablation(spec, store)); });
}

QString AblationPage::obstacle() const {
    if (!file_problem_.isEmpty()) return file_problem_;
    if (!session().study()) return tr("Open a model first.");
    if (!spec_) return problem_;
    return plan_.state() == LiveBase::State::Failed ? plan_.message() : QString();
}

void AblationPage::start() {
    ablation_.start(key(), tr("Ablation"), [spec = *spec_, store = session().store()](Feed<Ablation>& feed, Progress& progress) {
        feed.change([&](Ablation& shown) {
            for (const NamedText& text : spec.evaluation) shown.evaluation.push_back(text.name);
        });
        const auto watch = [&](const AblationRow& row) { feed.change([&](Ablation& shown) { shown.rows.push_back(row); }); };
        return std::make_shared<const Ablation>(run_ablation(spec, store, progress, watch));
    });
}

QString AblationPage::words() const {
    QStringList lines;
    if (const auto shown = ablation_.shown(); shown && ablation_.partial()) {
        const auto done = qlonglong(shown->rows.size());
        lines << (ablation_.live.running() ? tr("%1 rows are done.").arg(done) : tr("Stopped after %1 rows, which are kept.").arg(done));
    }
    if (spec_ && session().study()) lines << ablation_words(*spec_);
    return lines.join(QLatin1Char('\n'));
}

void AblationPage::show_controls() {
    const auto plan = plan_.fresh_value();
    const bool known = plan && spec_ && session().study();
    const double seconds = known ? ablation_seconds(*spec_, *plan, **session().study(), results().forecast.value().get()) : -1;
    run_->show(ablation_.live.value() ? tr("Run again") : tr("Run"), obstacle(), seconds);
    show_note(note_, words());
    form_->show();
}

std::vector<Figure> AblationPage::figures() const {
    const auto shown = ablation_.shown();
    Figure curves = ablation_curves(shown.get(), slices_->slice());
    if (curves.empty.empty() && ablation_.outdated()) curves.caption = "stale · " + curves.caption;
    return {curves};
}

std::vector<Table> AblationPage::tables() const {
    const auto shown = ablation_.shown();
    const Ablation none;
    const Ablation& ablation = shown ? *shown : none;
    return {ablation.table(), ablation.wins(), ablation.domains()};
}

void AblationPage::show_results() {
    const auto shown = ablation_.shown();
    slices_->show_choices(shown.get());
    show_note(stale_,
              shown && ablation_.outdated() ? tr("Stale: the specification has changed since these numbers were measured.") : QString());
    plot_->set_figure(figures()[0]);
    const auto printed = tables();
    rows_->set_table(printed[0]);
    wins_->set_table(printed[1]);
    domains_->set_table(printed[2]);
    domains_->setVisible(!printed[2].rows.empty());
    for (QPushButton* button : copy_) button->setEnabled(!printed[0].rows.empty());
}

void AblationPage::refresh() {
    read_spec();
    want_plan();
    if (!ablation_.live.running()) ablation_.live.expect(key());  // a tick must not end a run of hours
    show_controls();
    show_results();
}

}  // namespace suture
