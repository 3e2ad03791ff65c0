// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/patch_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <nlohmann/json.hpp>

#include "ui/pages/control_panel.h"
#include "ui/pages/layout.h"
#include "ui/pages/repair_settings.h"
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
    settings_ = new RepairSettingsRows(*controls_, session(), results());
    controls_->add_heading(tr("Plots"));
    without_diagonal_ = controls_->add_check(QStringLiteral("without_diagonal"), tr("Matrix without its d&iagonal"),
                                             tr("Counts the diagonal as 0, so that the rest can be seen"));
    basis_ = controls_->add_combo(QStringLiteral("basis"), tr("Errors &in"), tr("The basis of the error per channel"));
    add_choice(basis_, tr("Raw basis"), int(Basis::Raw));
    add_choice(basis_, tr("Hadamard basis"), int(Basis::Hadamard));
    connect(without_diagonal_, &QCheckBox::toggled, this, &PatchPage::refresh);
    connect(basis_, &QComboBox::activated, this, &PatchPage::refresh);
}

QWidget* PatchPage::controls() { return controls_; }

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
    if (!patch || !patch->map || !pictures) return patch_matrix(patch, nullptr, without_diagonal_->isChecked());
    Figure figure = without_diagonal_->isChecked() ? pictures->without_diagonal : pictures->whole;
    if (!pictures_.fresh() || results().repaired.running()) figure.caption = "stale: the new patch is on its way · " + figure.caption;
    return figure;
}

ChannelOptions PatchPage::error_options() const { return {.basis = Basis(basis_->currentData().toInt())}; }

std::string PatchPage::no_patch_words() const {
    const Document& d = session().document();
    if (d.removed.empty() || shown().view.patch) return {};
    if (const QString refusal = results().refusal(); !refusal.isEmpty()) return refusal.toStdString() + ".";
    if (results().repaired.state() == LiveBase::State::Failed) return results().repaired.message().toStdString();
    if (results().repaired.running()) return tr("The repair is being fitted.").toStdString();
    const bool waits = repair_kind(d.repair).fitted && !results().statistics.fresh();
    return waits ? tr("Calibrate to fit the patch.").toStdString() : std::string();
}

std::vector<Figure> PatchPage::figures() const {
    const SeamLook look = shown();
    auto drawn = told_stale({matrix_figure(), patch_scale(look.view.patch), channel_errors(look.view, error_options())}, results());
    if (const std::string why = no_patch_words(); !why.empty())
        for (const std::size_t of_patch : {0, 1}) drawn[of_patch].empty = why;
    return drawn;
}

std::vector<Table> PatchPage::tables() const {
    const SeamLook look = shown();
    return {patch_facts(look.view.patch, look.repaired ? look.repaired->settings : nlohmann::json::object())};
}

void PatchPage::draw_matrix(const Figure& figure) {
    auto shown = std::tuple(pictures_.value(), without_diagonal_->isChecked(), figure.empty, figure.caption);
    if (shown == shown_matrix_) return;
    shown_matrix_ = std::move(shown);
    matrix_->set_figure(figure);
}

void PatchPage::refresh() {
    settings_->show();
    source_->want();
    want_pictures();
    if (SeamLook now = source_->look(); now.view.patch) last_ = std::move(now);
    const auto drawn = figures();
    draw_matrix(drawn[0]);
    scale_->set_figure(drawn[1]);
    errors_->set_figure(drawn[2]);
    const std::string why = no_patch_words();
    facts_->set_empty_sentence(why.empty() ? tr("No patch yet.") : QString::fromStdString(why));
    facts_->set_table(tables()[0]);
}

}  // namespace suture
