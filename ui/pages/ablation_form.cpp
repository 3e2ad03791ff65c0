// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/ablation_form.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <algorithm>
#include <fstream>

#include "core/base/error.h"
#include "ui/pages/ablation_sources.h"
#include "ui/pages/control_panel.h"
#include "ui/session/ablation_json.h"
#include "ui/widgets/check_table.h"

namespace suture {
namespace {

/// "2, 4, x" → [2, 4, "x"]: what is no number is left for core to refuse.
nlohmann::json numbers_in(const QString& text) {
    auto list = nlohmann::json::array();
    for (const QString& part : text.split(QRegularExpression(QStringLiteral("[,;\\s]+")), Qt::SkipEmptyParts)) {
        bool whole = false;
        const qlonglong number = part.toLongLong(&whole);
        list.push_back(whole ? nlohmann::json(std::int64_t(number)) : nlohmann::json(part.toStdString()));
    }
    return list;
}

/// "13-18; 3,7" → ["13-18", "3,7"].
nlohmann::json lists_in(const QString& text) {
    auto list = nlohmann::json::array();
    for (const QString& part : text.split(QLatin1Char(';'), Qt::SkipEmptyParts))
        if (!part.trimmed().isEmpty()) list.push_back(part.trimmed().toStdString());
    return list;
}

QString in_words(const nlohmann::json& list, const QString& between) {
    QStringList parts;
    for (const auto& entry : list) parts << QString::fromStdString(entry.is_string() ? entry.get<std::string>() : entry.dump());
    return parts.join(between);
}

void show_line(QLineEdit* line, const QString& text) {
    if (!line->hasFocus() || !line->isModified()) line->setText(text);
}

bool holds(const nlohmann::json& spec, const char* member, const std::string& name) {
    const auto list = spec.value(member, nlohmann::json::array());
    return std::find(list.begin(), list.end(), nlohmann::json(name)) != list.end();
}

}  // namespace

AblationForm::AblationForm(ControlPanel& panel, Session& session) : QObject(&panel), session_(session), panel_(panel) {
    make_files(panel);
    make_layers(panel);
    make_kinds(panel);
    sources_ = new AblationSources(panel, session);
    make_settings(panel);
}

void AblationForm::make_files(ControlPanel& panel) {
    panel.add_heading(tr("Specification"));
    auto* row = new QWidget(&panel);
    load_ = new QPushButton(tr("L&oad …"), row);
    load_->setObjectName(QStringLiteral("ablation.load"));
    load_->setToolTip(tr("Reads a file as suture-cli ablate does (docs/repairs.md)"));
    save_ = new QPushButton(tr("&Save …"), row);
    save_->setObjectName(QStringLiteral("ablation.save"));
    save_->setToolTip(tr("Writes a file that suture-cli ablate reads"));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(load_, 1);
    line->addWidget(save_, 1);
    panel.add_other(row);
    const auto guarded = [this](const QString& file, const std::function<void(const std::filesystem::path&)>& work) {
        if (file.isEmpty()) return;
        try {
            work(file.toStdString());
        } catch (const Error& error) {
            Q_EMIT failed(QString::fromUtf8(error.what()));
        }
    };
    const QString kinds = tr("Specifications (*.json);;All files (*)");
    connect(load_, &QPushButton::clicked, this, [this, guarded, kinds] {
        guarded(QFileDialog::getOpenFileName(&panel_, tr("Specification of an ablation"), {}, kinds), [this](const auto& f) { load(f); });
    });
    connect(save_, &QPushButton::clicked, this, [this, guarded, kinds] {
        guarded(QFileDialog::getSaveFileName(&panel_, tr("Specification of an ablation"), QStringLiteral("ablation.json"), kinds),
                [this](const auto& f) { save(f); });
    });
}

void AblationForm::make_layers(ControlPanel& panel) {
    remove_ = panel.add_line(QStringLiteral("remove"), tr("&Remove"),
                             tr("How many layers every criterion removes, one number after the other: 2, 4, 6"));
    layers_ = panel.add_line(QStringLiteral("layers"), tr("By &hand"),
                             tr("Sets of layers chosen by hand, separated by semicolons: 13-18; 3,7-9"));
    windows_ =
        panel.add_line(QStringLiteral("windows"), tr("&Windows"),
                       tr("How many windows are calibrated on, one number after the other: 1, 8, 32, 128; nothing: as the settings say"));
    const auto follow = [this](QLineEdit* line, const char* member, const QString& step, nlohmann::json (*read)(const QString&)) {
        connect(line, &QLineEdit::editingFinished, this, [this, line, member, step, read] {
            line->setModified(false);
            change_ablation(session_, step, [&](nlohmann::json& spec) { spec[member] = read(line->text()); });
        });
    };
    follow(remove_, "remove", tr("Numbers of layers to remove"), numbers_in);
    follow(layers_, "layers", tr("Layers by hand"), lists_in);
    follow(windows_, "calibration_windows", tr("Numbers of calibration windows"), numbers_in);
}

void AblationForm::make_kinds(ControlPanel& panel) {
    criteria_ = new CheckTable(QStringLiteral("ablation.criteria"), {tr("chosen by"), tr("use")}, 5, &panel);
    criteria_->setToolTip(tr("Criteria that choose the layers; those below the first five run the model"));
    panel.add_other(criteria_);
    repairs_ = new CheckTable(QStringLiteral("ablation.repairs"), {tr("repair"), tr("fit"), tr("+ FT")}, 7, &panel);
    repairs_->setToolTip(tr("Repairs to compare, as they are fitted and fine-tuned"));
    panel.add_other(repairs_);
    connect(criteria_, &CheckTable::edited, this, &AblationForm::take_criteria);
    connect(repairs_, &CheckTable::edited, this, &AblationForm::take_repairs);
}

void AblationForm::make_settings(ControlPanel& panel) {
    panel.add_heading(tr("Settings"));
    own_settings_ =
        panel.add_check(QStringLiteral("own_settings"), tr("Keep its own settings"),
                        tr("The specification keeps the settings it has now; otherwise it follows those chosen on the other pages"));
    settings_note_ = panel.add_note(QStringLiteral("settings"));
    connect(own_settings_, &QCheckBox::toggled, this, [this](bool own) {
        Document after = session_.document();
        nlohmann::json& spec = after.measures.ablation.spec;
        if (own) spec["settings"] = after.settings.to_json();
        else spec.erase("settings");
        session_.change(std::move(after), own ? tr("Own settings of the ablation") : tr("Settings of the window"));
    });
}

void AblationForm::take_criteria() {
    change_ablation(session_, tr("Criteria of the ablation"), [this](nlohmann::json& spec) {
        spec["criteria"] = nlohmann::json::array();
        for (std::size_t i = 0; i < criteria_->rows().size(); ++i)
            if (criteria_->rows()[i].ticked[0]) spec["criteria"].push_back(every_criterion()[i]->name);
    });
}

void AblationForm::take_repairs() {
    change_ablation(session_, tr("Repairs of the ablation"), [this](nlohmann::json& spec) {
        spec["repairs"] = nlohmann::json::array();
        const auto kinds = repair_kinds();
        for (const std::size_t box : {0, 1})  // the fine-tuned ones behind the others
            for (std::size_t i = 0; i < kinds.size(); ++i)
                if (const auto& ticked = repairs_->rows()[i].ticked; box < ticked.size() && ticked[box])
                    spec["repairs"].push_back(kinds[i].name + (box == 1 ? "+ft" : ""));
    });
}

void AblationForm::show_layers(const nlohmann::json& spec) {
    show_line(remove_, in_words(spec.value("remove", nlohmann::json::array()), QStringLiteral(", ")));
    show_line(layers_, in_words(spec.value("layers", nlohmann::json::array()), QStringLiteral("; ")));
    show_line(windows_, in_words(spec.value("calibration_windows", nlohmann::json::array()), QStringLiteral(", ")));
    layers_->setPlaceholderText(tr("e.g. 13-18; 3,7-9"));
    windows_->setPlaceholderText(tr("as the settings say"));
}

void AblationForm::show_kinds(const nlohmann::json& spec) {
    std::vector<CheckTable::Row> rows;
    for (const Criterion* criterion : every_criterion())
        rows.push_back({QString::fromStdString(criterion->label),
                        QString::fromStdString(criterion->help),
                        {holds(spec, "criteria", criterion->name)}});
    criteria_->show_rows(rows);
    rows.clear();
    for (const RepairInfo& info : repair_kinds()) {
        rows.push_back({QString::fromStdString(info.label), QString::fromStdString(info.help), {holds(spec, "repairs", info.name)}});
        if (info.fitted) rows.back().ticked.push_back(holds(spec, "repairs", info.name + "+ft"));
    }
    repairs_->show_rows(rows);
}

void AblationForm::show_settings(const nlohmann::json& spec) {
    const bool own = session_.document().measures.ablation.spec.contains("settings");
    const QSignalBlocker silent(own_settings_);
    own_settings_->setChecked(own);
    const JobSettings settings = JobSettings::from_json(spec.value("settings", nlohmann::json::object()));
    const QString measured = settings.evaluation_windows > 0 ? tr("at most %1").arg(settings.evaluation_windows) : tr("all");
    settings_note_->setText(tr("Windows of %1 tokens; %2 to calibrate on unless said above, %3 to measure on; λ %4.")
                                .arg(settings.windows.seqlen)
                                .arg(settings.windows.windows > 0 ? QString::number(settings.windows.windows) : tr("all"), measured)
                                .arg(settings.repair.ridge));
}

void AblationForm::show() {
    const nlohmann::json spec = ablation_json(session_.document(), session_.layers());
    show_layers(spec);
    show_kinds(spec);
    sources_->show(spec);
    show_settings(spec);
}

void AblationForm::load(const std::filesystem::path& file) {
    const nlohmann::json spec = AblationSpec::read(file).to_json();
    Document after = session_.document();
    after.measures.ablation.spec = spec;
    session_.change(std::move(after), tr("Load %1").arg(QString::fromStdString(file.filename().string())));
}

void AblationForm::save(const std::filesystem::path& file) const {
    std::ofstream out(file, std::ios::binary);
    out << ablation_spec(session_.document(), session_.layers()).to_json().dump(2) << "\n";
    if (!out.flush()) throw Error(file.string() + ": can't be written; is there space and permission?");
}

}  // namespace suture
