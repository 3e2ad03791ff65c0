// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/evaluate_text.h"

#include <QFileDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ui/pages/control_panel.h"
#include "ui/pages/layout.h"
#include "ui/pages/rolling_part.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"
#include "ui/pages/window_look.h"
#include "ui/plots/plot_widget.h"
#include "ui/session/windows_cache.h"

namespace suture {
namespace {

/// All bars as one grey series: what each of them means is written below it.
Series greyed(const std::vector<Series>& bars) {
    Series all{.name = "stale", .style = Series::Style::Bars};
    const auto append = [](std::vector<double>& to, const std::vector<double>& from) { to.insert(to.end(), from.begin(), from.end()); };
    for (const Series& series : bars) {
        append(all.x, series.x);
        append(all.y, series.y);
        append(all.low, series.low);
        append(all.high, series.high);
    }
    return all;
}

/// The dense model does not depend on the choice of layers.
bool dense_holds(const std::vector<EvaluationRow>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const EvaluationRow& row) { return row.kind == "dense" && !row.stale; });
}

QString file_name(const TextSource& source) {
    return QString::fromStdString((source.ids.empty() ? source.text : source.ids).filename().string());
}

}  // namespace

EvaluateText::EvaluateText(Session& session, Results& results, QWidget* parent)
    : PageView(QStringLiteral("evaluate.text_view"), tr("Text"), tr("How surprised is the model by a text?"), session, results, parent),
      size_(session.lanes()),
      bars_(new PlotWidget(this)),
      stale_(make_stale_note(QStringLiteral("evaluate.stale"), this)),
      controls_(new ControlPanel(QStringLiteral("evaluate"), this)) {
    bars_->setObjectName(QStringLiteral("evaluate.bars"));
    make_controls();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stale_);
    column->addWidget(make_split(Qt::Vertical, {{bars_, 4}, {make_companions(), 3}}, this), 1);
    connect(bars_, &PlotWidget::hovered, this, &PageView::hovered);
    connect(windows_look_, &WindowLook::hovered, this, &PageView::hovered);
    connect(&size_, &LiveBase::changed, this, [this] {
        if (isVisible()) show_button();
    });
    connect(&session, &Session::study_changed, this, [this] { size_.clear(); });
}

QWidget* EvaluateText::make_companions() {
    auto* companions = new QTabWidget(this);
    companions->setObjectName(QStringLiteral("evaluate.companions"));
    companions->setDocumentMode(true);
    table_ = new TitledTable(QStringLiteral("evaluate.table"), tr("Evaluate to see what the removal costs."), this);
    windows_look_ = new WindowLook(session(), results(), this);
    rolling_ = new RollingPart(*controls_, session(), results(), this);
    companions->addTab(table_, tr("Table"));
    companions->addTab(windows_look_, tr("Window by window"));
    companions->addTab(rolling_, tr("Words and bytes"));
    connect(rolling_, &RollingPart::asked, companions, [companions, this] { companions->setCurrentWidget(rolling_); });
    return companions;
}

void EvaluateText::make_controls() {
    evaluate_ = controls_->add_button(QStringLiteral("button"), tr("Evaluate"), {});
    obstacle_ = controls_->add_note(QStringLiteral("obstacle"));
    controls_->add_heading(tr("Text"));
    text_ = controls_->add_button(QStringLiteral("text"), {}, {});
    windows_ = controls_->add_spin(QStringLiteral("windows"), tr("&Windows"), tr("At most so many windows from the beginning of the text"));
    windows_->setSpecialValueText(tr("all"));
    windows_->setKeyboardTracking(false);
    size_note_ = controls_->add_note(QStringLiteral("size"));
    connect(evaluate_, &QPushButton::clicked, &results(), &Results::evaluate);
    connect(text_, &QPushButton::clicked, this, &EvaluateText::choose_text);
    connect(windows_, &QSpinBox::valueChanged, this, &EvaluateText::change_windows);
}

QWidget* EvaluateText::controls() { return controls_; }

void EvaluateText::change_windows() {
    Document after = session().document();
    after.settings.evaluation_windows = windows_->value();
    session().change(std::move(after), tr("Windows to evaluate"), QStringLiteral("evaluation windows"));
}

void EvaluateText::choose_text() {
    const TextSource& now = session().document().evaluation;
    const QString file = QFileDialog::getOpenFileName(this, tr("Evaluation text"), QString::fromStdString(now.text.parent_path().string()),
                                                      tr("Texts (*.txt *.md);;Token ids (*.json);;All files (*)"));
    if (file.isEmpty()) return;
    Document after = session().document();
    after.evaluation = file.endsWith(QStringLiteral(".json")) ? TextSource{{}, file.toStdString()} : TextSource{file.toStdString(), {}};
    session().change(std::move(after), tr("Evaluation text"));
}

void EvaluateText::want_size() {
    const Document& d = session().document();
    if (!session().study() || d.evaluation.empty()) return;
    const Key key = Key::of({{"result", "size of the evaluation text"},
                             {"model", d.model.string()},
                             {"text", text_stamp(d.evaluation)},
                             {"windows", settings_to_json(d.settings.windows)},
                             {"at most", d.settings.evaluation_windows}});
    size_.want(key, tr("Look at the evaluation text"), Lane::Light,
               [study = session().study(), source = d.evaluation, settings = d.settings](Progress&) {
                   const Windows windows = study->evaluation_windows(source, settings);
                   return std::make_shared<const EvaluationSize>(EvaluationSize{std::int64_t(windows.ids.size()), windows.tokens()});
               });
}

void EvaluateText::show_controls() {
    const Document& d = session().document();
    text_->setText(d.evaluation.empty() ? tr("Choose a text …") : file_name(d.evaluation));
    text_->setToolTip(d.evaluation.empty()
                          ? tr("The text on which perplexity is measured")
                          : QString::fromStdString((d.evaluation.ids.empty() ? d.evaluation.text : d.evaluation.ids).string()) +
                                tr("\nClick to choose another text"));
    show_value(windows_, 0, 100000, int(d.settings.evaluation_windows));
}

QString EvaluateText::size_words() const {
    if (size_.state() == LiveBase::State::Failed) return size_.message();
    const auto size = size_.fresh_value();
    if (!size) return size_.running() ? tr("Looking at the text …") : QString();
    return tr("%1 windows of %2 tokens, %3 in all")
        .arg(QString::fromStdString(grouped(size->windows)))
        .arg(session().document().settings.windows.seqlen)
        .arg(QString::fromStdString(grouped(size->tokens)));
}

void EvaluateText::show_button() {
    size_note_->setText(size_words());
    const QString obstacle = results().why_not_evaluate();
    evaluate_->setEnabled(obstacle.isEmpty());
    evaluate_->setToolTip(obstacle.isEmpty() ? tr("Measures the perplexity of the dense model and of every repair chosen below")
                                             : obstacle);
    const auto size = size_.fresh_value();
    const double seconds =
        size ? evaluation_seconds(**session().study(), session().document(), size->tokens, results().forecast.value().get()) : -1;
    const QString name = results().evaluation.value() ? tr("Evaluate again") : tr("Evaluate");
    evaluate_->setText(obstacle.isEmpty() && seconds >= 0 ? tr("%1 (about %2)").arg(name, duration_words(std::max(1.0, seconds))) : name);
    obstacle_->setText(results().evaluation.state() == LiveBase::State::Failed ? results().evaluation.message() : obstacle);
    obstacle_->setVisible(!obstacle_->text().isEmpty());
}

QString EvaluateText::stale() const {
    const auto set = results().evaluation.value();
    return set && outdated(results().evaluation) ? stale_words(set->removed, session()) : QString();
}

std::vector<Figure> EvaluateText::figures() const {
    const auto rows = results().evaluation_rows();
    std::vector<Figure> figures{perplexity_bars(rows), window_perplexities(rows)};
    if (!outdated(results().evaluation)) return figures;
    std::vector<Series> shown, old;
    for (const Series& series : figures[0].series) (series.role == Role::Dense && dense_holds(rows) ? shown : old).push_back(series);
    if (!old.empty()) shown.push_back(greyed(old));
    figures[0].series = std::move(shown);
    for (Series& series : figures[1].series) series.role = Role::Neutral;
    return figures;
}

std::vector<Table> EvaluateText::tables() const { return {evaluation_table(results().evaluation_rows()), rolling_->table()}; }

void EvaluateText::expect() { rolling_->expect(); }

void EvaluateText::refresh() {
    want_size();
    show_controls();
    show_button();
    show_note(stale_, stale());
    const auto drawn = figures();
    bars_->set_figure(drawn[0]);
    windows_look_->set_figure(drawn[1]);
    table_->set_table(tables()[0]);
    rolling_->refresh();
}

}  // namespace suture
