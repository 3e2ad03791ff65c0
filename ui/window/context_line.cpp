// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/context_line.h"

#include <QHBoxLayout>

#include "core/figures/summary.h"

namespace suture {

ContextLine::ContextLine(Session& session, Results& results, QWidget* parent)
    : QWidget(parent), session_(session), results_(results), model_(new ElidedLabel(this)), conditions_(new ElidedLabel(this)) {
    setObjectName(QStringLiteral("context"));
    model_->setObjectName(QStringLiteral("context.model"));
    conditions_->setObjectName(QStringLiteral("context.conditions"));
    conditions_->setForegroundRole(QPalette::PlaceholderText);
    conditions_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    set_bold(model_);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(10, 5, 10, 5);
    line->setSpacing(24);
    line->addWidget(model_, 1);
    line->addWidget(conditions_, 1);
    refresh();
}

void ContextLine::refresh() {
    const auto& study = session_.study();
    model_->set_whole(study ? QString::fromStdString(model_line(**study)) : tr("No model is open"));
    conditions_->set_whole(study ? conditions() : QString());
}

QString ContextLine::text_words(const TextSource& source) const {
    const auto& file = source.ids.empty() ? source.text : source.ids;
    if (file.empty()) return tr("none");
    const bool bundled = file.parent_path() == session_.bundled_texts() && session_.document().model != session_.bundled_texts();
    return QString::fromStdString(file.filename().string()) + (bundled ? tr(" (bundled with Suture)") : QString());
}

QString ContextLine::conditions() const {
    const auto statistics = results_.statistics.value();
    QString words = QString::fromStdString(calibration_words(statistics.get()));
    if (!statistics) words += tr("; calibration text: %1").arg(text_words(session_.document().calibration));
    else if (results_.statistics.value_key() != results_.statistics.wanted()) words += tr(" (stale)");
    else if (text_words(session_.document().calibration).contains(QLatin1Char('('))) words += tr(" (bundled text)");
    return words + tr(" · evaluation text: %1").arg(text_words(session_.document().evaluation));
}

}  // namespace suture
