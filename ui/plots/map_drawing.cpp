// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/map_drawing.h"

#include <algorithm>
#include <cmath>

#include "ui/theme/colour_maps.h"

namespace suture {
namespace {

/// Takes all cells at once, which is far quicker than QCPColorMapData::setCell for each. Rows lie along the value axis.
class Cells : public QCPColorMapData {
public:
    Cells(const HeatMap& map, int rows, int columns)
        : QCPColorMapData(columns, rows, centres(columns, map.column_scale), centres(rows, map.row_scale)) {
        if (map.values.data.size() == std::size_t(rows) * std::size_t(columns)) {
            std::copy(map.values.data.begin(), map.values.data.end(), mData);
        } else {
            for (int r = 0; r < rows; ++r)
                for (int c = 0; c < columns; ++c)
                    mData[r * columns + c] =
                        map.values.at(std::min<std::int64_t>(r, map.values.size(0) - 1), std::min<std::int64_t>(c, map.values.size(1) - 1));
        }
        mDataModified = true;
    }

private:
    /// A single cell is stored as two halves, because the extent of a cell is told from the distance of two.
    static QCPRange centres(int cells, double scale) { return cells == 2 ? QCPRange(0, scale) : QCPRange(0, (cells - 1) * scale); }
};

QCPColorGradient gradient_of(const ColourMap& colours) {
    QMap<double, QColor> stops;
    for (std::size_t i = 0; i < colours.size(); ++i) stops[double(i) / double(colours.size() - 1)] = colours[i];
    QCPColorGradient gradient;
    gradient.setColorStops(stops);
    gradient.setColorInterpolation(QCPColorGradient::ciRGB);
    gradient.setLevelCount(256);
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    return gradient;
}

/// Few cells have room for their numbers.
void write_values(QCustomPlot& plot, QCPAxisRect& axes, const HeatMap& map, const QCPColorGradient& gradient, const QCPRange& range,
                  bool log) {
    constexpr std::int64_t few_cells = 64;
    if (map.values.size(0) * map.values.size(1) > few_cells) return;
    QCPColorGradient colours = gradient;
    for (std::int64_t r = 0; r < map.values.size(0); ++r)
        for (std::int64_t c = 0; c < map.values.size(1); ++c) {
            const double value = map.values.at(r, c);
            if (std::isnan(value)) continue;
            auto* label = new QCPItemText(&plot);
            label->position->setAxes(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
            label->position->setCoords(double(c) * map.column_scale, double(r) * map.row_scale);
            label->setText(QLocale::c().toString(value, 'g', 4));
            label->setColor(QColor(colours.color(value, range, log)).lightnessF() > 0.5 ? Qt::black : Qt::white);
            label->setFont(plot.font());
            label->setClipToAxisRect(true);
            label->setLayer("overlay");
        }
}

}  // namespace

QCPColorScale* draw_map(QCustomPlot& plot, QCPAxisRect& axes, const HeatMap& map, bool log, Theme theme) {
    const int rows = int(map.values.size(0)), columns = int(map.values.size(1));
    auto* drawn = new QCPColorMap(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
    auto* cells = new Cells(map, std::max(rows, 2), std::max(columns, 2));
    if (rows == 1) cells->setValueRange(QCPRange(-0.25 * map.row_scale, 0.25 * map.row_scale));
    if (columns == 1) cells->setKeyRange(QCPRange(-0.25 * map.column_scale, 0.25 * map.column_scale));
    drawn->setData(cells, false);
    drawn->setInterpolate(false);
    drawn->setTightBoundary(false);  // the outermost cells are whole cells too
    auto* scale = new QCPColorScale(&plot);
    drawn->setColorScale(scale);
    scale->setGradient(gradient_of(map.diverging ? diverging_map(theme) : sequential_map()));
    scale->setDataScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    const Extent range = colour_extent(map, log);
    scale->setDataRange(QCPRange(range.low, range.high));
    scale->setRangeDrag(false);
    scale->setRangeZoom(false);
    scale->setBarWidth(14);
    write_values(plot, axes, map, scale->gradient(), scale->dataRange(), log);
    return scale;
}

}  // namespace suture
