// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/read_out_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "core/figures/words.h"
#include "ui/session/recipe_jobs.h"
#include "ui/window/labels.h"

namespace suture {
namespace {

QString number(double value) { return std::isnan(value) ? QStringLiteral("–") : QString::fromStdString(significant(value, 4)); }

/// A long text broken behind its last comma, so that the panel keeps its width.
QString on_two_lines(QString text) {
    constexpr int longest = 20;
    const auto comma = text.size() > longest ? text.lastIndexOf(QStringLiteral(", ")) : -1;
    return comma < 0 ? text : text.replace(comma, 2, QStringLiteral(",\n"));
}

/// What stands for the patch: d, P, M or the layers that it changed.
QString patch_symbol(const Patch& patch) {
    if (!patch.map) return QObject::tr("changed");
    if (!patch.map->scale.empty()) return QObject::tr("d");
    return patch.map->norm_eps > 0 ? QObject::tr("M") : QObject::tr("P");
}

/// "0.91 … 1.34" of the values a patch scales with, "rank 64", "layer 6".
QString patch_words(const Patch& patch) {
    if (!patch.map) return QString::fromStdString(layer_words(LayerSet(patch.edited)));
    const StreamMap& map = *patch.map;
    if (!map.left.empty()) return QObject::tr("rank %1").arg(map.left.size(1));
    if (map.scale.empty()) return QStringLiteral("full matrix");
    const auto [low, high] = std::minmax_element(map.scale.data.begin(), map.scale.data.end());
    const auto words = [](double value) { return QString::fromStdString(significant(value, 3)); };
    return map.scale.data.size() == 1 ? words(*low) : words(*low) + QStringLiteral(" … ") + words(*high);
}

}  // namespace

ReadOutPanel::ReadOutPanel(Session& session, Results& results, QWidget* parent)
    : QWidget(parent),
      session_(session),
      results_(results),
      cut_(make_label(QStringLiteral("read_out.cut"), this)),
      seam_(new QComboBox(this)),
      grid_(new QGridLayout),
      hovered_(make_muted_label(QStringLiteral("read_out.hovered"), this)) {
    setObjectName(QStringLiteral("read_out"));
    cut_->setWordWrap(true);
    set_bold(cut_);
    seam_->setObjectName(QStringLiteral("read_out.seam"));
    seam_->setToolTip(tr("Which seam the pages show"));
    hovered_->setWordWrap(true);
    hovered_->setAlignment(Qt::AlignTop);
    hovered_->setMinimumHeight(5 * fontMetrics().lineSpacing());  // so that nothing jumps while the cursor moves
    grid_->setVerticalSpacing(3);
    grid_->setColumnStretch(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(cut_);
    column->addWidget(seam_);
    column->addLayout(grid_);
    column->addSpacing(6);
    column->addWidget(hovered_);
    connect(seam_, &QComboBox::activated, &session_, &Session::show_seam);
    refresh();
}

void ReadOutPanel::refresh() {
    const Document& d = session_.document();
    cut_->setText(session_.study() ? QString::fromStdString(removal_words(d.removed, session_.layers())) : QString());
    show_seams();
    while (QLayoutItem* item = grid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (session_.study()) show_numbers();
}

void ReadOutPanel::show_seams() {
    const QSignalBlocker silent(seam_);
    const auto seams = seams_of(session_.document().removed);
    seam_->clear();
    for (std::size_t i = 0; i < seams.size(); ++i)
        seam_->addItem(tr("seam %1 of %2: %3").arg(i + 1).arg(seams.size()).arg(QString::fromStdString(seams[i].words())));
    seam_->setCurrentIndex(std::clamp(session_.document().seam, 0, std::max(0, int(seams.size()) - 1)));
    seam_->setVisible(seams.size() > 1);
}

void ReadOutPanel::show_numbers() {
    const auto seam = session_.document().shown_seam();
    const auto statistics = results_.statistics.value();
    if (seam && statistics) {
        add(tr("cosine"), number(statistics->cosine_token.at(seam->start, seam->end)));
        add(tr("cosine, token axis"), number(statistics->cosine_token_axis.at(seam->start, seam->end)));
    }
    if (seam) add(tr("repair"), QString::fromStdString(results_.repair_label()));
    if (const Patch* patch = results_.shown_patch()) {
        add(patch_symbol(*patch), patch_words(*patch));
        if (!results_.finetuned()) add(tr("relative error"), number(patch->error_median));  // of trained weights none is known
    } else if (seam && results_.repaired.running()) {
        add(tr("relative error"), tr("being fitted …"));
    }
    if (statistics) {
        add(tr("massive tokens"), QString::fromStdString(grouped(std::int64_t(statistics->extreme_tokens.size()))));
        add(tr("massive channels"), QString::fromStdString(grouped(std::int64_t(statistics->extreme_channels.size()))));
        if (results_.statistics.value_key() != results_.statistics.wanted()) add(tr("these numbers"), tr("stale"));
    }
    for (const EvaluationRow& row : results_.evaluation_rows())
        if (row.evaluation && (row.kind == "dense" || row.kind == results_.repair_row()))
            add(tr("perplexity, %1").arg(QString::fromStdString(row.label)),
                number(row.evaluation->perplexity()) + (row.stale && row.kind != "dense" ? tr(" (stale)") : QString()));
}

void ReadOutPanel::add(const QString& caption, const QString& value) {
    auto* left = make_muted_label({}, this);
    left->setText(on_two_lines(caption));
    auto* right = make_label({}, this);
    right->setText(on_two_lines(value));
    right->setAlignment(Qt::AlignRight);
    right->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int row = grid_->rowCount();
    grid_->addWidget(left, row, 0);
    grid_->addWidget(right, row, 1);
}

void ReadOutPanel::show_hovered(const QString& text) {
    hovered_->setText(QString(text).replace(QStringLiteral(" · "), QStringLiteral("\n")));
}

}  // namespace suture
