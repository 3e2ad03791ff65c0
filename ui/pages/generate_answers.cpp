// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/generate_answers.h"

#include <QFileDialog>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <nlohmann/json.hpp>

#include "ui/pages/chat_form.h"
#include "ui/pages/evaluation_cost.h"
#include "ui/pages/layout.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"

namespace suture {

GenerateAnswers::GenerateAnswers(Session& session, Results& results, QWidget* parent)
    : PageView(QStringLiteral("generate.answers"), tr("Check answers"), tr("Do they still come to the right answers?"), session, results,
               parent),
      size_(session.lanes()),
      answers_(session.lanes(), [this] { refresh_if_seen(); }),
      scores_(new TitledTable(QStringLiteral("generate.answers.scores"), tr("Choose problems with known answers and check them."), this)),
      problems_(new TitledTable(QStringLiteral("generate.answers.problems"),
                                tr("A .jsonl file, one problem per line: {\"prompt\": \"What is 6 times 7?\", \"answer\": \"42\"}"), this)),
      panes_(new TextPanes(QStringLiteral("generate.answers.texts"), tr("Choose a row to read what every variant wrote."), this)),
      stale_(make_stale_note(QStringLiteral("generate.answers.stale"), this)),
      controls_(new ControlPanel(objectName(), this)) {
    make_controls();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stale_);
    column->addWidget(make_split(Qt::Vertical, {{scores_, 3}, {problems_, 4}, {panes_, 5}}, this), 1);
    connect(problems_->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &GenerateAnswers::choose_problem);
    connect(run_, &RunControls::start, this, &GenerateAnswers::start);
    for (LiveBase* live : std::initializer_list<LiveBase*>{&size_, &answers_.live})
        connect(
            live, &LiveBase::changed, this, [this] { refresh_if_seen(); }, Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] {
        size_.clear();
        answers_.clear();
        problem_ = 0;
        show_chat_form(chat_, this->session());
    });
}

void GenerateAnswers::make_controls() {
    run_ = new RunControls(*controls_, session().lanes(), answers_.live,
                           tr("Lets the dense model and every repair chosen below work on the problems and compares their last answers"));
    controls_->add_heading(tr("Problems"));
    file_ = controls_->add_button(QStringLiteral("file"), {}, {});
    limit_ = controls_->add_spin(QStringLiteral("limit"), tr("Pro&blems"), tr("Only the first so many problems"));
    limit_->setSpecialValueText(tr("all"));
    limit_->setKeyboardTracking(false);
    chat_ = controls_->add_check(QStringLiteral("chat"), tr("Chat form"), tr("Puts every problem into the checkpoint's chat template"));
    instruction_ = new QLineEdit(controls_);
    instruction_->setObjectName(QStringLiteral("generate.answers.instruction"));
    instruction_->setPlaceholderText(tr("Instruction behind every problem"));
    instruction_->setToolTip(tr("Added behind every prompt, e.g. Put the final answer within \\boxed{}."));
    instruction_->setAccessibleName(tr("Instruction"));
    controls_->add_other(instruction_);
    sampling_ = make_sampling_form(*controls_, [this](const GenerationSettings& settings) {
        change([&](AnswerChoice& choice) { choice.generation = settings; }, tr("Sampling"));
    });
    connect(file_, &QPushButton::clicked, this, &GenerateAnswers::choose_file);
    connect(limit_, &QSpinBox::valueChanged, this,
            [this](int value) { change([value](AnswerChoice& choice) { choice.limit = value; }, tr("Number of problems")); });
    connect(chat_, &QCheckBox::toggled, this,
            [this](bool on) { change([on](AnswerChoice& choice) { choice.chat = on; }, tr("Chat form")); });
    connect(instruction_, &QLineEdit::editingFinished, this, [this] {
        change([this](AnswerChoice& choice) { choice.instruction = instruction_->text().toStdString(); }, tr("Instruction"));
    });
    show_chat_form(chat_, session());
    show_controls();
}

QWidget* GenerateAnswers::controls() { return controls_; }

void GenerateAnswers::change(const std::function<void(AnswerChoice&)>& edit, const QString& step) {
    Document after = session().document();
    edit(after.measures.answers);
    session().change(std::move(after), step, QStringLiteral("answers ") + step);
}

void GenerateAnswers::choose_file() {
    const QString now = QString::fromStdString(session().document().measures.answers.problems.parent_path().string());
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Problems with known answers"), now, tr("Problems (*.jsonl);;All files (*)"));
    if (!file.isEmpty()) change([&](AnswerChoice& choice) { choice.problems = file.toStdString(); }, tr("Problems"));
}

Key GenerateAnswers::dense_key() const {
    const AnswerChoice& choice = session().document().measures.answers;
    return Key::of({{"model", results().dense_key().hex()},
                    {"problems", text_stamp({choice.problems, {}})},
                    {"limit", choice.limit},
                    {"chat", choice.chat},
                    {"instruction", choice.instruction},
                    {"settings", settings_to_json(choice.generation)}});
}

Key GenerateAnswers::key() const {
    return Key::of({{"result", "answers"}, {"dense", dense_key().hex()}, {"variants", results().variants_key().hex()}});
}

QString GenerateAnswers::obstacle() const {
    if (!session().study()) return tr("Open a model first.");
    if (!session().study()->tokenizer()) return QString::fromStdString(session().study()->tokenizer_problem());
    if (session().document().measures.answers.problems.empty()) return tr("Choose a file of problems first.");
    if (size_.state() == LiveBase::State::Failed) return size_.message();
    return {};
}

void GenerateAnswers::want_size() {
    const Key wanted = Key::of({{"result", "size of the problems"}, {"dense", dense_key().hex()}});
    size_.expect(wanted);
    if (!obstacle().isEmpty()) return;
    size_.want(wanted, tr("Look at the problems"), Lane::Light,
               [choice = session().document().measures.answers](Progress&) { return size_of_problems(choice); });
}

double GenerateAnswers::seconds() const {
    const auto size = size_.fresh_value();
    const Document& d = session().document();
    return size ? generation_seconds(**session().study(), d, d.measures.answers.generation, size->problems, size->bytes,
                                     results().forecast.value().get())
                : -1;
}

void GenerateAnswers::start() {
    answers_.start(key(), tr("Check answers"),
                   [inputs = results().inputs(), dense = dense_key()](Feed<AnswerSet>& feed, Progress& progress) {
                       return make_answer_set(inputs, dense, feed, progress);
                   });
}

void GenerateAnswers::choose_problem() {
    const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(problems_->view()->model());
    const QModelIndex shown = problems_->view()->selectionModel()->currentIndex();
    if (!sorted || !shown.isValid()) return;
    problem_ = std::size_t(sorted->mapToSource(shown).row());
    show_problem();
}

void GenerateAnswers::show_problem() {
    std::vector<TextPane> panes;
    if (const auto set = answers_.shown()) {
        const auto variants = marked(*set, answers_.outdated(), dense_key());
        for (std::size_t v = 0; v < variants.size(); ++v) {
            if (problem_ >= set->rows[v].size()) continue;
            const ReasoningRow& row = set->rows[v][problem_];
            panes.push_back({QString::fromStdString(variants[v].shown()), variants[v].shown_role(),
                             QString::fromStdString(row.generation.text),
                             tr(row.correct ? "right: %1" : "wrong: %1").arg(QString::fromStdString(row.answer.value_or("no answer"))) +
                                 (row.generation.ended ? QString() : tr(" · ended by the limit"))});
        }
    }
    panes_->set_panes(panes);
}

std::vector<Table> GenerateAnswers::tables() const {
    const auto set = answers_.shown();
    if (!set) return {{.title = "Answers"}, {.title = "Problems"}};
    const auto variants = marked(*set, answers_.outdated(), dense_key());
    return {answers_table(variants, set->results), problems_table(variants, set->rows)};
}

void GenerateAnswers::expect() { answers_.live.expect(key()); }

void GenerateAnswers::show_controls() {
    const AnswerChoice& choice = session().document().measures.answers;
    file_->setText(choice.problems.empty() ? tr("Choose problems …") : QString::fromStdString(choice.problems.filename().string()));
    file_->setToolTip(choice.problems.empty() ? tr("A .jsonl file with a prompt and an answer on every line")
                                              : QString::fromStdString(choice.problems.string()) + tr("\nClick to choose another file"));
    show_value(limit_, 0, 1000000, int(choice.limit));
    show_checked(chat_, choice.chat);
    if (const QString text = QString::fromStdString(choice.instruction); !instruction_->hasFocus() && text != instruction_->text())
        instruction_->setText(text);
    sampling_->show(choice.generation);
    run_->show(answers_.live.value() ? tr("Check again") : tr("Check"), obstacle(), seconds());
}

void GenerateAnswers::refresh() {
    want_size();
    show_controls();
    const auto set = answers_.shown();
    show_note(stale_, set && answers_.outdated() ? stale_words(set->removed, session()) : QString());
    const auto drawn = tables();
    scores_->set_table(drawn[0]);
    {
        const QSignalBlocker silent(problems_->view()->selectionModel());  // rows that come in must not change what is read
        problems_->set_table(drawn[1]);
    }
    show_problem();
}

}  // namespace suture
