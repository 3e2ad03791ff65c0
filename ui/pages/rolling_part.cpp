// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/rolling_part.h"

#include <QFileDialog>
#include <QPushButton>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "core/figures/rolling.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"

namespace suture {

RollingPart::RollingPart(ControlPanel& panel, Session& session, Results& results, QWidget* parent)
    : QWidget(parent),
      session_(session),
      results_(results),
      size_(session.lanes()),
      live_(session.lanes()),
      table_(new TitledTable(QStringLiteral("evaluate.rolling.table"),
                             tr("Choose a raw WikiText file and measure to compare perplexity per word and per byte, which does not "
                                "depend on the tokenizer."),
                             this)),
      stale_(make_stale_note(QStringLiteral("evaluate.rolling.stale"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stale_);
    column->addWidget(table_, 1);
    auto* own = new ControlPanel(QStringLiteral("evaluate.rolling"), &panel);
    panel.add_other(own);
    own->add_heading(tr("Words and bytes"));
    file_ = own->add_button(QStringLiteral("file"), {}, {});
    form_ = std::make_unique<SettingsForm<RollingSettings>>(
        *own, std::vector<FormField>{{"rolling-limit", tr("Documents"), 0, 1000000, tr("all")}, {"rolling-spacing", tr("Spacing")}},
        [this](const RollingSettings& settings) {
            Document after = session_.document();
            after.measures.rolling.settings = settings;
            session_.change(std::move(after), tr("Rolling perplexity"), QStringLiteral("rolling"));
        });
    run_ = new RunControls(*own, session.lanes(), live_, tr("Measures perplexity per word and per byte, as lm_eval does"));
    connect(file_, &QPushButton::clicked, this, &RollingPart::choose_file);
    connect(run_, &RunControls::start, this, &RollingPart::start);
    for (LiveBase* live : std::initializer_list<LiveBase*>{&size_, &live_})
        connect(
            live, &LiveBase::changed, this,
            [this] {
                if (file_->isVisible()) refresh();
            },
            Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] {
        size_.clear();
        live_.clear();
    });
}

Key RollingPart::dense_key() const {
    const RollingChoice& choice = session_.document().measures.rolling;
    return Key::of(
        {{"model", results_.dense_key().hex()}, {"text", text_stamp({choice.file, {}})}, {"settings", settings_to_json(choice.settings)}});
}

Key RollingPart::key() const {
    return Key::of({{"result", "rolling"}, {"dense", dense_key().hex()}, {"variants", results_.variants_key().hex()}});
}

QString RollingPart::obstacle() const {
    if (!session_.study()) return tr("Open a model first.");
    if (!session_.study()->tokenizer()) return QString::fromStdString(session_.study()->tokenizer_problem());
    if (session_.document().measures.rolling.file.empty()) return tr("Choose a raw WikiText file first.");
    if (size_.state() == LiveBase::State::Failed) return size_.message();
    return {};
}

void RollingPart::want_size() {
    const RollingChoice& choice = session_.document().measures.rolling;
    const Key wanted = Key::of({{"result", "size of the rolling text"}, {"dense", dense_key().hex()}});
    size_.expect(wanted);
    if (!obstacle().isEmpty()) return;
    size_.want(wanted, tr("Look at the text"), Lane::Light, [study = session_.study(), choice](Progress&) {
        const RollingText text = rolling_text(**study, *study->tokenizer(), choice.file, choice.settings);
        return std::make_shared<const EvaluationSize>(EvaluationSize{std::int64_t(text.documents.size()), text.tokens()});
    });
}

double RollingPart::seconds() const {
    const auto size = size_.fresh_value();
    return size ? evaluation_seconds(**session_.study(), session_.document(), size->tokens, results_.forecast.value().get()) : -1;
}

void RollingPart::choose_file() {
    Document after = session_.document();
    auto& file = after.measures.rolling.file;
    const QString chosen =
        QFileDialog::getOpenFileName(this, tr("Text for word and byte perplexity"), QString::fromStdString(file.parent_path().string()),
                                     tr("Texts (*.raw *.txt *.tokens *.jsonl);;All files (*)"));
    if (chosen.isEmpty()) return;
    file = chosen.toStdString();
    session_.change(std::move(after), tr("Rolling perplexity: text"));
}

void RollingPart::start() {
    if (live_.fresh()) live_.clear();
    live_.allow_again();
    live_.want(key(), tr("Word and byte perplexity"), Lane::Heavy,
               [inputs = results_.inputs(), dense = dense_key()](Progress& progress) { return make_rolling_set(inputs, dense, progress); });
    Q_EMIT asked();
}

void RollingPart::expect() { live_.expect(key()); }

Table RollingPart::table() const {
    const auto set = live_.value();
    if (!set) return {.title = "Word and byte perplexity"};
    return rolling_comparison(marked(*set, outdated(live_), dense_key()), set->results);
}

void RollingPart::refresh() {
    want_size();
    const RollingChoice& choice = session_.document().measures.rolling;
    file_->setText(choice.file.empty() ? tr("Choose a text …") : QString::fromStdString(choice.file.filename().string()));
    file_->setToolTip(choice.file.empty() ? tr("A raw WikiText file, a .jsonl file or a text, scored as a whole")
                                          : QString::fromStdString(choice.file.string()) + tr("\nClick to choose another text"));
    form_->show(choice.settings);
    run_->show(tr("Measure"), obstacle(), seconds());
    const auto set = live_.value();
    show_note(stale_, set && outdated(live_) ? stale_words(set->removed, session_) : QString());
    table_->set_table(table());
}

}  // namespace suture
