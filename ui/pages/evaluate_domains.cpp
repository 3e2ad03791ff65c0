// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/evaluate_domains.h"

#include <QComboBox>
#include <QFileDialog>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ui/pages/control_panel.h"
#include "ui/pages/evaluation_cost.h"
#include "ui/pages/layout.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"
#include "ui/session/measure_jobs.h"

namespace suture {

EvaluateDomains::EvaluateDomains(Session& session, Results& results, QWidget* parent)
    : PageView(QStringLiteral("evaluate.domains"), tr("Domains"), tr("Does a patch help on other texts than the one it was fitted on?"),
               session, results, parent),
      live_(session.lanes()),
      map_(new PlotWidget(this)),
      table_(new TitledTable(QStringLiteral("evaluate.domains.table"), tr("Compare texts to see every patch's perplexity on every text."),
                             this)),
      stale_(make_stale_note(QStringLiteral("evaluate.domains.stale"), this)),
      controls_(new ControlPanel(objectName(), this)) {
    map_->setObjectName(QStringLiteral("evaluate.domains.map"));
    make_controls();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stale_);
    column->addWidget(make_split(Qt::Vertical, {{map_, 4}, {table_, 3}}, this), 1);
    connect(map_, &PlotWidget::hovered, this, &PageView::hovered);
    connect(
        &live_, &LiveBase::changed, this, [this] { refresh_if_seen(); }, Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] { live_.clear(); });
}

void EvaluateDomains::make_controls() {
    run_ = new RunControls(*controls_, session().lanes(), live_, tr("Fits the repair on every text and measures each patch on every text"));
    controls_->add_heading(tr("Repair and texts"));
    kind_ = controls_->add_combo(QStringLiteral("kind"), tr("&Repair"), tr("The repair that is fitted on every text"));
    for (const RepairInfo& info : repair_kinds())
        if (info.fitted)
            add_choice(kind_, QString::fromStdString(info.label), QString::fromStdString(info.name), QString::fromStdString(info.help));
    texts_ = new QListWidget(controls_);
    texts_->setObjectName(QStringLiteral("evaluate.domains.texts"));
    texts_->setToolTip(tr("Texts to compare; of each the first windows are fitted on, those behind them evaluated on"));
    texts_->setMaximumHeight(110);
    controls_->add_other(texts_);
    add_ = controls_->add_button(QStringLiteral("add"), tr("&Add texts …"), tr("Adds text files to compare"));
    remove_ = controls_->add_button(QStringLiteral("remove"), tr("Re&move from the list"), tr("Takes the selected text off the list"));
    windows_ = controls_->add_spin(QStringLiteral("windows"), tr("&Windows"), tr("At most so many windows of each text to evaluate on"));
    windows_->setSpecialValueText(tr("all"));
    windows_->setKeyboardTracking(false);
    connect(windows_, &QSpinBox::valueChanged, this, [this](int windows) {
        Document after = session().document();
        after.measures.domains.windows = windows;
        session().change(std::move(after), tr("Windows to compare on"), QStringLiteral("domain windows"));
    });
    connect(run_, &RunControls::start, this, &EvaluateDomains::start);
    connect(add_, &QPushButton::clicked, this, &EvaluateDomains::add_texts);
    connect(remove_, &QPushButton::clicked, this, &EvaluateDomains::remove_text);
    connect(texts_, &QListWidget::currentRowChanged, this, [this](int row) { remove_->setEnabled(row >= 0); });
    connect(kind_, &QComboBox::activated, this, [this] {
        Document after = session().document();
        after.choose_repair(kind_->currentData().toString().toStdString());
        session().change(std::move(after), tr("Repair: %1").arg(kind_->currentText()), QStringLiteral("Repair:"));
    });
}

QWidget* EvaluateDomains::controls() { return controls_; }

Key EvaluateDomains::key() const {
    const Document& d = session().document();
    auto texts = nlohmann::json::array();
    for (const auto& text : d.measures.domains.texts) texts.push_back(text_stamp({text, {}}));
    return Key::of({{"result", "domains"},
                    {"model", results().dense_key().hex()},
                    {"texts", texts},
                    {"removed", d.removed.layers()},
                    {"kind", d.repair},
                    {"settings", {d.settings.to_json()["windows"], d.settings.to_json()["calibration"], d.settings.to_json()["repair"]}},
                    {"windows", d.measures.domains.windows}});
}

QString EvaluateDomains::obstacle() const {
    const Document& d = session().document();
    if (!session().study()) return tr("Open a model first.");
    if (!session().study()->tokenizer()) return QString::fromStdString(session().study()->tokenizer_problem());
    if (d.removed.empty()) return tr("Choose the layers to remove first.");
    if (!repair_kind(d.repair).fitted) return tr("Choose a repair that is fitted to a text.");
    if (d.measures.domains.texts.size() < 2) return tr("Add at least two texts to compare.");
    return {};
}

void EvaluateDomains::start() {
    if (live_.fresh()) live_.clear();
    live_.allow_again();
    live_.want(key(), tr("Compare texts"), Lane::Heavy,
               [inputs = results().inputs()](Progress& progress) { return make_domain_matrix(inputs, progress); });
}

void EvaluateDomains::change(const std::vector<std::filesystem::path>& texts, const QString& step) {
    Document after = session().document();
    after.measures.domains.texts = texts;
    session().change(std::move(after), step);
}

void EvaluateDomains::add_texts() {
    auto texts = session().document().measures.domains.texts;
    for (const QString& file :
         QFileDialog::getOpenFileNames(this, tr("Texts to compare"), {}, tr("Texts (*.txt *.md *.raw);;All files (*)")))
        if (std::find(texts.begin(), texts.end(), file.toStdString()) == texts.end()) texts.emplace_back(file.toStdString());
    change(texts, tr("Texts to compare"));
}

void EvaluateDomains::remove_text() {
    auto texts = session().document().measures.domains.texts;
    const int row = texts_->currentRow();
    if (row < 0 || row >= int(texts.size())) return;
    texts.erase(texts.begin() + row);
    change(texts, tr("Texts to compare"));
}

void EvaluateDomains::show_texts() {
    const auto& texts = session().document().measures.domains.texts;
    const int row = texts_->currentRow();
    texts_->clear();
    for (const auto& text : texts) {
        auto* item = new QListWidgetItem(QString::fromStdString(text.filename().string()), texts_);
        item->setToolTip(QString::fromStdString(text.string()));
    }
    texts_->setCurrentRow(std::min(row, int(texts.size()) - 1));
    remove_->setEnabled(texts_->currentRow() >= 0);
}

std::vector<Figure> EvaluateDomains::figures() const {
    const auto matrix = live_.value();
    Figure map = domain_map(matrix.get());
    if (matrix && outdated(live_)) map.caption = "stale · " + map.caption;
    return {map};
}

std::vector<Table> EvaluateDomains::tables() const {
    const auto matrix = live_.value();
    if (!matrix) return {{.title = "Perplexity across texts"}};
    return {domain_table(*matrix, outdated(live_))};
}

void EvaluateDomains::expect() { live_.expect(key()); }

void EvaluateDomains::refresh() {
    const Document& d = session().document();
    show_choice(kind_, QString::fromStdString(d.repair));
    show_texts();
    show_value(windows_, 0, 100000, int(d.measures.domains.windows));
    run_->show(live_.value() ? tr("Compare again") : tr("Compare"), obstacle(),
               session().study() ? domain_seconds(**session().study(), d, results().forecast.value().get()) : -1);
    const auto matrix = live_.value();
    show_note(stale_, matrix && outdated(live_) ? stale_words(LayerSet(matrix->conditions.value("removed", std::vector<int>())), session())
                                                : QString());
    map_->set_figure(figures()[0]);
    table_->set_table(tables()[0]);
}

}  // namespace suture
