// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/tickers.h"

#include <QRegularExpression>
#include <cmath>

namespace suture {
namespace {

constexpr int few_labels = 24;  // up to here every name is shown, shortened if need be
constexpr int gap = 12;         // pixels between two names

QVector<double> steps_in_decades(const QCPRange& range, std::initializer_list<double> mantissas) {
    QVector<double> ticks;
    for (int exponent = int(std::floor(std::log10(range.lower))); exponent <= int(std::ceil(std::log10(range.upper))); ++exponent)
        for (double m : mantissas) ticks.append(m * std::pow(10.0, exponent));
    return ticks;
}

/// A step of 1, 2 or 5 times a power of ten that is not below `at_least`.
double round_step(double at_least) {
    const double magnitude = std::pow(10.0, std::floor(std::log10(at_least)));
    for (double m : {1.0, 2.0, 5.0})
        if (m * magnitude >= at_least * (1 - 1e-9)) return m * magnitude;
    return 10 * magnitude;
}

}  // namespace

double IntegerTicker::getTickStep(const QCPRange& range) { return std::max(1.0, round_step(range.size() / (mTickCount + 1))); }

int IntegerTicker::getSubTickCount(double step) { return step < 2 ? 0 : step < 5 ? 1 : 4; }

QVector<double> DecadeTicker::createTickVector(double step, const QCPRange& range) {
    if (range.lower <= 0) return {};
    const double decades = std::log10(range.upper / range.lower);
    if (decades < 0.5) return QCPAxisTicker::createTickVector(step, range);
    if (decades < 2) return steps_in_decades(range, {1, 2, 5});
    const int every = std::max(1, int(std::ceil(decades / std::max(2, mTickCount))));
    QVector<double> ticks;
    const int last = int(std::ceil(std::log10(range.upper)));
    for (int e = int(std::floor(std::log10(range.lower) / every)) * every; e <= last; e += every) ticks.append(std::pow(10.0, e));
    return ticks;
}

QVector<double> DecadeTicker::createSubTickVector(int, const QVector<double>& ticks) {
    if (ticks.size() < 2) return {};
    const double ratio = ticks[1] / ticks[0];
    QVector<double> result;
    if (ratio > 9 && ratio < 11)
        for (double tick : ticks)
            for (int m = 2; m < 10; ++m) result.append(tick * m);
    return result;
}

QString DecadeTicker::getTickLabel(double tick, const QLocale& locale, QChar format, int precision) {
    const bool plain = tick > 0.9e-3 && tick < 1.1e4;
    if (plain) return locale.toString(tick, 'g', 6);
    if (std::abs(std::log10(tick) - std::round(std::log10(tick))) < 1e-6) return locale.toString(tick, 'e', 0);
    return QCPAxisTicker::getTickLabel(tick, locale, format, precision);
}

LabelTicker::LabelTicker(QStringList labels, const QFont& font, bool horizontal)
    : labels_(std::move(labels)), metrics_(font), horizontal_(horizontal) {
    for (QString& label : labels_) {
        label.replace('\n', QStringLiteral("↵"));
        widest_ = std::max(widest_, metrics_.horizontalAdvance(label));
    }
}

double LabelTicker::getTickStep(const QCPRange& range) {
    const double pixels = length_ / std::max(range.size(), 1e-9);
    const bool all = horizontal_ && labels_.size() <= few_labels;
    const int needed = !horizontal_ ? metrics_.height() : all ? metrics_.averageCharWidth() * 4 : std::min(widest_, 64);
    const double step = std::max(1.0, std::ceil((needed + (horizontal_ ? gap : 2)) / pixels));
    pixels_per_label_ = pixels * step;
    return step;
}

QVector<double> LabelTicker::createTickVector(double step, const QCPRange& range) {
    QVector<double> ticks;
    const double first = std::max(0.0, std::ceil(range.lower / step) * step);
    for (double tick = first; tick <= range.upper && tick < double(labels_.size()); tick += step) ticks.append(tick);
    return ticks;
}

QString LabelTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return shortened(labels_.value(int(std::lround(tick)))); }

QString LabelTicker::shortened(const QString& label) const {
    const int room = horizontal_ ? std::max(int(pixels_per_label_) - gap, 8) : 140;
    if (metrics_.horizontalAdvance(label) <= room || !horizontal_) return metrics_.elidedText(label, Qt::ElideRight, room);
    static const QRegularExpression inside(QStringLiteral("(?<=\\p{Ll})(?=\\p{Lu})"));  // Linear|Patch
    QStringList words;
    for (const QString& word : label.split(' ', Qt::SkipEmptyParts))
        words += metrics_.horizontalAdvance(word) <= room ? QStringList(word) : word.split(inside);
    QStringList lines{QString()};
    for (const QString& word : words) {
        const QString longer = lines.last().isEmpty() ? word : lines.last() + ' ' + word;
        if (metrics_.horizontalAdvance(longer) <= room || lines.last().isEmpty()) lines.last() = longer;
        else lines.append(word);
    }
    if (lines.size() > 3) lines = {lines[0], lines[1], lines.mid(2).join(' ')};
    for (QString& line : lines) line = metrics_.elidedText(line, Qt::ElideRight, room);
    return lines.join('\n');
}

}  // namespace suture
