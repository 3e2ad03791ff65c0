// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/figure_export.h"

#include <qcustomplot.h>

#include <QFileInfo>
#include <QSaveFile>
#include <QSvgGenerator>

#include "core/base/error.h"
#include "ui/plots/drawing.h"

namespace suture {
namespace {

/// A canvas that is never shown, with the figure on it.
struct Sheet {
    QCustomPlot plot;
    Drawing drawing;

    Sheet(const Figure& figure, const QSize& size, const FigureView& view) : drawing(plot, figure, view, Theme::Light) {
        drawing.fit(size);
    }
};

Error cannot_write(const QString& path) {
    return Error(path.toStdString() + " could not be written; check that its folder exists and may be written to");
}

void write_csv(const Figure& figure, const QString& path) {
    const std::string csv = figure.to_csv();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(csv.data(), qint64(csv.size())) != qint64(csv.size()) || !file.commit())
        throw cannot_write(path);
}

void write_svg(Sheet& sheet, const Figure& figure, const QString& path, const QSize& size) {
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(96);  // so that a pixel of the layout is a unit of the file
    generator.setTitle(QString::fromStdString(figure.title));
    generator.setDescription(QString::fromStdString(figure.caption));
    QCPPainter painter;
    if (!painter.begin(&generator)) throw cannot_write(path);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.fillRect(QRect(QPoint(), size), Qt::white);
    sheet.plot.toPainter(&painter, size.width(), size.height());
    painter.end();
}

}  // namespace

QImage figure_image(const Figure& figure, QSize size, double scale, const FigureView& view) {
    Sheet sheet(figure, size, view);
    return sheet.plot.toPixmap(size.width(), size.height(), scale).toImage();
}

void save_figure(const Figure& figure, const QString& path, QSize size, double scale, const FigureView& view) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == "csv") return write_csv(figure, path);
    if (ending != "png" && ending != "svg" && ending != "pdf")
        throw Error(path.toStdString() + ": a figure is saved as .png, .svg, .pdf or .csv; choose a name with one of these endings");
    const QFileInfo folder(QFileInfo(path).absolutePath());
    if (!folder.isDir() || !folder.isWritable()) throw cannot_write(path);
    if (ending == "png") {
        if (!figure_image(figure, size, scale, view).save(path)) throw cannot_write(path);
        return;
    }
    Sheet sheet(figure, size, view);
    if (ending == "svg") return write_svg(sheet, figure, path, size);
    if (!sheet.plot.savePdf(path, size.width(), size.height(), QCP::epAllowCosmetic, "Suture", QString::fromStdString(figure.title)))
        throw cannot_write(path);
}

}  // namespace suture
