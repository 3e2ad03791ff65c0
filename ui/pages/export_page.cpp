// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/export_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <nlohmann/json.hpp>

#include "core/figures/words.h"
#include "ui/pages/control_panel.h"
#include "ui/pages/export_form.h"
#include "ui/pages/export_loading.h"
#include "ui/pages/export_outcome.h"
#include "ui/pages/export_tables.h"
#include "ui/pages/layout.h"
#include "ui/pages/seam_source.h"
#include "ui/pages/stale_note.h"
#include "ui/pages/titled_table.h"

namespace suture {
namespace {

/// The folder that a person means: in the home folder unless the text says otherwise.
std::filesystem::path meant_folder(const QString& text) {
    QString folder = text.trimmed();
    if (folder.startsWith(QStringLiteral("~/"))) folder.remove(0, 2);
    return folder.isEmpty() ? std::string() : QDir::home().absoluteFilePath(folder).toStdString();
}

}  // namespace

ExportPage::ExportPage(Session& session, Results& results)
    : Page(QStringLiteral("export"), tr("Export"), tr("What will others get?"), session, results),
      plan_(session.lanes()),
      files_(new TitledTable(QStringLiteral("export.files"), {}, this)),
      config_(new TitledTable(QStringLiteral("export.config"), {}, this)),
      loading_(new ExportLoading(this)),
      outcome_(new ExportOutcome(results.exported, this)),
      controls_(new ControlPanel(id(), this)) {
    auto* lists = make_split(Qt::Horizontal, {{files_, 4}, {config_, 6}}, this);
    auto* texts = make_split(Qt::Horizontal, {{loading_, 6}, {outcome_, 4}}, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(make_target());
    column->addWidget(make_split(Qt::Vertical, {{lists, 8}, {texts, 5}}, this), 1);
    make_controls();
    connect(&plan_, &LiveBase::changed, this, [this] {
        if (!isVisible()) return;
        show_controls();
        show_plan();
    });
    connect(&session.lanes(), &Lanes::job_changed, this, [this](int job) {  // from waiting to running
        if (const JobInfo* own = this->results().exported.job(); own && own->id == job && isVisible()) outcome_->show_outcome();
    });
    connect(&session, &Session::study_changed, this, [this] { plan_.clear(); });
    refresh();
}

QWidget* ExportPage::make_target() {
    auto* row = new QWidget(this);
    folder_ = new QLineEdit(row);
    folder_->setObjectName(QStringLiteral("export.folder"));
    folder_->setToolTip(tr("The folder that will hold the exported model; it is made if it is not there"));
    browse_ = new QPushButton(tr("Bro&wse …"), row);
    browse_->setObjectName(QStringLiteral("export.browse"));
    browse_->setToolTip(tr("Choose the folder"));
    export_ = new QPushButton(tr("E&xport"), row);
    export_->setObjectName(QStringLiteral("export.button"));
    auto* caption = new QLabel(tr("Fol&der"), row);
    caption->setBuddy(folder_);
    problem_ = make_paragraph(QStringLiteral("export.problem"), row);
    auto* line = new QHBoxLayout;
    for (QWidget* part : std::initializer_list<QWidget*>{caption, folder_, browse_, export_})
        line->addWidget(part, part == folder_ ? 1 : 0);
    auto* column = new QVBoxLayout(row);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(line);
    column->addWidget(problem_);
    connect(folder_, &QLineEdit::editingFinished, this, [this] { change_folder(folder_->text()); });
    connect(folder_, &QLineEdit::textEdited, this, &ExportPage::refresh);
    connect(browse_, &QPushButton::clicked, this, &ExportPage::browse);
    connect(export_, &QPushButton::clicked, this, [this] {
        change_folder(folder_->text());
        results().export_model();
    });
    return row;
}

void ExportPage::make_controls() {
    controls_->add_heading(tr("Files"));
    repair_ = controls_->add_combo(QStringLiteral("repair"), tr("&Repair"), tr("Which repair the export holds"));
    for (const RepairInfo& info : repair_kinds())
        add_choice(repair_, info.name == "none" ? tr("None, prune only") : QString::fromStdString(info.label),
                   QString::fromStdString(info.name), QString::fromStdString(info.help));
    in_force_ = controls_->add_note(QStringLiteral("in_force"));
    form_ = new FormChoice(*controls_, session(), results());
    shard_ = controls_->add_number(QStringLiteral("shard"), tr("File si&ze"), tr("At most so many GB of tensors per safetensors file"));
    shard_->setRange(0.001, 1000);
    shard_->setDecimals(3);
    shard_->setSuffix(tr(" GB"));
    shard_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    overwrite_ = controls_->add_check(QStringLiteral("overwrite"), tr("&Replace an earlier export"),
                                      tr("Allowed only for a folder that this program has written"));
    connect(repair_, &QComboBox::activated, this, [this] {
        Document after = session().document();
        after.choose_repair(repair_->currentData().toString().toStdString());
        session().change(std::move(after), tr("Repair: %1").arg(repair_->currentText()));
    });
    connect(shard_, &QDoubleSpinBox::valueChanged, this, &ExportPage::change_files);
    connect(overwrite_, &QCheckBox::toggled, this, &ExportPage::change_files);
}

QWidget* ExportPage::controls() { return controls_; }

void ExportPage::browse() {
    const QString proposed = QDir::home().absoluteFilePath(QString::fromStdString(target().string()));
    const QString folder = QFileDialog::getSaveFileName(this, tr("Folder for the exported model"), proposed, {}, nullptr,
                                                        QFileDialog::ShowDirsOnly | QFileDialog::DontConfirmOverwrite);
    if (!folder.isEmpty()) change_folder(folder);
}

void ExportPage::change_folder(const QString& text) {
    folder_->setModified(false);
    Document after = session().document();
    after.export_folder = meant_folder(text);
    session().change(std::move(after), tr("Export folder"));
}

void ExportPage::change_files() {
    Document after = session().document();
    after.settings.export_.shard_gb = shard_->value();
    after.settings.export_.overwrite = overwrite_->isChecked();
    session().change(std::move(after), tr("Files of the export"), QStringLiteral("files"));
}

std::filesystem::path ExportPage::target() const {
    const Document& d = session().document();
    if (folder_->isModified() && !folder_->text().trimmed().isEmpty()) return meant_folder(folder_->text());
    if (!d.export_folder.empty() || !session().study()) return d.export_folder;
    const std::string patch = results().repair_row() == "none" ? "" : "-" + results().repair_row();
    return session().study()->model()->name() + "-without-" + d.removed.text() + patch;
}

void ExportPage::want_plan() {
    const auto repaired = results().repaired.fresh_value();
    if (!repaired) return;
    const auto& settings = session().document().settings.export_;
    const Key key = Key::of({{"result", "export plan"},
                             {"repaired", results().repaired.value_key().hex()},
                             {"model", session().study()->model()->fingerprint()},
                             {"folder", target().string()},
                             {"problem", problem()},  // the folder may have come or gone meanwhile
                             {"settings", settings_to_json(settings)}});
    plan_.want(key, tr("List the files"), Lane::Light,
               [model = session().study()->model(), repaired, folder = target(), settings](Progress&) {
                   return std::make_shared<const ExportPlan>(plan_export(*model, *repaired, folder, settings));
               });
}

std::shared_ptr<const ExportPlan> ExportPage::plan() const {
    const bool on_its_way = plan_.running() || results().repaired.running();
    const bool valid = !session().document().removed.empty() && (results().repaired.fresh() ? plan_.fresh() : false);
    return valid || on_its_way ? plan_.value() : nullptr;
}

QString ExportPage::no_plan_words() const {
    if (!session().study()) return tr("Open a model to see what an export would hold.");
    if (session().document().removed.empty()) return tr("Choose layers to remove in the strip on the left.");
    if (!results().refusal().isEmpty()) return results().refusal() + QLatin1Char('.');
    if (plan_.state() == LiveBase::State::Failed) return plan_.message();
    if (results().repaired.state() == LiveBase::State::Failed) return results().repaired.message();
    if (!results().repaired.fresh() && !results().repaired.running()) return tr("Calibrate to fit the patch, or export without a repair.");
    return tr("Listing the files …");
}

std::string ExportPage::problem() const {
    if (!session().study() || folder_->text().trimmed().isEmpty()) return {};
    return export_problem(*session().study()->model(), target(), session().document().settings.export_);
}

QString ExportPage::obstacle() const {
    const bool typed = !folder_->text().trimmed().isEmpty() && session().document().export_folder.empty();  // the click takes it over
    const bool choice = session().study() && !session().document().removed.empty();
    if (const QString found = results().why_not_export(); !found.isEmpty() && !(typed && choice)) return found;
    if (!problem_->text().isEmpty()) return problem_->text();
    const bool under_way = results().repaired.running() || plan_.running();
    const bool listed = plan_.fresh() && results().repaired.fresh();
    return listed || under_way ? QString() : no_plan_words();
}

void ExportPage::show_controls() {
    const Document& d = session().document();
    if (!folder_->isModified()) folder_->setText(QString::fromStdString(d.export_folder.string()));
    folder_->setPlaceholderText(d.removed.empty() ? tr("a new folder")
                                                  : tr("a new folder, e.g. ~/%1").arg(QString::fromStdString(target().string())));
    show_choice(repair_, QString::fromStdString(d.repair));
    show_note(in_force_, results().imported() || results().finetuned()
                             ? tr("In force: %1.").arg(QString::fromStdString(results().repair_label()))
                             : QString());
    form_->show(plan().get());
    show_value(shard_, d.settings.export_.shard_gb);
    show_checked(overwrite_, d.settings.export_.overwrite);
    const auto plan = plan_.fresh_value();
    std::string why = problem();
    if (why.empty() && plan && !folder_->text().trimmed().isEmpty()) why = plan->problem;  // knows how much room is needed
    problem_->setText(QString::fromStdString(why));
    problem_->setVisible(!why.empty());
    const QString found = obstacle();
    export_->setEnabled(found.isEmpty());
    export_->setToolTip(found.isEmpty() ? tr("Writes the folder, opens it again and compares its logits with those in memory") : found);
}

void ExportPage::show_plan() {
    const auto shown = plan();
    for (TitledTable* table : {files_, config_}) table->set_empty_sentence(no_plan_words());
    const auto listed = tables();
    files_->set_table(listed[0]);
    config_->set_table(listed[1]);
    loading_->show_lines(shown ? QString::fromStdString(shown->load_snippet).trimmed() : QString());
    outcome_->show_warnings(shown.get());
}

std::vector<Table> ExportPage::tables() const {
    const auto shown = plan();
    if (!session().study()) return {export_files(nullptr), Table{}};
    return {export_files(shown.get()), export_config_changes(**session().study(), shown.get())};
}

void ExportPage::refresh() {
    want_plan();
    show_controls();
    show_plan();
    outcome_->show_outcome();
}

}  // namespace suture
