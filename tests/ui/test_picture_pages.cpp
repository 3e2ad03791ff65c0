// SPDX-License-Identifier: GPL-3.0-or-later
// Similarity, Channels, Tokens and Patch: their figures and controls.
#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>

#include "core/selection/criterion.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/ui/sample_pages.h"
#include "ui/widgets/table_view.h"

using namespace suture;
using namespace suture::test;

class PicturePagesTest : public QObject, private PagesFixture {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { set_up(); }
    void cleanupTestCase() { tear_down(); }
    void init() { start_again(); }

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

    void similarity_honours_protection() {
        Page& page = pages_->show("similarity");
        Document guarded = sample_->session.document();
        guarded.selection.protection.layers = LayerSet({start_.removed.layers()[1]});
        sample_->session.change(guarded, "Protect");
        pages_->settle();
        const Figure scores = page.figures()[1];
        QVERIFY2(scores.caption.find("is protected") != std::string::npos, scores.caption.c_str());
        const LayerSet best = LayerSet::range(int(scores.series.at(1).x.at(0)), 4);  // "best: layers …"
        QVERIFY(!best.contains(start_.removed.layers()[1]));
        QCOMPARE(page.tables()[0].text(0, 1), "layers " + best.words());
        sample_->results.choose_best_block();
        QCOMPARE(sample_->session.document().removed, best);  // the strip's proposal is the page's
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
};

SUTURE_SUITE(PicturePagesTest)
#include "test_picture_pages.moc"
