// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as files and as pictures, without a window.
#pragma once

#include <QImage>
#include <QSize>
#include <QString>

#include "core/base/figure.h"
#include "ui/plots/figure_view.h"

namespace suture {

/// Writes the figure as .png, .svg, .pdf or .csv, told from the ending of `path`, always in light colours. `size` in pixels
/// (points for .pdf); a .png has `scale` times as many. .csv holds all data, whatever the view. Needs a QApplication.
/// Throws Error for another ending and when the file can't be written.
void save_figure(const Figure& figure, const QString& path, QSize size = {1200, 750}, double scale = 2, const FigureView& view = {});

/// The figure as a picture in light colours, `size` · `scale` pixels.
QImage figure_image(const Figure& figure, QSize size = {1200, 750}, double scale = 2, const FigureView& view = {});

}  // namespace suture
