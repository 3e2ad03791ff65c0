// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/jobs_panel.h"

#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace suture {

JobsPanel::JobsPanel(Lanes& lanes, QWidget* parent)
    : QWidget(parent), lanes_(lanes), model_(lanes), table_(new QTableView(this)), details_(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("jobs_panel"));
    table_->setObjectName(QStringLiteral("jobs.table"));
    table_->setModel(&model_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->setColumnWidth(JobsModel::Title, 260);
    details_->setObjectName(QStringLiteral("jobs.details"));
    details_->setReadOnly(true);
    details_->hide();
    auto* cancel = new QPushButton(tr("Cancel job"), this);
    cancel->setObjectName(QStringLiteral("jobs.cancel"));
    auto* side = new QVBoxLayout;
    side->addWidget(cancel);
    side->addStretch();
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(10, 4, 10, 4);
    line->addWidget(table_, 3);
    line->addWidget(details_, 2);
    line->addLayout(side);
    setFixedHeight(170);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &JobsPanel::show_details);
    connect(&model_, &QAbstractItemModel::dataChanged, this, &JobsPanel::show_details);
    connect(cancel, &QPushButton::clicked, this, &JobsPanel::cancel_selected);
}

void JobsPanel::show_details() {
    const QString text = table_->currentIndex().data(JobsModel::DetailsRole).toString();
    if (details_->toPlainText() != text) details_->setPlainText(text);
    details_->setVisible(!text.isEmpty());
}

void JobsPanel::cancel_selected() {
    const QModelIndex row = table_->currentIndex();
    if (row.isValid()) lanes_.cancel(row.data(JobsModel::IdRole).toInt());
    else if (const JobInfo* job = lanes_.foreground()) lanes_.cancel(job->id);
}

}  // namespace suture
