// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/first_run.h"

#include <QDir>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/window/labels.h"
#include "ui/window/recent_models.h"

namespace suture {

FirstRun::FirstRun(QWidget* parent) : QWidget(parent), recent_(new QVBoxLayout) {
    setObjectName(QStringLiteral("first_run"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* title = make_label(QStringLiteral("first_run.title"), this);
    title->setText(tr("Remove layers from a language model and repair the seam"));
    title->setWordWrap(true);
    set_bold(title, 1.6);
    auto* what = make_muted_label(QStringLiteral("first_run.what"), this);
    what->setText(tr(
        "Open a model: see what each of its layers does, choose which to remove, repair the seam with LinearPatch, measure what that cost, "
        "and write a checkpoint that others can load."));
    what->setWordWrap(true);

    auto* open = new QPushButton(tr("Open model…"), this);
    open->setObjectName(QStringLiteral("first_run.open"));
    open->setDefault(true);
    auto* sample = new QPushButton(tr("Open the sample"), this);
    sample->setObjectName(QStringLiteral("first_run.sample"));
    sample->setToolTip(tr("A small model that comes with Suture, with texts to calibrate and evaluate on"));
    auto* drop = make_muted_label(QStringLiteral("first_run.drop"), this);
    drop->setText(tr("or drop a model's folder (config.json and safetensors files) anywhere into this window"));
    give_room(open);
    give_room(sample);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(sample);
    buttons->addStretch();

    auto* box = new QWidget(this);
    box->setMaximumWidth(720);
    auto* column = new QVBoxLayout(box);
    column->setSpacing(14);
    column->addStretch(2);
    column->addWidget(title);
    column->addWidget(what);
    column->addSpacing(8);
    column->addLayout(buttons);
    column->addWidget(drop);
    column->addSpacing(8);
    recent_->setSpacing(0);
    column->addLayout(recent_);
    column->addStretch(3);
    auto* line = new QHBoxLayout(this);
    line->addStretch(1);
    line->addWidget(box, 4);
    line->addStretch(1);
    connect(open, &QPushButton::clicked, this, &FirstRun::open_requested);
    connect(sample, &QPushButton::clicked, this, &FirstRun::sample_requested);
    refresh();
}

void FirstRun::refresh() {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QStringList models = recent_models();
    if (models.isEmpty()) return;
    auto* caption = make_label(QStringLiteral("first_run.recent"), this);
    caption->setText(tr("Recent models"));
    set_bold(caption);
    recent_->addWidget(caption);
    for (const QString& folder : models) {
        auto* button = new QPushButton(QDir(folder).dirName() + QStringLiteral("   ") + QDir::toNativeSeparators(folder), this);
        button->setFlat(true);
        button->setStyleSheet(QStringLiteral("text-align: left; padding: 3px;"));
        connect(button, &QPushButton::clicked, this, [this, folder] { Q_EMIT recent_requested(folder); });
        recent_->addWidget(button);
    }
}

}  // namespace suture
