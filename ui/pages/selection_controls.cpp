// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/selection_controls.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "core/selection/share.h"
#include "ui/pages/run_controls.h"
#include "ui/pages/selection_board.h"
#include "ui/pages/selection_search.h"
#include "ui/window/labels.h"

namespace suture {
namespace {

/// Scrolling past it changes nothing.
class CalmSlider : public QSlider {
public:
    using QSlider::QSlider;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

QString told(const std::string& text) { return QString::fromStdString(text); }

/// "6 layers: 3 and 7–11\nsearch · perplexity 21.2 with LinearPatch"
QString best_words(int count, const KnownSet& set, const std::string& repair) {
    const QString layers = count == 1 ? QObject::tr("1 layer") : QObject::tr("%1 layers").arg(count);
    if (set.removed.empty()) return QObject::tr("%1: no set is known").arg(layers);
    QString text = QObject::tr("%1: %2\n%3").arg(layers, told(set.removed.words()), told(set.by));
    if (set.patched) text += QObject::tr(" · perplexity %1 with %2").arg(told(significant(set.patched->perplexity(), 4)), told(repair));
    else if (set.unpatched) text += QObject::tr(" · perplexity %1").arg(told(significant(set.unpatched->perplexity(), 4)));
    else if (set.search) text += QObject::tr(" · perplexity %1 on its text").arg(told(significant(*set.search, 4)));
    else text += QObject::tr(" · not measured");
    return text;
}

}  // namespace

SelectionControls::SelectionControls(Session& session, Results& results, SelectionBoard& board, QWidget* parent)
    : QWidget(parent), session_(session), results_(results), board_(board) {
    setObjectName(QStringLiteral("selection.controls"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    make_size();
    make_criteria();
    make_measure();
    search_ = new SelectionSearch(*add_panel(QStringLiteral("search")), session_, results_, board_);
    make_view();
    make_sharing();
    connect(&session_.lanes(), &Lanes::job_changed, this, [this] {
        if (isVisible()) show_criteria();
    });
}

ControlPanel* SelectionControls::add_panel(const QString& name) {
    auto* panel = new ControlPanel(QStringLiteral("selection") + (name.isEmpty() ? QString() : QLatin1Char('.') + name), this);
    layout()->addWidget(panel);
    return panel;
}

void SelectionControls::make_size() {
    ControlPanel* panel = add_panel({});
    panel->add_heading(tr("Best known set of a size"));
    slider_ = new CalmSlider(Qt::Horizontal, this);
    slider_->setObjectName(QStringLiteral("selection.slider"));
    slider_->setToolTip(tr("How many layers to remove: shows the best set of that size that is known, and removes it when let go"));
    slider_->setAccessibleName(tr("Layers to remove"));
    slider_->setPageStep(1);
    panel->add_other(slider_);
    slider_note_ = panel->add_note(QStringLiteral("slider_note"));
    connect(slider_, &QSlider::valueChanged, this, &SelectionControls::slide);
    connect(slider_, &QSlider::sliderReleased, this, [this] { choose(slider_->value()); });
}

void SelectionControls::make_criteria() {
    ControlPanel* panel = add_panel(QStringLiteral("criteria"));
    panel->add_heading(tr("Criteria"));
    length_ = panel->add_spin(QStringLiteral("length"), tr("La&yers"), tr("How many layers every criterion is asked to remove"));
    windows_ = panel->add_spin(QStringLiteral("windows"), tr("&Windows"),
                               tr("First windows of the calibration text that a search, and every criterion below, runs the model on"));
    windows_->setSpecialValueText(tr("all"));
    for (const Criterion* criterion : board_.costly()) {
        QPushButton* button = panel->add_button(told(criterion->name), told(criterion->label), told(criterion->help));
        criteria_[criterion->name] = button;
        connect(button, &QPushButton::clicked, this, [this, criterion] {
            if (board_.ranking(*criterion).running()) board_.ranking(*criterion).cancel();
            else board_.rank(*criterion);
        });
    }
    all_ =
        panel->add_button(QStringLiteral("all"), tr("Run all"), tr("Runs every criterion above that has no answer, one after the other"));
    memory_note_ = panel->add_note(QStringLiteral("memory"));
    connect(all_, &QPushButton::clicked, &board_, &SelectionBoard::rank_all);
    connect(length_, &QSpinBox::valueChanged, this, [this](int n) { results_.set_block(n, session_.document().criterion); });
    connect(windows_, &QSpinBox::valueChanged, this,
            [this](int n) { change([n](SelectionChoice& c) { c.windows = n; }, tr("Windows to search on"), QStringLiteral("windows")); });
}

void SelectionControls::make_measure() {
    ControlPanel* panel = add_panel(QStringLiteral("measure"));
    panel->add_heading(tr("Measured cost"));
    measure_ = new RunControls(*panel, session_.lanes(), board_.measure_job(),
                               tr("Perplexity of every set in the table on the evaluation text, without repair and with the one in force"));
    connect(measure_, &RunControls::start, &board_, &SelectionBoard::measure);
}

void SelectionControls::make_view() {
    ControlPanel* panel = add_panel(QStringLiteral("view"));
    panel->add_heading(tr("View"));
    agreement_ = panel->add_combo(QStringLiteral("agreement"), tr("A&greement"), tr("What the criteria are compared by"));
    add_choice(agreement_, tr("Removed layers"), false, tr("Jaccard index of the sets that they remove"));
    add_choice(agreement_, tr("Scores"), true, tr("Spearman's rank correlation of their scores"));
    size_ = panel->add_combo(QStringLiteral("size"), tr("Si&ze in"), tr("What the cost is drawn over"));
    add_choice(size_, tr("layers"), QStringLiteral("layers"), tr("Kept layers"));
    add_choice(size_, tr("parameters"), QStringLiteral("parameters"), tr("Kept parameters of the whole model"));
    for (QComboBox* combo : {agreement_, size_}) connect(combo, &QComboBox::activated, this, &SelectionControls::view_changed);
}

void SelectionControls::make_sharing() {
    ControlPanel* panel = add_panel(QStringLiteral("share"));
    panel->add_heading(tr("The chosen layers for others"));
    mergekit_ = panel->add_button(QStringLiteral("mergekit"), tr("Copy mergekit YAML"),
                                  tr("The kept layers as slices that mergekit passes through"));
    prune_layers_ = panel->add_button(QStringLiteral("prune_layers"), tr("Copy --prune-layers list"),
                                      tr("The removed layers as llama.cpp's llama-quantize takes them"));
    connect(mergekit_, &QPushButton::clicked, this, [this] {
        const Document& d = session_.document();
        QGuiApplication::clipboard()->setText(
            told(mergekit_yaml(d.model.string(), d.removed, session_.layers(), session_.study()->model()->storage_type())));
    });
    connect(prune_layers_, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(told(prune_layers_list(session_.document().removed))); });
}

void SelectionControls::change(const std::function<void(SelectionChoice&)>& edit, const QString& text, const QString& control) {
    Document after = session_.document();
    edit(after.selection);
    session_.change(std::move(after), text, control);
}

bool SelectionControls::agreement_of_scores() const { return agreement_->currentData().toBool(); }

QString SelectionControls::size() const { return size_->currentData().toString(); }

void SelectionControls::slide(int count) {
    if (!slider_->isSliderDown()) return choose(count);  // keys, and clicks beside the handle
    slider_note_->setText(count == 0 ? tr("all layers stay") : best_words(count, board_.best_known(count), board_.conditions().repair));
    Q_EMIT looked_at(count);
}

void SelectionControls::choose(int count) {
    const LayerSet removed = board_.best_known(count).removed;
    Q_EMIT looked_at(-1);
    if (count == 0 || !removed.empty()) session_.remove_layers(removed);
    show_size();
}

void SelectionControls::show_size() {
    if (slider_->isSliderDown()) return;
    const int removed = session_.document().removed.size();
    const QSignalBlocker silent(slider_);
    slider_->setRange(0, std::max(1, session_.layers() - 2 * std::max(1, session_.document().selection.protection.ends)));
    slider_->setValue(removed);
    slider_->setEnabled(session_.study() != nullptr);
    if (removed == 0) return slider_note_->setText(tr("all layers stay"));
    const KnownSet best = board_.best_known(removed);
    const QString words = best_words(removed, best, board_.conditions().repair);
    slider_note_->setText(best.removed.empty() || best.removed == session_.document().removed ? words : tr("best known of %1").arg(words));
}

void SelectionControls::show_criteria() {
    QStringList memory;
    bool any = false;
    for (const Criterion* criterion : board_.costly()) {
        QPushButton* button = criteria_.at(criterion->name);
        const LiveBase& live = board_.ranking(*criterion);
        const QString label = told(criterion->label), obstacle = board_.obstacle(*criterion);
        const QString size =
            board_.memory(criterion->name) ? told(size_words(double(board_.memory(criterion->name)->resident))) : QString();
        button->setText(live.running() ? tr("Stop: %1").arg(label) : size.isEmpty() ? label : tr("%1 (%2)").arg(label, size));
        button->setEnabled(live.running() || (obstacle.isEmpty() && !live.fresh()));
        QString tip = told(criterion->help);
        if (criterion->needs.gradients && !size.isEmpty()) memory << tr("%1 keeps gradients: about %2 of memory.").arg(label, size);
        if (!size.isEmpty()) tip += tr("\nTakes about %1 of memory.").arg(size);
        if (!obstacle.isEmpty()) tip += QLatin1Char('\n') + obstacle;
        else if (live.fresh()) tip += tr("\nIts answer is in the table.");
        if (live.job()) tip += QLatin1Char('\n') + progress_words(live.job()->progress);
        button->setToolTip(tip);
        any |= button->isEnabled() && !live.running();
    }
    all_->setEnabled(any);
    memory_note_->setText(memory.join(QLatin1Char('\n')));
    memory_note_->setVisible(!memory.isEmpty());
}

void SelectionControls::refresh() {
    const Document& d = session_.document();
    show_value(length_, 1, std::max(1, session_.layers() - 2), d.block_length);
    show_value(windows_, 0, 100000, int(d.selection.windows));
    show_size();
    show_criteria();
    measure_->show(tr("Measure every set"), board_.why_not_measure(), -1);
    search_->show();
    for (QPushButton* button : {mergekit_, prune_layers_}) button->setEnabled(session_.study() && !d.removed.empty());
}

}  // namespace suture
