// SPDX-License-Identifier: GPL-3.0-or-later
// A figure laid out on a canvas: title, legend, axes with data, caption. Internal to the plots: includes QCustomPlot.
#pragma once

#include <qcustomplot.h>

#include <memory>

#include "ui/plots/figure_view.h"
#include "ui/plots/legend.h"
#include "ui/plots/tickers.h"
#include "ui/plots/wrapped_text.h"
#include "ui/theme/theme.h"

namespace suture {

/// Replaces everything on `plot`. The parts belong to the plot; a Drawing must not outlive it or the next Drawing on it.
class Drawing {
public:
    Drawing(QCustomPlot& plot, const Figure& figure, const FigureView& view, Theme theme);

    /// Breaks lines and chooses the number of ticks for a canvas of this size in pixels. Does not replot.
    void fit(const QSize& size);

    QCPAxisRect* axes() const { return axes_; }  ///< nullptr when there is nothing to draw
    QCPAxis* x() const { return axes_ ? axes_->axis(QCPAxis::atBottom) : nullptr; }
    QCPAxis* y() const { return axes_ ? axes_->axis(QCPAxis::atLeft) : nullptr; }
    const Legend* legend() const { return legend_; }
    const Extent& home_x() const { return home_x_; }  ///< what a reset returns to
    const Extent& home_y() const { return home_y_; }

private:
    void add_text(int row, const std::string& text, const QFont& font, const QColor& colour);
    void add_message(const std::string& message);
    void add_axes();
    void set_up_axis(QCPAxis& axis, const Axis& meaning, bool log, const Extent& range);
    void style_axis(QCPAxis& axis) const;
    void add_colour_bar(QCPColorScale* scale, const HeatMap& map, bool log);

    QCustomPlot& plot_;
    const Figure& figure_;
    FigureView view_;
    Theme theme_;
    std::vector<WrappedText*> texts_;
    Legend* legend_ = nullptr;
    QCPAxisRect* axes_ = nullptr;
    QCPColorScale* colour_bar_ = nullptr;
    std::vector<std::pair<QCPAxis*, QString>> titles_;  // vertical titles, shortened to their axis
    Extent home_x_, home_y_;
};

}  // namespace suture
