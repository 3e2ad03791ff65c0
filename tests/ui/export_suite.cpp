// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QSvgRenderer>
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "tests/support/suites.h"
#include "ui/plots/figure_export.h"
#include "ui/theme/colours.h"

namespace {

using namespace suture;

Figure one_bar_each() {
    Figure figure;
    figure.title = "Perplexity";
    figure.x.labels = {"dense", "patched"};
    figure.y.title = "perplexity";
    for (int i = 0; i < 2; ++i) {
        Series bar{.name = figure.x.labels[std::size_t(i)],
                   .role = i ? Role::Patched : Role::Dense,
                   .style = Series::Style::Bars,
                   .x = {double(i)},
                   .y = {10.0 + i},
                   .low = {9.0},
                   .high = {12.0}};
        figure.series.push_back(bar);
    }
    return figure;
}

Figure quadrants() {
    Figure figure;
    figure.map = HeatMap{.values = Matrix({2, 2}, {0, 1, NAN, 0.5}), .value_title = "value"};
    return figure;
}

int pixels_of(const QImage& image, const QColor& colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y).rgb() == colour.rgb();
    return count;
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class ExportSuite : public QObject {
    Q_OBJECT
    QTemporaryDir folder;
    QString path(const QString& name) const { return folder.filePath(name); }

private Q_SLOTS:
    void png_has_the_size_times_the_scale_and_the_colours_of_the_roles() {
        save_figure(one_bar_each(), path("a.png"), {600, 400}, 2);
        const QImage image(path("a.png"));
        QCOMPARE(image.size(), QSize(1200, 800));
        QVERIFY(pixels_of(image, role_colour(Role::Dense, Theme::Light)) > 10000);
        QVERIFY(pixels_of(image, role_colour(Role::Patched, Theme::Light)) > 10000);
    }

    void files_are_light_in_the_dark_theme_too() {
        apply_theme(*qApp, Theme::Dark);
        const QImage image = figure_image(one_bar_each(), {300, 200}, 1);
        apply_theme(*qApp, Theme::Light);
        QCOMPARE(image.pixelColor(1, 1), QColor(Qt::white));
    }

    void svg_has_the_size_and_can_be_read() {
        save_figure(one_bar_each(), path("a.svg"), {600, 400});
        QSvgRenderer svg(path("a.svg"));
        QVERIFY(svg.isValid());
        QCOMPARE(svg.viewBox().size(), QSize(600, 400));
        QVERIFY(contents(path("a.svg")).contains("<title>Perplexity</title>"));
    }

    void pdf_has_a_page_of_the_size() {
        save_figure(one_bar_each(), path("a.pdf"), {600, 400});
        const QByteArray pdf = contents(path("a.pdf"));
        QVERIFY(pdf.startsWith("%PDF-"));
        const auto box = QRegularExpression(R"(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\])").match(QString::fromLatin1(pdf));
        QVERIFY(box.hasMatch());
        QVERIFY(std::abs(box.captured(1).toDouble() / box.captured(2).toDouble() - 1.5) < 0.01);
    }

    void csv_is_the_figures_own() {
        save_figure(one_bar_each(), path("a.csv"));
        QCOMPARE(contents(path("a.csv")), QByteArray::fromStdString(one_bar_each().to_csv()));
    }

    void a_map_shows_its_cells_and_leaves_nan_blank() {
        Figure filled = quadrants();
        filled.map->values.at(1, 0) = 0;
        const QImage with_nan = figure_image(quadrants(), {400, 400}, 1), without = figure_image(filled, {400, 400}, 1);
        const QColor lowest(0x44, 0x01, 0x54), highest(0xfd, 0xe7, 0x25);  // the ends of viridis
        QVERIFY(pixels_of(with_nan, lowest) > 5000);
        QVERIFY(pixels_of(with_nan, highest) > 5000);
        QVERIFY(pixels_of(without, lowest) > 1.9 * pixels_of(with_nan, lowest));
        QVERIFY(pixels_of(with_nan, Qt::white) > pixels_of(without, Qt::white) + 5000);
    }

    void an_empty_figure_says_why() {
        Figure figure;
        figure.empty = "Calibrate the model first.";
        QVERIFY(figure_image(figure, {300, 200}, 1) != figure_image(Figure{}, {300, 200}, 1));
    }

    void mistakes_are_explained() {
        QVERIFY_THROWS_EXCEPTION(Error, save_figure(one_bar_each(), path("a.gif")));
        QVERIFY_THROWS_EXCEPTION(Error, save_figure(one_bar_each(), path("missing/a.png")));
        QVERIFY_THROWS_EXCEPTION(Error, save_figure(one_bar_each(), path("missing/a.csv")));
    }
};

SUTURE_SUITE(ExportSuite)
#include "export_suite.moc"
