// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/export_outcome.h"

#include "ui/pages/seam_source.h"

namespace suture {
namespace {

QString in_words(double number) { return QString::number(number, 'g', 3); }

}  // namespace

ExportOutcome::ExportOutcome(const Live<ExportResult>& exported, QWidget* parent)
    : PaperBox(tr("Reading it back"), parent),
      exported_(exported),
      outcome_(make_paragraph(QStringLiteral("export.outcome"), this)),
      warnings_(make_paragraph(QStringLiteral("export.warnings"), this)) {
    fill({outcome_, warnings_});
}

QString ExportOutcome::words() const {
    if (const JobInfo* job = exported_.job())
        return job->state == JobInfo::State::Queued ? tr("The export waits until the jobs before it have ended.")
                                                    : tr("The export is running.");
    if (exported_.state() == LiveBase::State::Failed) return exported_.message();
    const auto result = exported_.value();
    if (!result) return tr("After the export the folder is opened again and its logits are compared with those of the model in memory.");
    const QString sentence =
        tr("%1 was written and opened again. Its logits differ by at most %2 from those in memory; up to %3 counts as rounding. %4")
            .arg(QString::fromStdString(result->folder.string()), in_words(result->largest_logit_difference), in_words(result->tolerance),
                 result->equal() ? tr("They agree.") : tr("They do not agree: don't use this folder."));
    return outdated(exported_) ? tr("Stale, from an earlier choice: ") + sentence : sentence;
}

void ExportOutcome::show_outcome() { outcome_->setText(words()); }

void ExportOutcome::show_warnings(const ExportPlan* plan) {
    QStringList warnings;
    if (plan)
        for (const std::string& warning : plan->warnings) warnings << tr("Mind: ") + QString::fromStdString(warning) + QLatin1Char('.');
    warnings_->setText(warnings.join(QStringLiteral("\n\n")));
}

}  // namespace suture
