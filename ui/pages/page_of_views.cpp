// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page_of_views.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>

#include "ui/pages/control_panel.h"
#include "ui/pages/repair_choice.h"
#include "ui/window/labels.h"

namespace suture {

PageOfViews::PageOfViews(const QString& id, QString title, QString question, Session& session, Results& results)
    : Page(id, std::move(title), std::move(question), session, results),
      controls_(new QWidget(this)),
      repairs_panel_(new ControlPanel(id, controls_)),
      repairs_(new RepairChoice(*repairs_panel_, session)),
      switch_(new QButtonGroup(this)),
      switches_(new QHBoxLayout),
      question_(make_muted_label(id + QStringLiteral(".question"), this)),
      stack_(new QStackedWidget(this)) {
    auto* beside = new QVBoxLayout(controls_);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->setSpacing(10);
    beside->addWidget(repairs_panel_);
    beside->addStretch();
    repairs_panel_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);  // room that is left stays below all of them
    switches_->setSpacing(4);
    switches_->addSpacing(8);
    switches_->addWidget(question_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(switches_);
    column->addWidget(stack_, 1);
    connect(switch_, &QButtonGroup::idClicked, this, &PageOfViews::show_view);
}

void PageOfViews::add_view(PageView* view) {
    auto* button = new QPushButton(view->title(), this);
    button->setObjectName(view->objectName() + QStringLiteral(".view"));
    button->setToolTip(view->question());
    button->setCheckable(true);
    switch_->addButton(button, int(views_.size()));
    switches_->insertWidget(int(views_.size()), button);
    views_.push_back(view);
    stack_->addWidget(view);
    auto* beside = static_cast<QVBoxLayout*>(controls_->layout());
    beside->insertWidget(int(views_.size()) - 1, view->controls());
    view->controls()->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    connect(view, &PageView::hovered, this, &Page::hovered);
    show_view(0);
}

PageView* PageOfViews::shown() const { return static_cast<PageView*>(stack_->currentWidget()); }

void PageOfViews::show_view(int index) {
    if (index < 0 || index >= views()) return;
    switch_->button(index)->setChecked(true);
    stack_->setCurrentIndex(index);
    question_->setText(view(index)->question());
    for (int i = 0; i < views(); ++i) view(i)->controls()->setVisible(i == index);
    repairs_panel_->setVisible(view(index)->compares_repairs());
    refresh();
}

QWidget* PageOfViews::controls() { return controls_; }

void PageOfViews::refresh() {
    repairs_->show();
    for (PageView* view : views_) view->expect();
    if (shown()) shown()->refresh();
}

std::vector<Figure> PageOfViews::figures() const {
    std::vector<Figure> all;
    for (const PageView* view : views_)
        for (const Figure& figure : view->figures()) all.push_back(figure);
    return all;
}

std::vector<Table> PageOfViews::tables() const {
    std::vector<Table> all;
    for (const PageView* view : views_)
        for (const Table& table : view->tables()) all.push_back(table);
    return all;
}

}  // namespace suture
