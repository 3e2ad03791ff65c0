// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/patch_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <nlohmann/json.hpp>

#include "ui/pages/control_panel.h"
#include "ui/pages/layout.h"
#include "ui/pages/titled_table.h"
#include "ui/plots/plot_widget.h"

namespace suture {

PatchPage::PatchPage(Session& session, Results& results)
    : Page(QStringLiteral("patch"), tr("Patch"), tr("What does the repair do?"), session, results),
      source_(new SeamSource(session, results, this)),
      pictures_(session.lanes()),
      matrix_(new PlotWidget(this)),
      scale_(new PlotWidget(this)),
      errors_(new PlotWidget(this)),
      facts_(new TitledTable(QStringLiteral("patch.facts"), tr("No patch yet."), this)),
      controls_(new ControlPanel(id(), this)) {
    matrix_->setObjectName(QStringLiteral("patch.matrix"));
    scale_->setObjectName(QStringLiteral("patch.scale"));
    errors_->setObjectName(QStringLiteral("patch.errors"));
    auto* above = make_split(Qt::Horizontal, {{matrix_, 1}, {facts_, 1}}, this);
    auto* below = make_split(Qt::Horizontal, {{scale_, 1}, {errors_, 1}}, this);
    fill_page(this, make_split(Qt::Vertical, {{above, 12}, {below, 13}}, this));
    make_controls();
    for (PlotWidget* plot : {matrix_, scale_, errors_}) connect(plot, &PlotWidget::hovered, this, &Page::hovered);
    const auto refresh_if_seen = [this] {
        if (isVisible()) refresh();
    };
    connect(source_, &SeamSource::changed, this, refresh_if_seen);
    connect(&pictures_, &LiveBase::changed, this, refresh_if_seen, Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] {
        pictures_.clear();
        last_ = {};
    });
    refresh();
}

void PatchPage::make_controls() {
    controls_->add_heading(tr("Repair"));
    kind_ = controls_->add_combo(QStringLiteral("kind"), tr("&Kind"), {});
    for (const RepairInfo& info : repair_kinds())
        add_choice(kind_, QString::fromStdString(info.label), QString::fromStdString(info.name), QString::fromStdString(info.help));
    definition_ = controls_->add_combo(QStringLiteral("definition"), tr("&Definition of d"), {});
    add_choice(definition_, tr("Paper"), QStringLiteral("paper"), tr("Ratio of the sums over all tokens"));
    add_choice(definition_, tr("Script"), QStringLiteral("script"), tr("Mean of the windows' ratios, as in the published script"));
    ridge_ =
        controls_->add_number(QStringLiteral("ridge"), tr("&Ridge λ"), tr("Least squares: relative to the Gram matrix's mean diagonal"));
    ridge_->setDecimals(5);
    ridge_->setRange(0, 1000);
    ridge_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    fit_ = controls_->add_combo(QStringLiteral("fit"), tr("Sev&eral seams"), {});
    add_choice(fit_, tr("As suits the kind"), QStringLiteral("auto"), tr("What suits the kind of repair"));
    add_choice(fit_, tr("From the dense model"), QStringLiteral("dense"), tr("Both sides of every seam from the dense model"));
    add_choice(fit_, tr("One after the other"), QStringLiteral("sequential"),
               tr("The stream as the seams before have patched it; runs the model again"));
    controls_->add_heading(tr("Plots"));
    without_diagonal_ = controls_->add_check(QStringLiteral("without_diagonal"), tr("P without its d&iagonal"),
                                             tr("Counts the diagonal as 0, so that the rest can be seen"));
    basis_ = controls_->add_combo(QStringLiteral("basis"), tr("Errors &in"), tr("The basis of the error per channel"));
    add_choice(basis_, tr("Raw basis"), int(Basis::Raw));
    add_choice(basis_, tr("Hadamard basis"), int(Basis::Hadamard));
    connect(kind_, &QComboBox::activated, this, [this] { change_repair(tr("Repair: %1").arg(kind_->currentText())); });
    connect(definition_, &QComboBox::activated, this, [this] { change_repair(tr("Definition of d: %1").arg(definition_->currentText())); });
    connect(ridge_, &QDoubleSpinBox::valueChanged, this, [this] { change_repair(tr("Ridge λ %1").arg(ridge_->value())); });
    connect(fit_, &QComboBox::activated, this, [this] { change_repair(tr("Several seams: %1").arg(fit_->currentText())); });
    connect(without_diagonal_, &QCheckBox::toggled, this, &PatchPage::refresh);
    connect(basis_, &QComboBox::activated, this, &PatchPage::refresh);
}

QWidget* PatchPage::controls() { return controls_; }

void PatchPage::change_repair(const QString& step) {
    Document after = session().document();
    after.choose_repair(kind_->currentData().toString().toStdString());
    after.settings.repair.definition = definition_->currentData().toString().toStdString();
    after.settings.repair.ridge = ridge_->value();
    after.settings.repair.fit = fit_->currentData().toString().toStdString();
    session().change(std::move(after), step, step.section(QLatin1Char(' '), 0, 0));
}

void PatchPage::show_controls() {
    const Document& d = session().document();
    const RepairInfo info = repair_kind(d.repair);
    show_choice(kind_, QString::fromStdString(d.repair));
    kind_->setToolTip(QString::fromStdString(info.help));
    show_choice(definition_, QString::fromStdString(d.settings.repair.definition));
    definition_->setToolTip(definition_->currentData(Qt::ToolTipRole).toString());
    definition_->setEnabled(info.definition);
    show_value(ridge_, d.settings.repair.ridge);
    ridge_->setEnabled(d.repair == "ridge");
    show_choice(fit_, QString::fromStdString(d.settings.repair.fit));
    fit_->setToolTip(fit_->currentData(Qt::ToolTipRole).toString());
    fit_->setEnabled(info.fitted && seams_of(d.removed).size() > 1);
}

void PatchPage::want_pictures() {
    const Patch* patch = results().shown_patch();
    if (!patch) return;
    const Key key =
        Key::of({{"result", "patch pictures"}, {"repaired", results().repaired.value_key().hex()}, {"seam", patch->seam.start}});
    pictures_.want(key, tr("Draw the patch"), Lane::Light,
                   [repaired = results().repaired.value(), patch,
                    hidden = session().study()->model()->architecture().hidden](Progress&) {  // `repaired` owns the patch
                       return std::make_shared<const PatchPictures>(make_patch_pictures(*patch, hidden));
                   });
}

SeamLook PatchPage::shown() const {
    const SeamLook now = source_->look();
    return now.view.patch || !results().repaired.running() || !last_.view.patch ? now : last_;
}

Figure PatchPage::matrix_figure() const {
    const Patch* patch = shown().view.patch;
    const auto pictures = pictures_.value();
    if (!patch || !pictures) return patch_matrix(patch, nullptr, without_diagonal_->isChecked());
    Figure figure = without_diagonal_->isChecked() ? pictures->without_diagonal : pictures->whole;
    if (!pictures_.fresh() || results().repaired.running()) figure.caption = "stale: the new patch is on its way · " + figure.caption;
    return figure;
}

ChannelOptions PatchPage::error_options() const { return {.basis = Basis(basis_->currentData().toInt())}; }

bool PatchPage::waits_for_calibration() const {
    const Document& d = session().document();
    return !d.removed.empty() && repair_kind(d.repair).fitted && !results().statistics.fresh();
}

std::vector<Figure> PatchPage::figures() const {
    const SeamLook look = shown();
    auto drawn = told_stale({matrix_figure(), patch_scale(look.view.patch), channel_errors(look.view, error_options())}, results());
    if (!look.view.patch && waits_for_calibration())
        for (const std::size_t of_patch : {0, 1}) drawn[of_patch].empty = tr("Calibrate to fit the patch.").toStdString();
    return drawn;
}

std::vector<Table> PatchPage::tables() const {
    const Document& d = session().document();
    return {patch_facts(shown().view.patch, repair_kind(d.repair), d.settings.repair)};
}

void PatchPage::draw_matrix(const Figure& figure) {
    auto shown = std::tuple(pictures_.value(), without_diagonal_->isChecked(), figure.empty, figure.caption);
    if (shown == shown_matrix_) return;
    shown_matrix_ = std::move(shown);
    matrix_->set_figure(figure);
}

void PatchPage::refresh() {
    show_controls();
    source_->want();
    want_pictures();
    if (SeamLook now = source_->look(); now.view.patch) last_ = std::move(now);
    const auto drawn = figures();
    draw_matrix(drawn[0]);
    scale_->set_figure(drawn[1]);
    errors_->set_figure(drawn[2]);
    facts_->set_table(tables()[0]);
}

}  // namespace suture
