// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job.h"

#include <QLocale>
#include <QStringList>
#include <cmath>
#include <new>

namespace suture {
namespace {

QString grouped_number(double number) { return QLocale(QLocale::English).toString(qlonglong(std::llround(number))); }

QString rate_words(const ProgressReport& report) {
    const QString unit = QString::fromStdString(report.unit);
    if (report.unit == "bytes") return QStringLiteral("%1 MB/s").arg(report.rate() / 1e6, 0, 'f', 0);
    return (report.rate() < 10 ? QString::number(report.rate(), 'f', 1) : grouped_number(report.rate())) + QLatin1Char(' ') + unit +
           QStringLiteral("/s");
}

QString amount_words(const ProgressReport& report) {
    if (report.unit == "bytes")
        return QStringLiteral("%1 of %2 MB").arg(double(report.done) / 1e6, 0, 'f', 0).arg(double(report.total) / 1e6, 0, 'f', 0);
    return QStringLiteral("%1 of %2 %3")
        .arg(grouped_number(double(report.done)), grouped_number(double(report.total)), QString::fromStdString(report.unit));
}

}  // namespace

Outcome failed_outcome(const std::exception& problem) {
    Outcome outcome{.state = JobInfo::State::Failed};
    const QString text = QString::fromUtf8(problem.what());
    if (const auto* error = dynamic_cast<const Error*>(&problem)) {
        outcome.message = text;
        outcome.details = QString::fromStdString(error->details());
        outcome.kind = error->kind();
    } else if (dynamic_cast<const std::bad_alloc*>(&problem)) {
        outcome.message = QStringLiteral("There is not enough memory for this; choose fewer or shorter windows or close other programs.");
    } else {
        outcome.message = QStringLiteral("Something unexpected went wrong: ") + text.section(QLatin1Char('\n'), 0, 0).trimmed();
        outcome.details = text;
    }
    return outcome;
}

QString progress_words(const ProgressReport& report) {
    QStringList parts{QString::fromStdString(report.stage)};
    if (report.total > 1) parts << amount_words(report);
    if (report.done > 0 && report.seconds > 0.2 && report.total > 1) parts << rate_words(report);
    if (report.done > 0 && report.done < report.total) parts << duration_words(std::ceil(report.seconds_left())) + QStringLiteral(" left");
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString duration_words(double seconds) {
    if (seconds < 0.95) return QStringLiteral("%1 s").arg(seconds, 0, 'f', 1);
    const qlonglong s = std::llround(seconds);
    if (s < 90) return QStringLiteral("%1 s").arg(s);
    if (s < 3600) return QStringLiteral("%1 min %2 s").arg(s / 60).arg(s % 60);
    return QStringLiteral("%1 h %2 min").arg(s / 3600).arg(s % 3600 / 60);
}

}  // namespace suture
