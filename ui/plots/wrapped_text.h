// SPDX-License-Identifier: GPL-3.0-or-later
// A title or caption that takes as many lines as its width asks for. Internal to the plots: includes QCustomPlot.
#pragma once

#include <qcustomplot.h>

namespace suture {

class WrappedText : public QCPLayoutElement {
public:
    WrappedText(QCustomPlot* plot, QString text, const QFont& font, const QColor& colour, Qt::Alignment alignment = Qt::AlignLeft);
    /// Breaks the lines for this width in pixels.
    void fit(int width);
    QSize minimumOuterSizeHint() const override { return {0, height_}; }
    QSize maximumOuterSizeHint() const override { return {QWIDGETSIZE_MAX, fills_ ? QWIDGETSIZE_MAX : height_}; }
    /// Takes all the height there is, for a message in place of a plot.
    void fill() { fills_ = true; }

protected:
    void draw(QCPPainter* painter) override;

private:
    QString text_;
    QFont font_;
    QColor colour_;
    int flags_;
    int height_ = 0;
    bool fills_ = false;
};

}  // namespace suture
