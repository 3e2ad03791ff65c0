// SPDX-License-Identifier: GPL-3.0-or-later
// The selection page on the bundled sample.
#pragma once

#include "tests/ui/shown_page.h"
#include "ui/pages/selection_page.h"

namespace suture::test {

inline constexpr int sample_layers = 16;  // of resources/sample/config.json

struct Selection : ShownPage<SelectionPage> {
    void choose(const std::function<void(Document&)>& edit) {
        Document after = sample.session.document();
        edit(after);
        sample.session.change(std::move(after), "Choice");
        settle();
    }
    const LayerSet& removed() const { return sample.session.document().removed; }
    /// The row of a table whose first cell begins so; -1: none.
    int row(const QString& by) {
        const auto* model = part<TableView>("selection.sets")->model();
        for (int r = 0; r < model->rowCount(); ++r)
            if (model->index(r, 0).data().toString().startsWith(by)) return r;
        return -1;
    }
    QString cell(const QString& by, int column) { return ShownPage::cell("selection.sets", row(by), column); }
};

/// Two layers removed from a small search on one window, greedily and without repair.
inline void make_small(SelectionChoice& choice) {
    choice.windows = 1;
    choice.repair = false;
    choice.search.exchange = 0;
    choice.amount = 2;
}

}  // namespace suture::test
