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

namespace suture {

class ControlPanel;
class PlotWidget;
class RepairSettingsRows;
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
    void want_pictures();
    /// Why there is no patch although layers are removed; empty: there is one, or the kind has none.
    std::string no_patch_words() const;
    /// The picture that fits the patch, or the one before while the new one is made.
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
    RepairSettingsRows* settings_;
    QComboBox* basis_;
    QCheckBox* without_diagonal_;
};

}  // namespace suture
