// SPDX-License-Identifier: GPL-3.0-or-later
// Where ticks lie and what they say. Internal to the plots: includes QCustomPlot.
#pragma once

#include <qcustomplot.h>

namespace suture {

/// Ticks at whole numbers only, however far one zooms in.
class IntegerTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double step) override;
};

/// Powers of ten; 1-2-5 steps or even steps when less than two decades are visible.
class DecadeTicker : public QCPAxisTicker {
protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

/// Names at 0, 1, 2, … As many as fit: few names are broken into lines and shortened to their place, many are thinned out.
class LabelTicker : public QCPAxisTicker {
public:
    /// `horizontal`: names lie beside each other, so their widths count; otherwise their heights.
    LabelTicker(QStringList labels, const QFont& font, bool horizontal);
    /// The length of the axis in pixels, which decides how many names fit.
    void set_length(int pixels) { length_ = pixels; }

protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double) override { return 0; }
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

private:
    QString shortened(const QString& label) const;

    QStringList labels_;
    QFontMetrics metrics_;
    bool horizontal_;
    int length_ = 400;
    double pixels_per_label_ = 50;
    int widest_ = 0;
};

}  // namespace suture
