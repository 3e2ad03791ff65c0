// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/task_list.h"

#include <QFileDialog>
#include <QGridLayout>
#include <QPushButton>
#include <algorithm>

namespace suture {
namespace {

constexpr const char* own_prefix = "jsonl:";

/// The file of own questions among the names; empty: none.
std::string own_questions(const TaskChoice& choice) {
    for (const std::string& name : choice.names)
        if (name.starts_with(own_prefix)) return name.substr(std::string(own_prefix).size());
    return {};
}

bool chosen(const TaskChoice& choice, const std::string& name) {
    return std::find(choice.names.begin(), choice.names.end(), name) != choice.names.end();
}

}  // namespace

TaskList::TaskList(ControlPanel& panel, Session& session) : QObject(&panel), session_(session), panel_(panel) {
    panel.add_heading(tr("Tasks"));
    folder_ = panel.add_button(QStringLiteral("folder"), {}, {});
    auto* boxes = new QWidget(&panel);
    grid_ = new QGridLayout(boxes);
    grid_->setContentsMargins(0, 0, 0, 0);
    for (const Task* task : tasks())
        if (task->part_separator != ':')  // that needs a file: the button below
            add_box(QString::fromStdString(task->name), QString::fromStdString(task->label), QString::fromStdString(task->help));
    panel.add_other(boxes);
    own_ = panel.add_button(QStringLiteral("own"), {}, {});
    form_ = std::make_unique<SettingsForm<TaskSettings>>(
        panel,
        std::vector<FormField>{{"limit", tr("&Questions"), 0, 1000000, tr("all")},
                               {"fewshot", tr("E&xamples"), -1, 100, tr("as usual")},
                               {"fewshot-seed", tr("S&eed"), 0, 2000000000}},
        [this](const TaskSettings& settings) { change(tr("Task settings"), [&](TaskChoice& choice) { choice.settings = settings; }); });
    connect(folder_, &QPushButton::clicked, this, &TaskList::choose_folder);
    connect(own_, &QPushButton::clicked, this, &TaskList::change_own);
    show();
}

void TaskList::add_box(const QString& name, const QString& label, const QString& help) {
    auto* box = new QCheckBox(label, grid_->parentWidget());
    box->setObjectName(QStringLiteral("evaluate.tasks.task.") + name);
    box->setToolTip(help);
    box->setProperty("task", name);
    grid_->addWidget(box, int(boxes_.size()) / 2, int(boxes_.size()) % 2);
    boxes_.push_back(box);
    connect(box, &QCheckBox::toggled, this, &TaskList::change_names);
}

void TaskList::add_missing_boxes() {
    for (const std::string& name : session_.document().measures.tasks.names) {
        const auto of_name = [&](const QCheckBox* box) { return box->property("task").toString().toStdString() == name; };
        if (name.starts_with(own_prefix) || std::any_of(boxes_.begin(), boxes_.end(), of_name)) continue;
        add_box(QString::fromStdString(name), QString::fromStdString(name), tr("A part of a task, named as lm_eval names it"));
    }
}

void TaskList::change(const QString& step, const std::function<void(TaskChoice&)>& edit) {
    Document after = session_.document();
    edit(after.measures.tasks);
    session_.change(std::move(after), step, step);
}

void TaskList::choose_folder() {
    const QString now = QString::fromStdString(session_.document().measures.tasks.folder.string());
    const QString folder = QFileDialog::getExistingDirectory(&panel_, tr("Folder with the tasks' files"), now);
    if (folder.isEmpty()) return;
    change(tr("Folder of the tasks"), [&](TaskChoice& choice) { choice.folder = folder.toStdString(); });
}

void TaskList::change_own() {
    const std::string present = own_questions(session_.document().measures.tasks);
    if (!present.empty())
        return change(tr("Without own questions"), [&](TaskChoice& choice) { std::erase(choice.names, own_prefix + present); });
    const QString file =
        QFileDialog::getOpenFileName(&panel_, tr("Own multiple-choice questions"), {}, tr("Questions (*.jsonl);;All files (*)"));
    if (file.isEmpty()) return;
    change(tr("Own questions"), [&](TaskChoice& choice) { choice.names.push_back(own_prefix + file.toStdString()); });
}

void TaskList::change_names() {
    change(tr("Tasks to score"), [this](TaskChoice& choice) {
        const std::string own = own_questions(choice);
        choice.names.clear();
        for (const QCheckBox* box : boxes_)
            if (box->isChecked()) choice.names.push_back(box->property("task").toString().toStdString());
        if (!own.empty()) choice.names.push_back(own_prefix + own);
    });
}

void TaskList::show() {
    const TaskChoice& choice = session_.document().measures.tasks;
    folder_->setText(choice.folder.empty() ? tr("Choose the data folder …") : QString::fromStdString(choice.folder.filename().string()));
    folder_->setToolTip(choice.folder.empty() ? tr("The folder that holds the tasks' original files, e.g. arc/ARC-Easy-Test.jsonl")
                                              : QString::fromStdString(choice.folder.string()) + tr("\nClick to choose another folder"));
    add_missing_boxes();
    for (QCheckBox* box : boxes_) show_checked(box, chosen(choice, box->property("task").toString().toStdString()));
    const std::filesystem::path own = own_questions(choice);
    own_->setText(own.empty() ? tr("Add own questions …") : tr("Without %1").arg(QString::fromStdString(own.filename().string())));
    own_->setToolTip(own.empty() ? tr("A .jsonl file, one question per line: {\"context\": …, \"choices\": […], \"gold\": 0}")
                                 : tr("Takes %1 away").arg(QString::fromStdString(own.string())));
    form_->show(choice.settings);
}

}  // namespace suture
