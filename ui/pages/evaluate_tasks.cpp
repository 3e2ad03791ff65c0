// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/evaluate_tasks.h"

#include <nlohmann/json.hpp>

#include "ui/pages/control_panel.h"
#include "ui/pages/evaluation_cost.h"
#include "ui/pages/layout.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/task_list.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"

namespace suture {

EvaluateTasks::EvaluateTasks(Session& session, Results& results, QWidget* parent)
    : PageView(QStringLiteral("evaluate.tasks"), tr("Tasks"), tr("Which abilities did it cost?"), session, results, parent),
      estimate_(session.lanes()),
      scores_(session.lanes(), [this] { refresh_if_seen(); }),
      bars_(new PlotWidget(this)),
      table_(new TitledTable(QStringLiteral("evaluate.tasks.table"),
                             tr("Score tasks to see variants × tasks, averages and retained performance."), this)),
      stale_(make_stale_note(QStringLiteral("evaluate.tasks.stale"), this)),
      controls_(new ControlPanel(objectName(), this)) {
    bars_->setObjectName(QStringLiteral("evaluate.tasks.bars"));
    run_ =
        new RunControls(*controls_, session.lanes(), scores_.live,
                        tr("Scores the chosen tasks, as lm-evaluation-harness does, on the dense model and on every repair chosen below"));
    note_ = controls_->add_note(QStringLiteral("size"));
    list_ = new TaskList(*controls_, session);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stale_);
    column->addWidget(make_split(Qt::Vertical, {{bars_, 4}, {table_, 3}}, this), 1);
    connect(bars_, &PlotWidget::hovered, this, &PageView::hovered);
    connect(run_, &RunControls::start, this, &EvaluateTasks::start);
    for (LiveBase* live : std::initializer_list<LiveBase*>{&estimate_, &scores_.live})
        connect(
            live, &LiveBase::changed, this, [this] { refresh_if_seen(); }, Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] {
        estimate_.clear();
        scores_.clear();
    });
}

QWidget* EvaluateTasks::controls() { return controls_; }

Key EvaluateTasks::dense_key() const {
    const TaskChoice& choice = session().document().measures.tasks;
    return Key::of({{"model", results().dense_key().hex()},
                    {"folder", choice.folder.string()},
                    {"tasks", choice.names},
                    {"settings", settings_to_json(choice.settings)}});
}

Key EvaluateTasks::key() const {
    return Key::of({{"result", "tasks"}, {"dense", dense_key().hex()}, {"variants", results().variants_key().hex()}});
}

QString EvaluateTasks::obstacle() const {
    const TaskChoice& choice = session().document().measures.tasks;
    if (!session().study()) return tr("Open a model first.");
    if (!session().study()->tokenizer()) return QString::fromStdString(session().study()->tokenizer_problem());
    if (choice.names.empty()) return tr("Choose at least one task first.");
    if (choice.folder.empty() && (choice.names.size() > 1 || !choice.names[0].starts_with("jsonl:")))
        return tr("Choose the folder that holds the tasks' files first.");
    if (estimate_.state() == LiveBase::State::Failed) return estimate_.message();
    return {};
}

void EvaluateTasks::want_estimate() {
    const Key wanted = Key::of({{"result", "task estimate"}, {"dense", dense_key().hex()}});
    estimate_.expect(wanted);
    if (estimate_.state() != LiveBase::State::Failed && obstacle().isEmpty())
        estimate_.want(wanted, tr("Look at the tasks"), Lane::Light,
                       [inputs = results().inputs()](Progress&) { return estimate_tasks(inputs); });
}

void EvaluateTasks::start() {
    scores_.start(key(), tr("Score tasks"), [inputs = results().inputs(), dense = dense_key()](Feed<TaskSet>& feed, Progress& progress) {
        return make_task_set(inputs, dense, feed, progress);
    });
}

double EvaluateTasks::seconds() const {
    const auto estimate = estimate_.fresh_value();
    if (!estimate) return -1;
    return evaluation_seconds(**session().study(), session().document(), std::int64_t(estimate->tokens), results().forecast.value().get());
}

QString EvaluateTasks::words() const {
    QStringList lines;
    if (const auto set = scores_.shown(); set && scores_.partial()) {
        const auto done = set->results.empty() ? 0 : int(set->results[0].size());
        lines << (scores_.live.running() ? tr("%1 of %2 tasks done, now %3").arg(done).arg(set->tasks).arg(QString::fromStdString(set->now))
                                         : tr("stopped after %1 of %2 tasks").arg(done).arg(set->tasks));
    }
    if (const auto estimate = estimate_.fresh_value()) {
        lines << tr("%1 questions").arg(QString::fromStdString(grouped(estimate->questions)));
        for (const std::string& remark : estimate->remarks) lines << QString::fromStdString(remark);
    }
    return lines.join(QLatin1Char('\n'));
}

std::vector<TaskScores> EvaluateTasks::rows() const {
    const auto set = scores_.shown();
    return set ? set->rows(marked(*set, scores_.outdated(), dense_key())) : std::vector<TaskScores>();
}

std::vector<Figure> EvaluateTasks::figures() const { return {task_bars(rows())}; }

std::vector<Table> EvaluateTasks::tables() const { return {task_scores_table(rows())}; }

void EvaluateTasks::expect() { scores_.live.expect(key()); }

void EvaluateTasks::refresh() {
    want_estimate();
    list_->show();
    run_->show(scores_.live.value() ? tr("Score again") : tr("Score"), obstacle(), seconds());
    show_note(note_, words());
    const auto set = scores_.shown();
    show_note(stale_, set && scores_.outdated() ? stale_words(set->removed, session()) : QString());
    bars_->set_figure(figures()[0]);
    table_->set_table(tables()[0]);
}

}  // namespace suture
