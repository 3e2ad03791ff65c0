// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/titled_table.h"

#include <QHeaderView>
#include <QProxyStyle>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStyleFactory>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/pages/wrapped_titles.h"
#include "ui/window/labels.h"

namespace suture {
namespace {

constexpr int widest_column = 420, widest_last_column = 170;

/// Room on both sides of every cell and title: numbers on the right of one column must not touch the texts of the next.
class RoomyStyle : public QProxyStyle {
public:
    RoomyStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        constexpr int room = 6;
        if (metric == PM_FocusFrameHMargin) return room;
        return metric == PM_HeaderMargin ? room + 1 : QProxyStyle::pixelMetric(metric, option, widget);
    }
};

}  // namespace

TitledTable::TitledTable(const QString& name, const QString& empty, QWidget* parent)
    : QFrame(parent),
      title_(make_label({}, this)),
      stack_(new QStackedWidget(this)),
      sentence_(make_muted_label(name + QStringLiteral(".empty"), stack_)),
      view_(new TableView(stack_)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    set_bold(title_, 1.08);
    title_->setWordWrap(true);
    title_->hide();
    view_->setObjectName(name);
    view_->horizontalHeader()->setModel(new WrappedTitles(view_->model()));
    auto* roomy = new RoomyStyle;
    roomy->setParent(this);
    view_->setStyle(roomy);
    view_->horizontalHeader()->setStyle(roomy);
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
    if (table.to_csv() != view_->table().to_csv() || table.notes != view_->table().notes) {  // keeps selection and scroll position
        const int scrolled = view_->verticalScrollBar()->value();  // rows that come in one by one must not carry the reader away
        view_->set_table(table);
        fit_columns();
        view_->verticalScrollBar()->setValue(scrolled);
    }
    stack_->setCurrentWidget(table.rows.empty() ? static_cast<QWidget*>(sentence_) : view_);
}

void TitledTable::fit_columns() {
    QHeaderView* header = view_->horizontalHeader();
    header->setStretchLastSection(false);  // a stretched column would keep the width it happens to have
    view_->resizeColumnsToContents();
    const int last = view_->model()->columnCount() - 1;
    if (last < 0) return;
    for (int c = 0; c < last; ++c) view_->setColumnWidth(c, std::min(view_->columnWidth(c), widest_column));
    if (table().numeric(std::size_t(last))) return;  // numbers stay beside each other
    view_->setColumnWidth(last, std::min(view_->columnWidth(last), widest_last_column));
    header->setStretchLastSection(true);  // takes what is left, and a sentence ends in an ellipsis
}

void TitledTable::set_empty_sentence(const QString& sentence) { sentence_->setText(sentence); }

void TitledTable::fit_height(int rows) {
    const int line = title_->fontMetrics().lineSpacing(), frame = 12 + 8 + 12 + 4;
    setMaximumHeight(frame + 4 * line + rows * view_->verticalHeader()->defaultSectionSize());
}

}  // namespace suture
