// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/ablation_sources.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <algorithm>
#include <filesystem>

#include "ui/pages/control_panel.h"
#include "ui/session/ablation_json.h"
#include "ui/widgets/check_table.h"

namespace suture {
namespace {

std::string file_of(const nlohmann::json& text) { return text.value("text", text.value("ids", std::string())); }

/// Two buttons beside each other below a list.
void add_buttons(ControlPanel& panel, QPushButton*& add, QPushButton*& remove, const QString& name, const QString& text) {
    auto* row = new QWidget(&panel);
    add = new QPushButton(text, row);
    add->setObjectName(QStringLiteral("ablation.add_") + name);
    remove = new QPushButton(QObject::tr("Remove"), row);
    remove->setObjectName(QStringLiteral("ablation.remove_") + name);
    remove->setToolTip(QObject::tr("Takes the chosen line off the list"));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(add, 1);
    line->addWidget(remove, 1);
    panel.add_other(row);
}

}  // namespace

AblationSources::AblationSources(ControlPanel& panel, Session& session) : QObject(&panel), session_(session), panel_(panel) {
    make_models(panel);
    make_texts(panel);
}

void AblationSources::make_models(ControlPanel& panel) {
    panel.add_heading(tr("Models"));
    models_ = new QListWidget(&panel);
    models_->setObjectName(QStringLiteral("ablation.models"));
    models_->setToolTip(tr("Every model is ablated in turn"));
    models_->setFixedHeight(3 * (models_->fontMetrics().height() + 4) + 2 * models_->frameWidth());
    panel.add_other(models_);
    add_buttons(panel, add_model_, remove_model_, QStringLiteral("model"), tr("Add model …"));
    add_model_->setToolTip(tr("Adds the folder of another checkpoint"));
    connect(add_model_, &QPushButton::clicked, this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(&panel_, tr("Folder of a model"));
        if (!folder.isEmpty()) add_model(folder.toStdString());
    });
    connect(remove_model_, &QPushButton::clicked, this, &AblationSources::remove_model);
    connect(models_, &QListWidget::currentRowChanged, this, [this](int row) { remove_model_->setEnabled(row >= 0); });
}

void AblationSources::make_texts(ControlPanel& panel) {
    panel.add_heading(tr("Texts"));
    texts_ = new CheckTable(QStringLiteral("ablation.texts"), {tr("name"), tr("calibrate"), tr("measure")}, 4, &panel);
    texts_->set_editable(true);
    texts_->setToolTip(
        tr("Which texts are calibrated on, and which are measured on. Texts of one name are of one domain; type over a name to change it"));
    panel.add_other(texts_);
    add_buttons(panel, add_text_, remove_text_, QStringLiteral("text"), tr("Add text …"));
    add_text_->setToolTip(tr("Adds text files to calibrate and measure on"));
    connect(add_text_, &QPushButton::clicked, this, [this] {
        for (const QString& file : QFileDialog::getOpenFileNames(&panel_, tr("Texts"), {}, tr("Texts (*.txt *.md *.raw);;All files (*)")))
            add_text(file.toStdString());
    });
    connect(remove_text_, &QPushButton::clicked, this, &AblationSources::remove_text);
    connect(texts_, &CheckTable::edited, this, &AblationSources::take_texts);
    connect(texts_, &QTableWidget::currentCellChanged, this, [this](int row) { remove_text_->setEnabled(row >= 0); });
}

void AblationSources::add_model(const std::filesystem::path& folder) {
    change_ablation(session_, tr("Another model to ablate"), [&](nlohmann::json& spec) { spec["models"].push_back(folder.string()); });
}

void AblationSources::remove_model() {
    const int row = models_->currentRow();
    if (row < 0) return;
    change_ablation(session_, tr("One model less to ablate"), [row](nlohmann::json& spec) { spec["models"].erase(std::size_t(row)); });
}

void AblationSources::add_text(const std::filesystem::path& file) {
    entries_.push_back({{{"name", text_name(file)}, {"text", file.string()}}, true, true});
    write_texts(tr("Another text"));
}

void AblationSources::remove_text() {
    const int row = texts_->chosen_row();
    if (row < 0 || row >= int(entries_.size())) return;
    entries_.erase(entries_.begin() + row);
    write_texts(tr("One text less"));
}

void AblationSources::take_texts() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const CheckTable::Row& row = texts_->rows()[i];
        entries_[i].text["name"] = row.name.toStdString();
        entries_[i].calibrates = row.ticked[0];
        entries_[i].measures = row.ticked[1];
        entries_[i].waits = !row.ticked[0] && !row.ticked[1];
    }
    write_texts(tr("Texts of the ablation"));
}

void AblationSources::write_texts(const QString& step) {
    change_ablation(session_, step, [this](nlohmann::json& spec) {
        spec["calibration"] = spec["evaluation"] = nlohmann::json::array();
        for (const Entry& entry : entries_) {
            if (entry.calibrates) spec["calibration"].push_back(entry.text);
            if (entry.measures) spec["evaluation"].push_back(entry.text);
        }
    });
}

void AblationSources::show_models(const nlohmann::json& models) {
    const int row = models_->currentRow();
    models_->clear();
    for (const auto& folder : models) {
        const std::filesystem::path path = folder.get<std::string>();
        auto* item = new QListWidgetItem(QString::fromStdString(path.filename().string()), models_);
        item->setToolTip(QString::fromStdString(path.string()));
    }
    models_->setCurrentRow(std::min(row, models_->count() - 1));
    remove_model_->setEnabled(models_->currentRow() >= 0);
}

/// Keeps the order of the lines, and those that wait.
void AblationSources::show_texts(const nlohmann::json& spec) {
    for (Entry& entry : entries_) entry.calibrates = entry.measures = false;
    const auto entry_of = [this](const nlohmann::json& text) -> Entry& {
        const auto it = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.text == text; });
        return it == entries_.end() ? entries_.emplace_back(Entry{text}) : *it;
    };
    for (const auto& text : spec.value("calibration", nlohmann::json::array())) entry_of(text).calibrates = true;
    for (const auto& text : spec.value("evaluation", nlohmann::json::array())) entry_of(text).measures = true;
    std::erase_if(entries_, [](const Entry& e) { return !e.calibrates && !e.measures && !e.waits; });
    std::vector<CheckTable::Row> rows;
    for (const Entry& entry : entries_) {
        QString tip = QString::fromStdString(file_of(entry.text));
        if (entry.text.contains("windows")) tip += tr("\nat most %1 windows").arg(entry.text["windows"].get<std::int64_t>());
        rows.push_back({QString::fromStdString(entry.text.value("name", std::string())), tip, {entry.calibrates, entry.measures}});
    }
    texts_->show_rows(rows);
    remove_text_->setEnabled(texts_->chosen_row() >= 0);
}

void AblationSources::show(const nlohmann::json& spec) {
    show_models(spec.value("models", nlohmann::json::array()));
    show_texts(spec);
}

}  // namespace suture
