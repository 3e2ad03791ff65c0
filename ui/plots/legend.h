// SPDX-License-Identifier: GPL-3.0-or-later
// A legend that flows in lines above the data and so never covers them. Internal to the plots: includes QCustomPlot.
#pragma once

#include <qcustomplot.h>

#include <vector>

namespace suture {

struct LegendEntry {
    QString name;
    QPen line = Qt::NoPen;
    QBrush box = Qt::NoBrush;
    QCPScatterStyle mark = QCPScatterStyle::ssNone;
    bool shown = true;  ///< otherwise grey and struck out
    int series = -1;    ///< which series of the figure a click toggles; -1: none
};

class Legend : public QCPLayoutElement {
public:
    Legend(QCustomPlot* plot, std::vector<LegendEntry> entries, const QFont& font, const QColor& text, const QColor& off);
    /// Breaks the lines for this width in pixels.
    void fit(int width);
    /// The series whose entry lies here; -1: none.
    int series_at(const QPoint& position) const;
    QSize minimumOuterSizeHint() const override { return {0, height_}; }
    QSize maximumOuterSizeHint() const override { return {QWIDGETSIZE_MAX, height_}; }

protected:
    void draw(QCPPainter* painter) override;

private:
    void draw_entry(QCPPainter* painter, const LegendEntry& entry, const QRect& place) const;

    std::vector<LegendEntry> entries_;
    std::vector<QRect> places_;  // relative to the top left corner
    QFont font_;
    QColor text_, off_;
    int height_ = 0;
};

}  // namespace suture
