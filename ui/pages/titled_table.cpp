// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/titled_table.h"

#include <QHeaderView>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/window/labels.h"

namespace suture {
namespace {

constexpr int widest_column = 420;

}  // namespace

TitledTable::TitledTable(const QString& name, const QString& empty, QWidget* parent)
    : QFrame(parent), title_(make_label({}, this)), stack_(new QStackedWidget(this)), sentence_(make_muted_label(name + QStringLiteral(".empty"), stack_)),
      view_(new TableView(stack_)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    set_bold(title_, 1.08);
    title_->setContentsMargins(14, 10, 14, 0);
    title_->setAlignment(Qt::AlignHCenter);
    title_->setWordWrap(true);
    title_->hide();
    view_->setObjectName(name);
    sentence_->setText(empty);
    sentence_->setAlignment(Qt::AlignCenter);
    sentence_->setWordWrap(true);
    sentence_->setMargin(16);
    stack_->addWidget(sentence_);
    stack_->addWidget(view_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2, 2, 2, 2);
    column->setSpacing(6);
    column->addWidget(title_);
    column->addWidget(stack_, 1);
}

void TitledTable::set_table(const Table& table) {
    title_->setText(QString::fromStdString(table.title));
    title_->setVisible(!table.title.empty());
    if (table.to_csv() != view_->table().to_csv()) {  // keeps selection and scroll position
        view_->set_table(table);
        for (int c = 0; c < view_->model()->columnCount(); ++c)
            if (view_->columnWidth(c) > widest_column) view_->setColumnWidth(c, widest_column);
    }
    stack_->setCurrentWidget(table.rows.empty() ? static_cast<QWidget*>(sentence_) : view_);
}

void TitledTable::set_empty_sentence(const QString& sentence) { sentence_->setText(sentence); }

void TitledTable::fit_height(int rows) {
    const int title = 2 * title_->fontMetrics().height() + 20;
    setMaximumHeight(title + view_->horizontalHeader()->sizeHint().height() + rows * view_->verticalHeader()->defaultSectionSize() + 14);
}

}  // namespace suture
