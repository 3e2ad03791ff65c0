// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/wrapped_text.h"

namespace suture {

WrappedText::WrappedText(QCustomPlot* plot, QString text, const QFont& font, const QColor& colour, Qt::Alignment alignment)
    : QCPLayoutElement(plot), text_(std::move(text)), font_(font), colour_(colour), flags_(int(alignment) | Qt::TextWordWrap) {
    setMinimumMargins({});
    fit(400);
}

void WrappedText::fit(int width) {
    height_ = QFontMetrics(font_).boundingRect(QRect(0, 0, std::max(width, 40), QWIDGETSIZE_MAX), flags_, text_).height();
}

void WrappedText::draw(QCPPainter* painter) {
    painter->setFont(font_);
    painter->setPen(colour_);
    painter->drawText(fills_ ? mRect.adjusted(mRect.width() / 8, 0, -mRect.width() / 8, 0) : mRect, flags_, text_);
}

}  // namespace suture
