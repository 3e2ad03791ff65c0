// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs with their pages, and on the right the read-out and the controls of the page that is shown.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/pages/page.h"

class QLabel;
class QStackedWidget;
class QTabBar;

namespace suture {

class ReadOutPanel;

class PageArea : public QWidget {
    Q_OBJECT
public:
    PageArea(Session& session, Results& results, QWidget* parent = nullptr);

    const std::vector<Page*>& pages() const { return pages_; }
    Page* shown() const;
    /// By number; others are ignored.
    void show_page(int index);
    /// By id; false when there is none.
    bool show_page(const QString& id);
    /// Refreshes the page that is shown and the read-out.
    void refresh();
    void show_hovered(const QString& text);

private:
    QWidget* make_side();
    void switch_to(int index);

    QTabBar* tabs_;
    QLabel* question_;
    QStackedWidget* stack_;
    QWidget* controls_;
    std::vector<QWidget*> side_;  // in controls_, one per page
    ReadOutPanel* read_out_;
    std::vector<Page*> pages_;
};

}  // namespace suture
