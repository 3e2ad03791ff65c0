// SPDX-License-Identifier: GPL-3.0-or-later
// What does the repair do?
#pragma once

#include <memory>
#include <string>
#include <tuple>

#include "core/figures/patch.h"
#include "ui/pages/page.h"
#include "ui/pages/patch_pictures.h"
#include "ui/pages/seam_source.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;

namespace suture {

class ControlPanel;
class PlotWidget;
class TitledTable;

class PatchPage : public Page {
    Q_OBJECT
public:
    PatchPage(Session& session, Results& results);
    QWidget* controls() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    void make_controls();
    void change_repair(const QString& step);
    void show_controls();
    void want_pictures();
    /// The picture that fits the patch, or the one before while the new one is made.
    /// There is no patch because its kind is fitted to statistics that are not there.
    bool waits_for_calibration() const;
    Figure matrix_figure() const;
    /// Does nothing when it is shown already: a million cells take a while.
    void draw_matrix(const Figure& figure);
    /// The seam now, or the one before while a repair is being fitted.
    SeamLook shown() const;
    ChannelOptions error_options() const;

    SeamSource* source_;
    Live<PatchPictures> pictures_;
    SeamLook last_;  // the last one with a patch
    std::tuple<std::shared_ptr<const PatchPictures>, bool, std::string, std::string>
        shown_matrix_;  // and whether without diagonal, why empty, caption
    PlotWidget *matrix_, *scale_, *errors_;
    TitledTable* facts_;
    ControlPanel* controls_;
    QComboBox *kind_, *definition_, *fit_, *basis_;
    QDoubleSpinBox* ridge_;
    QCheckBox* without_diagonal_;
};

}  // namespace suture
