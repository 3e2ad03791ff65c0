// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/text_panes.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>

#include "ui/theme/colours.h"
#include "ui/window/labels.h"

namespace suture {
namespace {

constexpr int narrowest = 210, bar = 4;  // pixels

}  // namespace

PaneView::PaneView(QWidget* parent)
    : QFrame(parent), title_(make_label({}, this)), note_(make_muted_label({}, this)), text_(new QPlainTextEdit(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setMinimumWidth(narrowest);
    set_bold(title_);
    note_->setWordWrap(true);
    text_->setReadOnly(true);
    text_->setFrameShape(NoFrame);
    text_->setMinimumHeight(60);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8 + bar, 10, 8);
    column->setSpacing(4);
    column->addWidget(title_);
    column->addWidget(text_, 1);
    column->addWidget(note_);
}

void PaneView::show_pane(const TextPane& pane) {
    role_ = pane.role;
    title_->setText(pane.title);
    text_->setAccessibleName(pane.title);
    note_->setText(pane.note);
    note_->setToolTip(pane.note);
    const QString shown = text_->toPlainText();
    if (pane.text != shown) {
        QScrollBar* scroll = text_->verticalScrollBar();
        const bool at_end = scroll->value() == scroll->maximum();
        if (!shown.isEmpty() && pane.text.startsWith(shown)) {
            QTextCursor end(text_->document());
            end.movePosition(QTextCursor::End);
            end.insertText(pane.text.mid(shown.size()));
            if (at_end) scroll->setValue(scroll->maximum());
        } else {
            text_->setPlainText(pane.text);
        }
    }
    update();
}

void PaneView::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter(this).fillRect(0, 0, width(), bar, role_colour(role_, current_theme()));
}

TextPanes::TextPanes(const QString& name, const QString& empty, QWidget* parent)
    : QWidget(parent), stack_(new QStackedWidget(this)), row_(new QWidget), beside_(new QHBoxLayout(row_)) {
    setObjectName(name);
    auto* sentence = make_muted_label(name + QStringLiteral(".empty"), stack_);
    sentence->setText(empty);
    sentence->setAlignment(Qt::AlignCenter);
    sentence->setWordWrap(true);
    sentence->setAutoFillBackground(true);
    sentence->setBackgroundRole(QPalette::Base);
    sentence->setMargin(16);
    beside_->setContentsMargins(0, 0, 0, 0);
    beside_->setSpacing(8);
    auto* scroll = new QScrollArea(stack_);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(row_);
    stack_->addWidget(sentence);
    stack_->addWidget(scroll);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stack_);
}

void TextPanes::set_panes(const std::vector<TextPane>& panes) {
    while (views_.size() > panes.size()) {
        delete views_.back();
        views_.pop_back();
    }
    while (views_.size() < panes.size()) {
        views_.push_back(new PaneView(row_));
        views_.back()->setObjectName(objectName() + QStringLiteral(".%1").arg(views_.size() - 1));
        beside_->addWidget(views_.back(), 1);
    }
    for (std::size_t i = 0; i < panes.size(); ++i) views_[i]->show_pane(panes[i]);
    stack_->setCurrentIndex(panes.empty() ? 0 : 1);
}

}  // namespace suture
