// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QToolButton>

#include "ui/theme/colours.h"
#include "ui/window/labels.h"

namespace suture {

Banner::Banner(QWidget* parent)
    : QFrame(parent),
      sentence_(make_label(QStringLiteral("banner.sentence"), this)),
      more_(new QToolButton(this)),
      details_(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("banner"));
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    more_->setObjectName(QStringLiteral("banner.details_button"));
    more_->setText(tr("Details"));
    more_->setCheckable(true);
    more_->setAutoRaise(true);
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("banner.dismiss"));
    close->setText(QStringLiteral("✕"));
    close->setToolTip(tr("Dismiss"));
    close->setAutoRaise(true);
    details_->setObjectName(QStringLiteral("banner.details"));
    details_->setReadOnly(true);
    details_->setMaximumHeight(140);

    auto* line = new QHBoxLayout;
    line->addWidget(sentence_, 1);
    line->addWidget(more_);
    line->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 6, 6, 6);
    column->addLayout(line);
    column->addWidget(details_);
    connect(more_, &QToolButton::toggled, details_, &QWidget::setVisible);
    connect(close, &QToolButton::clicked, this, &Banner::dismiss);
    dismiss();
}

void Banner::show_error(const QString& message, const QString& details) {
    sentence_->setText(message);
    details_->setPlainText(details);
    more_->setChecked(false);
    more_->setVisible(!details.isEmpty());
    details_->hide();
    show();
}

void Banner::dismiss() {
    details_->hide();
    hide();
}

QString Banner::message() const { return sentence_->text(); }

void Banner::paintEvent(QPaintEvent*) {
    const QColor warning = role_colour(Role::Unpatched, current_theme());
    QPainter painter(this);
    painter.fillRect(rect(), blended(palette().color(QPalette::Base), warning, 0.14));
    painter.fillRect(QRect(0, 0, 4, height()), warning);
}

}  // namespace suture
