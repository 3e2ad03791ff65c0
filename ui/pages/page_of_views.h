// SPDX-License-Identifier: GPL-3.0-or-later
// A page whose question has several sides: a row of buttons chooses the view.
#pragma once

#include "ui/pages/page.h"
#include "ui/pages/page_view.h"

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QStackedWidget;

namespace suture {

class ControlPanel;
class RepairChoice;

class PageOfViews : public Page {
    Q_OBJECT
public:
    PageOfViews(const QString& id, QString title, QString question, Session& session, Results& results);
    QWidget* controls() override;
    void refresh() override;
    /// Of all views.
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

    int views() const { return int(views_.size()); }
    PageView* view(int index) const { return views_[std::size_t(index)]; }
    void show_view(int index);

protected:
    /// The page takes the view over. The first one is shown.
    void add_view(PageView* view);

private:
    PageView* shown() const;

    std::vector<PageView*> views_;
    QWidget* controls_;
    ControlPanel* repairs_panel_;
    RepairChoice* repairs_;
    QButtonGroup* switch_;
    QHBoxLayout* switches_;
    QLabel* question_;
    QStackedWidget* stack_;
};

}  // namespace suture
