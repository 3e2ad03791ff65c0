// SPDX-License-Identifier: GPL-3.0-or-later
// All pages on the calibrated sample, and hands to work them with.
#pragma once

#include <QApplication>
#include <QComboBox>
#include <QtTest/QtTest>
#include <memory>

#include "tests/ui/sample_session.h"
#include "ui/pages/pages.h"
#include "ui/plots/plot_widget.h"

namespace suture::test {

inline constexpr int sample_layers = 16, sample_hidden = 128;  // of resources/sample/config.json

/// The pages of one session, as the window shows them: one is visible and refreshed after every change.
class Pages {
public:
    explicit Pages(SampleSession& sample) : sample_(sample) {
        for (Page* page : make_pages(sample.session, sample.results)) pages_.emplace_back(page);
        QObject::connect(&sample.results, &Results::changed, &guard_, [this] { refresh(); });
    }
    const std::vector<std::unique_ptr<Page>>& all() const { return pages_; }
    Page& show(const char* id) {
        for (const auto& page : pages_) page->hide();
        for (const auto& page : pages_)
            if (page->id() == QLatin1String(id)) shown_ = page.get();
        shown_->resize(950, 750);
        shown_->show();
        shown_->refresh();
        settle();
        return *shown_;
    }
    void refresh() {
        if (shown_) shown_->refresh();
    }
    /// Until no job runs and all changes have been told.
    void settle() {
        for (int quiet = 0; quiet < 3; quiet = sample_.session.lanes().idle() ? quiet + 1 : 0) QTest::qWait(5);
    }
    template <class T>
    T* part(const char* name) {
        T* found = shown_->findChild<T*>(QString::fromLatin1(name));
        if (!found) qFatal("no %s", name);
        return found;
    }

private:
    SampleSession& sample_;
    std::vector<std::unique_ptr<Page>> pages_;
    Page* shown_ = nullptr;
    QObject guard_;
};

inline void choose(QComboBox* combo, const QVariant& data) {
    combo->setCurrentIndex(combo->findData(data));
    Q_EMIT combo->activated(combo->currentIndex());
}

inline void click_at(PlotWidget* plot, double x, double y) {
    auto* canvas = plot->findChild<QWidget*>(QStringLiteral("canvas"));
    QTest::mouseClick(canvas, Qt::LeftButton, {}, plot->pixel_of(x, y).toPoint());
    QTest::qWait(QApplication::doubleClickInterval() + 50);  // until it can't become a double click
}

inline const Series* series_named(const Figure& figure, const std::string& name) {
    for (const Series& series : figure.series)
        if (series.name == name) return &series;
    return nullptr;
}

/// What the suites of pages share: one calibrated sample per suite, the same document before every test.
class PagesFixture {
protected:
    void set_up() {
        sample_ = std::make_unique<SampleSession>();
        sample_->open();
        Document sensitive = sample_->session.document();
        sensitive.settings.calibration.extreme_token = 1.5;  // so that the sample has some
        sample_->session.change(sensitive, "Sensitive");
        sample_->calibrate();
        QTRY_COMPARE(sample_->session.document().removed.size(), 4);
        start_ = sample_->session.document();
        pages_ = std::make_unique<Pages>(*sample_);
    }
    void tear_down() {
        pages_.reset();
        sample_.reset();
    }
    /// The results that are known stay.
    void start_again() {
        sample_->session.change(start_, "Start again");
        sample_->session.undo_stack().clear();  // removals in a row are one step
        pages_->settle();
        QVERIFY(sample_->results.statistics.fresh());
    }

    std::unique_ptr<SampleSession> sample_;
    std::unique_ptr<Pages> pages_;
    Document start_;
};

}  // namespace suture::test
