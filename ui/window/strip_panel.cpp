// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/strip_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "core/figures/words.h"
#include "ui/session/recipe_jobs.h"
#include "ui/window/labels.h"

namespace suture {
namespace {

/// "2.4 of 3.2 M", or only the whole when nothing is gone.
QString part(const std::string& kept, const std::string& whole) {
    return QString::fromStdString(kept == whole ? whole : kept + " of " + whole);
}

}  // namespace

StripPanel::StripPanel(Session& session, Results& results, LivePreview& preview, QWidget* parent)
    : QWidget(parent), session_(session), results_(results), preview_(preview), strip_(new LayerStrip(this)) {
    setObjectName(QStringLiteral("strip_panel"));
    strip_->setObjectName(QStringLiteral("strip"));
    strip_->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 8);
    column->setSpacing(8);
    column->addWidget(strip_, 1);
    column->addWidget(make_sizes());
    column->addWidget(make_choice());
    connect(strip_, &LayerStrip::removed_changed, &session_, [this](const LayerSet& removed) { session_.remove_layers(removed); });
    connect(strip_, &LayerStrip::protected_changed, this, &StripPanel::protect);
    connect(&preview_, &LivePreview::changed, this, &StripPanel::show_preview);
    connect(strip_, &LayerStrip::hovered, this, &StripPanel::hovered);
    refresh();
}

QWidget* StripPanel::make_sizes() {
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(10, 4, 10, 0);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    const auto add = [&](const QString& title, const QString& name) {
        auto* caption = make_muted_label(name + QStringLiteral(".caption"), box);
        caption->setText(title);
        auto* value = make_label(name, box);
        value->setAlignment(Qt::AlignRight);
        const int row = grid->rowCount();
        grid->addWidget(caption, row, 0);
        grid->addWidget(value, row, 1);
        return value;
    };
    layers_ = add(tr("Layers"), QStringLiteral("size.layers"));
    parameters_ = add(tr("Parameters"), QStringLiteral("size.parameters"));
    speed_ = add(tr("Speed"), QStringLiteral("size.speed"));
    speed_->setToolTip(tr("Estimated from the parameters that a token meets; measured times may differ"));
    cache_ = add(tr("KV cache per token"), QStringLiteral("size.cache"));
    preview_words_ = make_muted_label(QStringLiteral("preview"), box);
    preview_words_->setWordWrap(true);
    preview_words_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    preview_words_->setFixedHeight(2 * preview_words_->fontMetrics().lineSpacing() + 6);  // so that the strip stays where it is
    preview_words_->setContentsMargins(0, 4, 0, 0);
    grid->addWidget(preview_words_, grid->rowCount(), 0, 1, 2);
    return box;
}

QWidget* StripPanel::make_choice() {
    auto* box = new QWidget(this);
    count_ = new QSpinBox(box);
    count_->setObjectName(QStringLiteral("choose.count"));
    count_->setToolTip(tr("How many consecutive layers to remove"));
    criterion_ = new QComboBox(box);
    criterion_->setObjectName(QStringLiteral("choose.criterion"));
    criterion_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const Criterion* criterion : criteria()) {
        criterion_->addItem(QString::fromStdString(criterion->label), QString::fromStdString(criterion->name));
        criterion_->setItemData(criterion_->count() - 1, QString::fromStdString(criterion->help), Qt::ToolTipRole);
    }
    choose_ = new QPushButton(tr("Choose"), box);
    choose_->setObjectName(QStringLiteral("choose.button"));
    auto* caption = make_label(QStringLiteral("choose.caption"), box);
    caption->setText(tr("Best block of"));

    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(10, 4, 10, 0);
    grid->addWidget(caption, 0, 0);
    grid->addWidget(count_, 0, 1);
    grid->addWidget(choose_, 0, 2);
    grid->addWidget(criterion_, 1, 0, 1, 3);
    grid->setColumnStretch(1, 1);
    const auto set_block = [this] { results_.set_block(count_->value(), criterion_->currentData().toString().toStdString()); };
    connect(count_, &QSpinBox::valueChanged, this, set_block);
    connect(criterion_, &QComboBox::activated, this, set_block);
    connect(choose_, &QPushButton::clicked, &results_, &Results::choose_best_block);
    return box;
}

void StripPanel::refresh() {
    setEnabled(session_.study() != nullptr);
    show_layers();
    show_sizes();
    show_choice();
    show_preview();
}

void StripPanel::protect(const LayerSet& layers) {
    Document after = session_.document();
    after.selection.protection.layers = layers;
    session_.change(std::move(after),
                    layers.empty() ? tr("Protect no layers") : tr("Protect %1").arg(QString::fromStdString(layer_words(layers))));
}

void StripPanel::show_preview() {
    preview_words_->setVisible(preview_.on());
    preview_words_->setText(preview_.words());
    preview_words_->setToolTip(preview_.explanation());
}

void StripPanel::show_layers() {
    const auto statistics = results_.statistics.value();
    if (session_.study() != shown_study_ || statistics != shown_statistics_) {
        shown_study_ = session_.study();
        shown_statistics_ = statistics;
        std::vector<LayerStripRow> rows{std::size_t(session_.layers())};
        if (statistics && statistics->layers == session_.layers()) {
            const auto influence = statistics->block_influence();
            for (std::size_t i = 0; i < rows.size(); ++i) rows[i].value = influence[i];
        }
        strip_->set_layers(std::move(rows), statistics ? tr("block influence") : QString());
    }
    strip_->set_removed(session_.document().removed);
    strip_->set_protected(session_.document().selection.protection.layers);
    std::vector<LayerStripSeam> seams;
    const auto repaired = results_.repaired.fresh_value();
    for (const Seam& seam : seams_of(session_.document().removed)) {
        LayerStripSeam row{.before_layer = seam.end, .repair = QString::fromStdString(results_.repair_label())};
        if (repaired && !results_.finetuned())  // of trained weights no error is known
            for (const Patch& patch : repaired->patches)
                if (patch.seam == seam) row.relative_error = patch.error_median;
        seams.push_back(std::move(row));
    }
    strip_->set_seams(std::move(seams));
}

void StripPanel::show_sizes() {
    if (!session_.study()) {
        for (QLabel* label : {layers_, parameters_, speed_, cache_}) label->setText(QStringLiteral("–"));
        return;
    }
    const SizeSummary size = summarise_size(**session_.study(), session_.document().removed);
    layers_->setText(part(std::to_string(size.kept), std::to_string(size.layers)));
    parameters_->setText(part(short_count(double(size.kept_parameters)), short_count(double(size.parameters))));
    speed_->setText(size.kept == size.layers ? tr("as it is") : tr("about %1 ×").arg(size.estimated_speedup, 0, 'f', 2));
    cache_->setText(part(size_words(double(size.kept_kv_bytes_per_token)), size_words(double(size.kv_bytes_per_token))));
}

void StripPanel::show_choice() {
    const QSignalBlocker no_count(count_), no_criterion(criterion_);
    count_->setRange(1, std::max(1, session_.layers() - 2));
    count_->setValue(session_.document().block_length);
    criterion_->setCurrentIndex(std::max(0, criterion_->findData(QString::fromStdString(session_.document().criterion))));
    criterion_->setToolTip(criterion_->currentData(Qt::ToolTipRole).toString());
    const bool ready = results_.statistics.fresh();
    choose_->setEnabled(ready && !results_.is_best_block());
    choose_->setToolTip(ready ? tr("Remove the block this criterion likes best") : tr("Calibrate first: the criteria rest on its numbers"));
}

}  // namespace suture
