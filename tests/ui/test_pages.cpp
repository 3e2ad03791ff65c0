// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest/QtTest>
#include <memory>

#include "core/selection/criterion.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/ui/sample_session.h"
#include "ui/pages/pages.h"
#include "ui/pages/wrapped_titles.h"
#include "ui/plots/plot_widget.h"
#include "ui/widgets/table_view.h"

using namespace suture;
using namespace suture::test;

namespace {

constexpr int sample_layers = 16, sample_hidden = 128;  // of resources/sample/config.json

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

void choose(QComboBox* combo, const QVariant& data) {
    combo->setCurrentIndex(combo->findData(data));
    Q_EMIT combo->activated(combo->currentIndex());
}

void click_at(PlotWidget* plot, double x, double y) {
    auto* canvas = plot->findChild<QWidget*>(QStringLiteral("canvas"));
    QTest::mouseClick(canvas, Qt::LeftButton, {}, plot->pixel_of(x, y).toPoint());
    QTest::qWait(QApplication::doubleClickInterval() + 50);  // until it can't become a double click
}

const Series* series_named(const Figure& figure, const std::string& name) {
    for (const Series& series : figure.series)
        if (series.name == name) return &series;
    return nullptr;
}

bool says_something(const Figure& figure) {
    const bool data =
        figure.map.has_value() || std::any_of(figure.series.begin(), figure.series.end(), [](const Series& s) { return !s.x.empty(); });
    return !figure.title.empty() && data == figure.empty.empty();
}

/// Turns every control of a page through its values; the page has to bear all of them.
void play_with(Page& page) {
    QWidget* controls = page.controls();
    if (!controls) return;
    for (auto* combo : controls->findChildren<QComboBox*>())
        for (int i = 0; i < combo->count(); ++i) {
            combo->setCurrentIndex(i);
            Q_EMIT combo->activated(i);
        }
    for (auto* box : controls->findChildren<QCheckBox*>())
        for (int twice = 0; twice < 2; ++twice) box->toggle();
    for (auto* spin : controls->findChildren<QSpinBox*>())
        for (const int value : {spin->minimum(), spin->maximum(), spin->minimum() + 1}) spin->setValue(value);
}

}  // namespace

class PagesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
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
    void cleanupTestCase() {
        pages_.reset();
        sample_.reset();
    }
    /// Every test begins with the same document; the results that are known stay.
    void init() {
        sample_->session.change(start_, "Start again");
        sample_->session.undo_stack().clear();  // removals in a row are one step
        pages_->settle();
        QVERIFY(sample_->results.statistics.fresh());
    }

    void every_control_explains_itself() {
        for (const auto& page : pages_->all()) {
            QVERIFY2(page->question().endsWith(QLatin1Char('?')), qPrintable(page->id()));
            pages_->show(qPrintable(page->id()));
            for (auto* control : page->findChildren<QWidget*>()) {
                const bool is_control = qobject_cast<QComboBox*>(control) || qobject_cast<QAbstractSpinBox*>(control) ||
                                        qobject_cast<QAbstractButton*>(control);
                if (!is_control || !control->objectName().startsWith(page->id())) continue;
                QVERIFY2(!control->toolTip().isEmpty(), qPrintable(control->objectName()));
                QVERIFY2(control->focusPolicy() & Qt::TabFocus, qPrintable(control->objectName()));
            }
        }
    }

    void long_titles_take_two_lines() {
        QCOMPARE(wrapped_title(QStringLiteral("perplexity")), QStringLiteral("perplexity"));
        QCOMPARE(wrapped_title(QStringLiteral("change against no repair (%)")), QStringLiteral("change against\nno repair (%)"));
        QCOMPARE(wrapped_title(QStringLiteral("incomprehensibilities")), QStringLiteral("incomprehensibilities"));
        pages_->show("similarity");
        auto* choices = pages_->part<TableView>("similarity.choices");  // titles are still for sorting
        const auto first = [&] { return choices->model()->index(0, 0).data().toString(); };
        const QString given = first();
        QString smallest = given;
        for (int row = 0; row < choices->model()->rowCount(); ++row)
            smallest = std::min(smallest, choices->model()->index(row, 0).data().toString());
        for (int clicks = 0; clicks < 2; ++clicks) Q_EMIT choices->horizontalHeader()->sectionClicked(0);
        QVERIFY(first() != smallest);
        Q_EMIT choices->horizontalHeader()->sectionClicked(0);
        QCOMPARE(first(), given);
    }

    void pages_bear_every_state_data() {
        QTest::addColumn<int>("stage");
        QTest::newRow("no model") << 0;
        QTest::newRow("no calibration") << 1;
        QTest::newRow("no selection") << 2;
        QTest::newRow("several seams") << 3;
    }
    void pages_bear_every_state() {
        QFETCH(int, stage);
        SampleSession other;
        if (stage >= 1) other.open();
        if (stage >= 2) other.calibrate();
        if (stage >= 2) QTRY_COMPARE(other.session.document().removed.size(), 4);
        if (stage == 2) other.session.remove_layers({});
        if (stage == 3) other.session.remove_layers(LayerSet({2, 3, 9}));
        Pages pages(other);
        for (const auto& page : pages.all()) {
            pages.show(qPrintable(page->id()));
            for (const Figure& figure : page->figures()) {
                QVERIFY2(says_something(figure), figure.id.c_str());
                if (stage == 0) QVERIFY2(!figure.empty.empty(), figure.id.c_str());
            }
            play_with(*page);
            pages.settle();
            for (const Figure& figure : page->figures()) QVERIFY2(says_something(figure), figure.id.c_str());
        }
    }

    void similarity_shows_cosines_and_chooses_blocks() {
        Page& page = pages_->show("similarity");
        const auto figures = page.figures();
        QCOMPARE(figures[0].series.at(0).y.size(), std::size_t(sample_layers));
        QCOMPARE(figures[0].series.at(0).y[5], sample_->results.statistics.value()->cosine_token.at(5, 6));
        QCOMPARE(figures[2].map->values.shape, (std::vector<std::int64_t>{sample_layers + 1, sample_layers + 1}));
        QCOMPARE(page.tables()[0].rows.size(), criteria().size());

        auto* scores = pages_->part<PlotWidget>("similarity.scores");
        const Series& curve = scores->figure().series.at(0);
        const auto at_two = std::size_t(std::find(curve.x.begin(), curve.x.end(), 2.0) - curve.x.begin());
        const auto home = scores->visible_y();
        const double high = home->high - 0.02 * (home->high - home->low), low = home->low + 0.02 * (home->high - home->low);
        click_at(scores, 2, curve.y.at(at_two) - home->low < home->high - curve.y.at(at_two) ? high : low);  // far from the curve
        QCOMPARE(sample_->session.document().removed, start_.removed);
        click_at(scores, 2, curve.y.at(at_two));
        QCOMPARE(sample_->session.document().removed, LayerSet::range(2, 4));
        sample_->session.undo_stack().undo();
        QCOMPARE(sample_->session.document().removed, start_.removed);

        pages_->settle();
        auto* pairs = pages_->part<PlotWidget>("similarity.pairs");
        click_at(pairs, 3, 7);  // below the diagonal: no block
        QCOMPARE(sample_->session.document().removed, start_.removed);
        click_at(pairs, 7, 3);
        QCOMPARE(sample_->session.document().removed, LayerSet::range(3, 4));
    }

    void similarity_controls() {
        pages_->show("similarity");
        sample_->session.remove_layers(LayerSet({1, 14}));  // no criterion's block, so that it stays
        pages_->part<QSpinBox>("similarity.length")->setValue(3);
        QCOMPARE(sample_->session.document().block_length, 3);
        choose(pages_->part<QComboBox>("similarity.criterion"), QStringLiteral("angular"));
        QCOMPARE(sample_->session.document().criterion, std::string("angular"));
        QCOMPARE(sample_->session.document().removed, LayerSet({1, 14}));
        const Document before = sample_->session.document();
        const auto id = pages_->part<PlotWidget>("similarity.pairs")->figure().id;
        choose(pages_->part<QComboBox>("similarity.axis"), true);
        QVERIFY(pages_->part<PlotWidget>("similarity.pairs")->figure().id != id);
        QVERIFY(sample_->session.document() == before);  // a matter of view
        choose(pages_->part<QComboBox>("similarity.axis"), false);
    }

    void channels_compare_both_sides() {
        Page& page = pages_->show("channels");
        const auto figures = page.figures();
        for (const char* name : {"expected", "unpatched", "patched"}) {
            const Series* shown = series_named(figures[0], name);
            QVERIFY2(shown, name);
            QCOMPARE(shown->y.size(), std::size_t(sample_hidden));
        }
        const auto& expected = series_named(figures[0], "expected")->y;
        QVERIFY(std::is_sorted(expected.rbegin(), expected.rend()));
        QCOMPARE(page.tables()[0].rows.size(), std::size_t(2));

        choose(pages_->part<QComboBox>("channels.basis"), 1);
        pages_->part<QSpinBox>("channels.top")->setValue(16);
        choose(pages_->part<QComboBox>("channels.order"), 0);
        auto* plot = pages_->part<PlotWidget>("channels.magnitudes");
        QCOMPARE(plot->figure().id, std::string("channels-hadamard"));
        const Series* few = series_named(plot->figure(), "expected");
        QCOMPARE(few->y.size(), std::size_t(16));
        QVERIFY(std::is_sorted(few->x.begin(), few->x.end()));
        const Series* given = series_named(plot->figure(), "unpatched");
        const Series* ratio = series_named(pages_->part<PlotWidget>("channels.ratios")->figure(), "unpatched");
        for (std::size_t i = 0; i < few->y.size(); ++i) QVERIFY(relative_difference(ratio->y[i], few->y[i] / given->y[i]) < 1e-12);

        pages_->part<QCheckBox>("channels.log")->setChecked(false);
        QVERIFY(!is_log(plot->figure(), plot->view()));
        pages_->part<QCheckBox>("channels.log")->setChecked(true);
        QVERIFY(is_log(plot->figure(), plot->view()));
        pages_->part<QSpinBox>("channels.top")->setValue(0);
        choose(pages_->part<QComboBox>("channels.basis"), 0);
        choose(pages_->part<QComboBox>("channels.order"), 1);
    }

    void tokens_follow_the_window() {
        Page& page = pages_->show("tokens");
        auto* window = pages_->part<QSpinBox>("tokens.window");
        QCOMPARE(window->maximum(), int(small_job().windows.windows) - 1);
        window->setValue(2);
        auto* plot = pages_->part<PlotWidget>("tokens.tokens");
        const auto statistics = sample_->results.statistics.value();
        const Series* expected = series_named(plot->figure(), "expected");
        QCOMPARE(expected->y.size(), std::size_t(small_job().windows.seqlen));
        const auto place = std::size_t(statistics->window_begin[2] + 7);
        const auto end = sample_->session.document().shown_seam()->end;
        QCOMPARE(expected->y[7], double(statistics->token_abs.at(0, end, place)));
        QVERIFY(expected->point_labels.at(7).starts_with("“"));  // a token's text in quotes, not its number
        QCOMPARE(page.figures()[1].map->values.size(0), std::int64_t(sample_layers + 1));

        auto* measure = pages_->part<QComboBox>("tokens.measure");
        choose(measure, 1);
        QVERIFY(!pages_->part<QComboBox>("tokens.basis")->isEnabled());
        QCOMPARE(series_named(plot->figure(), "expected")->y[7], double(statistics->token_l2.at(end, place)));
        choose(measure, 0);
        QVERIFY(pages_->part<QComboBox>("tokens.basis")->isEnabled());
    }

    void tokens_jump_to_an_extreme_one() {
        pages_->show("tokens");
        auto* window = pages_->part<QSpinBox>("tokens.window");
        auto* extremes = pages_->part<TableView>("tokens.extremes");
        const auto& listed = sample_->results.statistics.value()->extreme_tokens;
        QVERIFY(!listed.empty());
        QCOMPARE(extremes->model()->rowCount(), int(listed.size()));
        const int last = int(listed.size()) - 1;
        window->setValue(listed[std::size_t(last)].window == 0 ? 1 : 0);
        Q_EMIT extremes->doubleClicked(extremes->model()->index(last, 0));
        QCOMPARE(std::int64_t(window->value()), listed[std::size_t(last)].window);
        const auto seen = pages_->part<PlotWidget>("tokens.tokens")->visible_x();
        QVERIFY(seen->low <= double(listed[std::size_t(last)].position) && double(listed[std::size_t(last)].position) <= seen->high);
    }

    void patch_pictures_and_diagonal() {
        Page& page = pages_->show("patch");
        const auto whole = page.figures()[0];
        QVERIFY2(whole.map.has_value(), whole.empty.c_str());
        QCOMPARE(whole.map->values.shape, (std::vector<std::int64_t>{sample_hidden, sample_hidden}));
        const Matrix matrix = whole.map->values;
        double trace = 0;
        for (int c = 0; c < sample_hidden; ++c) trace += matrix.at(c, c);
        QVERIFY(relative_difference(trace, sample_->results.shown_patch()->trace) < 1e-5);
        pages_->part<QCheckBox>("patch.without_diagonal")->setChecked(true);
        const Figure& rest = pages_->part<PlotWidget>("patch.matrix")->figure();
        for (int c = 0; c < sample_hidden; ++c) QCOMPARE(rest.map->values.at(c, c), 0.0);
        QCOMPARE(rest.map->values.at(1, 0), matrix.at(1, 0));
        pages_->part<QCheckBox>("patch.without_diagonal")->setChecked(false);
        QVERIFY(series_named(page.figures()[2], "patched"));
        QVERIFY(pages_->part<TableView>("patch.facts")->model()->rowCount() >= 6);
    }

    void patch_kind_is_the_documents() {
        Page& page = pages_->show("patch");
        auto* kind = pages_->part<QComboBox>("patch.kind");
        choose(kind, QStringLiteral("channel"));
        QCOMPARE(sample_->session.document().repair, std::string("channel"));
        page.refresh();  // the fit has only been asked for: what was drawn stays, and says so
        QVERIFY(page.figures()[0].map.has_value());
        QVERIFY(page.figures()[0].caption.find("stale") == 0);
        pages_->settle();
        const Figure diagonal = page.figures()[0];
        QVERIFY(diagonal.caption.find("stale") == std::string::npos);
        QCOMPARE(diagonal.map->values.at(0, 1), 0.0);  // diag(d) has nothing beside its diagonal
        choose(pages_->part<QComboBox>("patch.definition"), QStringLiteral("script"));
        QCOMPARE(sample_->session.document().settings.repair.definition, std::string("script"));
        sample_->session.undo_stack().undo();
        sample_->session.undo_stack().undo();
        QCOMPARE(sample_->session.document().repair, std::string("linearpatch"));
        pages_->settle();
        QCOMPARE(kind->currentData().toString(), QStringLiteral("linearpatch"));
        choose(kind, QStringLiteral("none"));
        pages_->settle();
        QVERIFY(!pages_->part<QComboBox>("patch.definition")->isEnabled());
        QVERIFY(!page.figures()[0].empty.empty());
    }

    void evaluation_goes_stale_and_says_so() {
        Page& page = pages_->show("evaluate");
        auto* box = pages_->part<QCheckBox>("evaluate.repair.scalar");
        QVERIFY(!box->isChecked());
        box->setChecked(true);
        const auto& repairs = sample_->session.document().repairs;
        QCOMPARE(repairs.size(), std::size_t(4));
        QVERIFY(std::find(repairs.begin(), repairs.end(), "scalar") != repairs.end());
        pages_->settle();
        QVERIFY(!page.figures()[0].empty.empty());
        auto* button = pages_->part<QPushButton>("evaluate.button");
        QVERIFY2(button->text().contains(QStringLiteral("about")), qPrintable(button->text()));
        button->click();
        QVERIFY(!button->isEnabled() || sample_->results.evaluation.running());
        QTRY_VERIFY_WITH_TIMEOUT(sample_->results.evaluation.fresh(), 60000);
        pages_->settle();
        QCOMPARE(page.tables()[0].rows.size(), std::size_t(5));  // dense and four repairs
        QVERIFY(!pages_->part<QLabel>("evaluate.stale")->isVisible());
        const Figure bars = page.figures()[0];
        QCOMPARE(bars.x.labels.size(), std::size_t(5));
        QVERIFY(!bars.series.at(0).low.empty());  // eight windows give an interval

        sample_->session.remove_layers(LayerSet({6}));
        pages_->settle();
        QVERIFY(pages_->part<QLabel>("evaluate.stale")->isVisible());
        QVERIFY(pages_->part<QLabel>("evaluate.stale")->text().contains(QStringLiteral("removes layer 6 (1 of 16)")));
        const Table stale = page.tables()[0];
        QCOMPARE(stale.text(0, stale.columns.size() - 1), std::string("fresh"));  // nothing was removed from the dense model
        QCOMPARE(stale.text(1, stale.columns.size() - 1), std::string("stale"));
        const auto drawn = page.figures()[0].series;
        QCOMPARE(drawn.size(), std::size_t(2));
        QCOMPARE(drawn[0].role, Role::Dense);
        QCOMPARE(drawn[1].role, Role::Neutral);
        sample_->session.undo_stack().undo();
        pages_->settle();
        QVERIFY(!pages_->part<QLabel>("evaluate.stale")->isVisible());  // the same conditions again: the numbers hold
    }

    void export_tells_what_will_be_written() {
        Page& page = pages_->show("export");
        const auto has_row = [&](int table, const std::string& first) {
            const Table listed = page.tables()[std::size_t(table)];
            for (std::size_t r = 0; r < listed.rows.size(); ++r)
                if (listed.text(r, 0) == first) return true;
            return false;
        };
        QVERIFY(has_row(0, "model.safetensors"));
        QVERIFY(has_row(0, "modeling_suture.py"));
        const Table changes = page.tables()[1];
        for (std::size_t r = 0; r < changes.rows.size(); ++r)
            if (changes.text(r, 0) == "num_hidden_layers") QCOMPARE(changes.text(r, 1) + changes.text(r, 2), std::string("1612"));
        QVERIFY(has_row(1, "num_hidden_layers"));
        choose(pages_->part<QComboBox>("export.repair"), QStringLiteral("none"));
        pages_->settle();
        QVERIFY(!has_row(0, "modeling_suture.py"));
        QVERIFY(has_row(1, "num_hidden_layers"));
        pages_->part<QPushButton>("export.copy")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("from_pretrained")));
        pages_->part<QDoubleSpinBox>("export.shard")->setValue(0.002);
        QCOMPARE(sample_->session.document().settings.export_.shard_gb, 0.002);
        pages_->settle();
        QVERIFY(has_row(0, "model.safetensors.index.json"));
        sample_->session.remove_layers({});
        pages_->settle();
        QVERIFY(page.tables()[0].rows.empty());
        QVERIFY(!pages_->part<QPushButton>("export.button")->isEnabled());
    }

    void export_writes_and_compares() {
        const TemporaryFolder place;
        const auto target = place.path() / "out";
        pages_->show("export");
        auto* folder = pages_->part<QLineEdit>("export.folder");
        QTest::keyClicks(folder, QString::fromStdString(target.string()));
        QTest::keyClick(folder, Qt::Key_Return);
        QCOMPARE(sample_->session.document().export_folder, target);
        pages_->settle();
        QVERIFY(pages_->part<QPlainTextEdit>("export.python")->toPlainText().contains(QString::fromStdString(target.string())));
        auto* button = pages_->part<QPushButton>("export.button");
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(sample_->results.exported.fresh(), 60000);
        pages_->settle();
        QVERIFY(std::filesystem::exists(target / "config.json"));
        auto* outcome = pages_->part<QLabel>("export.outcome");
        QVERIFY2(outcome->text().contains(QStringLiteral("They agree.")), qPrintable(outcome->text()));
        auto* problem = pages_->part<QLabel>("export.problem");
        QVERIFY(!button->isEnabled());  // the folder is there now
        QVERIFY2(problem->isVisible() && problem->text().contains(QString::fromStdString(target.string())), qPrintable(problem->text()));
        pages_->part<QCheckBox>("export.overwrite")->setChecked(true);
        pages_->settle();
        QVERIFY(!problem->isVisible());
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(sample_->results.exported.fresh(), 60000);
    }

private:
    std::unique_ptr<SampleSession> sample_;
    std::unique_ptr<Pages> pages_;
    Document start_;
};

SUTURE_SUITE(PagesTest)
#include "test_pages.moc"
