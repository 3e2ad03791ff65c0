// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/generate_prompt.h"

#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTabWidget>
#include <nlohmann/json.hpp>

#include "ui/pages/chat_form.h"
#include "ui/pages/evaluation_cost.h"
#include "ui/pages/layout.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"

namespace suture {
namespace {

/// "64 tokens, 120.3 per second, ended by the limit"
QString note_of(const TextSet& set, std::size_t variant, bool running) {
    const QString tokens = QObject::tr("%1 tokens").arg(set.tokens[variant]);
    if (set.generations.empty()) return running ? tokens + QStringLiteral(" …") : QObject::tr("%1, stopped").arg(tokens);
    const Generation& g = set.generations[variant];
    const QString speed = g.tokens_per_second() > 0
                              ? QObject::tr(", %1 per second").arg(QString::fromStdString(significant(g.tokens_per_second(), 3)))
                              : QString();
    return tokens + speed + (g.ended ? QObject::tr(", ended by itself") : QObject::tr(", ended by the limit"));
}

}  // namespace

GeneratePrompt::GeneratePrompt(Session& session, Results& results, QWidget* parent)
    : PageView(QStringLiteral("generate.prompt"), tr("Prompt"), tr("What do the variants write behind the same words?"), session, results,
               parent),
      texts_(session.lanes(), [this] { refresh_if_seen(); }),
      panes_(new TextPanes(QStringLiteral("generate.texts"),
                           tr("Type a prompt and run it: the texts of the dense and the pruned model appear here side by side."), this)),
      losses_(new PlotWidget(this)),
      table_(new TitledTable(QStringLiteral("generate.table"), tr("Run a prompt to see lengths and speeds."), this)),
      stale_(make_stale_note(QStringLiteral("generate.stale"), this)),
      controls_(new ControlPanel(objectName(), this)) {
    losses_->setObjectName(QStringLiteral("generate.losses"));
    make_controls();
    auto* companions = new QTabWidget(this);
    companions->setDocumentMode(true);
    companions->addTab(losses_, tr("Where they disagree"));
    companions->addTab(table_, tr("Table"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(make_prompt());
    column->addWidget(stale_);
    column->addWidget(make_split(Qt::Vertical, {{panes_, 1}, {companions, 1}}, this), 1);
    connect(losses_, &PlotWidget::hovered, this, &PageView::hovered);
    connect(run_, &RunControls::start, this, &GeneratePrompt::start);
    connect(
        &texts_.live, &LiveBase::changed, this, [this] { refresh_if_seen(); }, Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] {
        texts_.clear();
        show_chat_form(chat_, this->session());
    });
}

QWidget* GeneratePrompt::make_prompt() {
    prompt_ = new QPlainTextEdit(this);
    prompt_->setObjectName(QStringLiteral("generate.editor"));
    prompt_->setPlaceholderText(tr("The beginning of a text, or a question"));
    prompt_->setAccessibleName(tr("Prompt"));
    prompt_->setToolTip(tr("What all variants read"));
    prompt_->setTabChangesFocus(true);
    prompt_->setFixedHeight(4 * prompt_->fontMetrics().lineSpacing() + 16);
    connect(prompt_, &QPlainTextEdit::textChanged, this,
            [this] { change([this](PromptChoice& choice) { choice.prompt = prompt_->toPlainText().toStdString(); }, tr("Prompt")); });
    return prompt_;
}

void GeneratePrompt::make_controls() {
    run_ = new RunControls(*controls_, session().lanes(), texts_.live,
                           tr("Lets the dense model and every repair chosen below continue the prompt"));
    chat_ = controls_->add_check(QStringLiteral("chat"), tr("Chat form"), tr("Puts the prompt into the checkpoint's chat template"));
    connect(chat_, &QCheckBox::toggled, this,
            [this](bool on) { change([on](PromptChoice& choice) { choice.chat = on; }, tr("Chat form")); });
    sampling_ = make_sampling_form(*controls_, [this](const GenerationSettings& settings) {
        change([&](PromptChoice& choice) { choice.generation = settings; }, tr("Sampling"));
    });
    show_chat_form(chat_, session());
}

QWidget* GeneratePrompt::controls() { return controls_; }

void GeneratePrompt::change(const std::function<void(PromptChoice&)>& edit, const QString& step) {
    Document after = session().document();
    edit(after.measures.prompt);
    session().change(std::move(after), step, QStringLiteral("prompt ") + step);
}

Key GeneratePrompt::dense_key() const {
    const PromptChoice& choice = session().document().measures.prompt;
    return Key::of({{"model", results().dense_key().hex()},
                    {"prompt", choice.prompt},
                    {"chat", choice.chat},
                    {"settings", settings_to_json(choice.generation)}});
}

Key GeneratePrompt::key() const {
    return Key::of({{"result", "texts"}, {"dense", dense_key().hex()}, {"variants", results().variants_key().hex()}});
}

QString GeneratePrompt::obstacle() const {
    if (!session().study()) return tr("Open a model first.");
    if (!session().study()->tokenizer()) return QString::fromStdString(session().study()->tokenizer_problem());
    if (session().document().measures.prompt.prompt.empty()) return tr("Type a prompt first.");
    return {};
}

double GeneratePrompt::seconds() const {
    const PromptChoice& choice = session().document().measures.prompt;
    if (!session().study()) return -1;
    return generation_seconds(**session().study(), session().document(), choice.generation, 1, std::int64_t(choice.prompt.size()),
                              results().forecast.value().get());
}

void GeneratePrompt::start() {
    texts_.start(key(), tr("Generate"), [inputs = results().inputs(), dense = dense_key()](Feed<TextSet>& feed, Progress& progress) {
        return make_text_set(inputs, dense, feed, progress);
    });
}

std::vector<VariantLabel> GeneratePrompt::labels() const {
    const auto set = texts_.shown();
    return set ? marked(*set, texts_.outdated(), dense_key()) : std::vector<VariantLabel>();
}

std::vector<TextPane> GeneratePrompt::panes() const {
    std::vector<TextPane> panes;
    const auto set = texts_.shown();
    const auto variants = labels();
    for (std::size_t v = 0; v < variants.size(); ++v)
        panes.push_back({QString::fromStdString(variants[v].shown()), variants[v].shown_role(), QString::fromStdString(set->texts[v]),
                         note_of(*set, v, texts_.live.running())});
    return panes;
}

std::vector<Figure> GeneratePrompt::figures() const {
    const auto set = texts_.shown();
    return {loss_differences(labels(), set && !set->losses.losses.empty() ? &set->losses : nullptr)};
}

std::vector<Table> GeneratePrompt::tables() const {
    const auto set = texts_.shown();
    if (!set) return {{.title = "Texts"}};
    return {generation_table(labels(), set->generations, set->losses.losses.empty() ? nullptr : &set->losses)};
}

void GeneratePrompt::expect() { texts_.live.expect(key()); }

void GeneratePrompt::refresh() {
    const PromptChoice& choice = session().document().measures.prompt;
    if (const QString text = QString::fromStdString(choice.prompt); text != prompt_->toPlainText()) {
        const QSignalBlocker silent(prompt_);
        prompt_->setPlainText(text);
    }
    show_checked(chat_, choice.chat);
    sampling_->show(choice.generation);
    run_->show(texts_.live.value() ? tr("Run again") : tr("Run"), obstacle(), seconds());
    const auto set = texts_.shown();
    show_note(stale_, set && texts_.outdated() ? stale_words(set->removed, session()) : QString());
    panes_->set_panes(panes());
    losses_->set_figure(figures()[0]);
    table_->set_table(tables()[0]);
}

}  // namespace suture
