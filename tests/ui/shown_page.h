// SPDX-License-Identifier: GPL-3.0-or-later
// A page of views on the calibrated sample, as the window shows it.
#pragma once

#include <fstream>

#include "tests/support/data.h"
#include "tests/ui/sample_session.h"
#include "ui/pages/page_of_views.h"
#include "ui/plots/plot_widget.h"
#include "ui/widgets/table_view.h"

namespace suture::test {

template <class P>
class ShownPage {
public:
    ShownPage() {
        sample.open();
        sample.calibrate();
        QTRY_COMPARE(sample.session.document().removed.size(), 4);
        page = std::make_unique<P>(sample.session, sample.results);
        QObject::connect(&sample.results, &Results::changed, page.get(), [this] { page->refresh(); });
        page->resize(950, 750);
        page->show();
        page->refresh();
        start_ = sample.session.document();
    }
    /// The document as it was at first, with nothing to undo: changes of one kind in a row are one step.
    void start_again() {
        sample.session.change(start_, "Start again");
        settle();
        sample.session.undo_stack().clear();
    }
    void show(int view) {
        page->show_view(view);
        settle();
    }
    void measure(const std::function<void(Measures&)>& edit) {
        Document after = sample.session.document();
        edit(after.measures);
        sample.session.change(std::move(after), "Measures");
        settle();
    }
    /// Until no job runs and all changes have been told.
    void settle() {
        for (int quiet = 0; quiet < 3; quiet = sample.session.lanes().idle() ? quiet + 1 : 0) QTest::qWait(5);
    }
    template <class T>
    T* part(const char* name) {
        T* found = page->template findChild<T*>(QString::fromLatin1(name));
        if (!found) qFatal("no %s", name);
        return found;
    }
    QString cell(const char* table, int row, int column) { return part<TableView>(table)->model()->index(row, column).data().toString(); }
    std::filesystem::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder.path() / name) << text;
        return folder.path() / name;
    }

    TemporaryFolder folder;
    SampleSession sample;
    std::unique_ptr<P> page;

private:
    Document start_;
};

}  // namespace suture::test
