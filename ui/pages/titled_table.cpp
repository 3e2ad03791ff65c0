// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/titled_table.h"

#include <QHeaderView>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/pages/wrapped_titles.h"
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
    title_->setWordWrap(true);
    title_->hide();
    view_->setObjectName(name);
    view_->horizontalHeader()->setModel(new WrappedTitles(view_->model()));
    sentence_->setText(empty);
    sentence_->setAlignment(Qt::AlignCenter);
    sentence_->setWordWrap(true);
    sentence_->setMargin(16);
    stack_->addWidget(sentence_);
    stack_->addWidget(view_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    column->addWidget(title_);
    column->addWidget(stack_, 1);
}

void TitledTable::set_table(const Table& table) {
    title_->setText(QString::fromStdString(table.title));
    title_->setVisible(!table.title.empty());
    if (table.to_csv() != view_->table().to_csv()) {  // keeps selection and scroll position
        view_->set_table(table);
        fit_columns();
    }
    stack_->setCurrentWidget(table.rows.empty() ? static_cast<QWidget*>(sentence_) : view_);
}

void TitledTable::fit_columns() {
    constexpr int padding = 16;
    QHeaderView* header = view_->horizontalHeader();
    header->setStretchLastSection(false);  // a stretched column would keep the width it happens to have
    view_->resizeColumnsToContents();
    const int columns = view_->model()->columnCount();
    for (int c = 0; c < columns; ++c) view_->setColumnWidth(c, std::min(view_->columnWidth(c) + padding, widest_column));
    header->setStretchLastSection(columns > 0 && !table().numeric(std::size_t(columns) - 1));
}

void TitledTable::set_empty_sentence(const QString& sentence) { sentence_->setText(sentence); }

void TitledTable::fit_height(int rows) {
    const int line = title_->fontMetrics().lineSpacing(), frame = 12 + 8 + 12 + 4;
    setMaximumHeight(frame + 4 * line + rows * view_->verticalHeader()->defaultSectionSize());
}

}  // namespace suture
