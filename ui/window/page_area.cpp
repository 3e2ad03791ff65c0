// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_area.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>

#include "ui/pages/pages.h"
#include "ui/window/labels.h"
#include "ui/window/read_out_panel.h"

namespace suture {
namespace {

constexpr int side_width = 270;

}  // namespace

PageArea::PageArea(Session& session, Results& results, QWidget* parent)
    : QWidget(parent),
      tabs_(new QTabBar(this)),
      question_(make_muted_label(QStringLiteral("page.question"), this)),
      stack_(new QStackedWidget(this)),
      controls_(new QWidget(this)),
      read_out_(new ReadOutPanel(session, results, this)),
      pages_(make_pages(session, results)) {
    tabs_->setObjectName(QStringLiteral("tabs"));
    tabs_->setExpanding(false);
    tabs_->setDrawBase(false);
    QFont slanted = question_->font();
    slanted.setItalic(true);
    question_->setFont(slanted);
    auto* one_of_them = new QVBoxLayout(controls_);
    one_of_them->setContentsMargins(0, 0, 0, 0);
    for (Page* page : pages_) {
        tabs_->addTab(page->title());
        stack_->addWidget(page);
        QWidget* controls = page->controls();
        side_.push_back(controls ? controls : new QWidget(controls_));
        controls_->layout()->addWidget(side_.back());
        connect(page, &Page::hovered, this, &PageArea::show_hovered);
    }
    auto* body = new QHBoxLayout;
    body->setSpacing(10);
    body->addWidget(stack_, 1);
    body->addWidget(make_side());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 8);
    column->setSpacing(6);
    column->addWidget(tabs_);
    column->addWidget(question_);
    column->addLayout(body, 1);
    connect(tabs_, &QTabBar::currentChanged, this, &PageArea::switch_to);
    switch_to(tabs_->currentIndex());
}

QWidget* PageArea::make_side() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(4, 0, 4, 0);
    column->setSpacing(12);
    column->addWidget(read_out_);
    column->addWidget(controls_);
    column->addStretch();
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("side"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    scroll->setFixedWidth(side_width + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    return scroll;
}

Page* PageArea::shown() const { return qobject_cast<Page*>(stack_->currentWidget()); }

void PageArea::show_page(int index) {
    if (index >= 0 && index < tabs_->count()) tabs_->setCurrentIndex(index);
}

bool PageArea::show_page(const QString& id) {
    for (std::size_t i = 0; i < pages_.size(); ++i) {
        if (pages_[i]->id() != id) continue;
        show_page(int(i));
        return true;
    }
    return false;
}

void PageArea::switch_to(int index) {
    if (index < 0) return;
    stack_->setCurrentIndex(index);
    for (std::size_t i = 0; i < side_.size(); ++i) side_[i]->setVisible(int(i) == index);  // hidden ones claim no height
    question_->setText(shown()->question());
    refresh();
}

void PageArea::refresh() {
    read_out_->refresh();
    if (Page* page = shown()) page->refresh();
}

void PageArea::show_hovered(const QString& text) { read_out_->show_hovered(text); }

}  // namespace suture
