// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/ablation.h"

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

AblationRow row(const std::string& repair, std::vector<int> removed, std::int64_t windows, double perplexity) {
    return {.model = "m",
            .calibration = "wiki",
            .criterion = "cosine",
            .repair = repair,
            .windows = windows,
            .removed = LayerSet(std::move(removed)),
            .perplexity = {{"wiki", perplexity}}};
}

/// Dense 10; two numbers of layers × two of windows × two repairs, not in order.
Ablation small() {
    Ablation a;
    a.evaluation = {"wiki"};
    a.rows = {row("dense", {}, 0, 10),     row("none", {3, 4}, 8, 20), row("ridge+ft", {3, 4}, 8, 15), row("none", {3}, 8, 12),
              row("ridge+ft", {3}, 8, 11), row("none", {3}, 1, 12),    row("ridge+ft", {3}, 1, 13),    row("none", {5, 6}, 1, 22)};
    a.rows[2].interval["wiki"] = {14, 16};
    return a;
}

AblationSlice slice() {
    return {.model = "m", .calibration = "wiki", .criterion = "cosine", .evaluation = "wiki", .windows = 8, .removed = 1};
}

}  // namespace

class AblationFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void along_layers() {
        const Ablation a = small();
        const Figure figure = ablation_curves(&a, slice());
        QCOMPARE(figure.series.size(), std::size_t(2));
        const Series none = series_named(figure, "no repair"), trained = series_named(figure, "Least squares, fine-tuned");
        QVERIFY(near(none.x, {1, 2}) && near(none.y, {12, 20}) && none.role == Role::Unpatched);
        QVERIFY(near(trained.x, {1, 2}) && near(trained.y, {11, 15}));
        QVERIFY(near(trained.low, {11, 14}) && near(trained.high, {11, 16}));
        QVERIFY(none.low.empty());  // no interval is known
        QCOMPARE(none.point_labels.at(1), std::string("removes layers 3–4"));
        QVERIFY(figure.guides.size() == 1 && figure.guides[0].y == 10 && figure.guides[0].name == "dense");
        QVERIFY(!figure.y.log && contains(figure.caption, "8 windows") && contains(figure.y.title, "on wiki"));
    }

    void along_windows() {
        const Ablation a = small();
        AblationSlice along = slice();
        along.along_windows = true;
        const Figure figure = ablation_curves(&a, along);
        QVERIFY(near(series_named(figure, "no repair").x, {1, 8}) && near(series_named(figure, "no repair").y, {12, 12}));
        QVERIFY(near(series_named(figure, "Least squares, fine-tuned").y, {13, 11}));
        QVERIFY(contains(figure.caption, "1 layer removed") && figure.x.log);
        QVERIFY(figure.id != ablation_curves(&a, slice()).id);
    }

    void great_spans_are_logarithmic() {
        Ablation a = small();
        a.rows[1].perplexity["wiki"] = 2000;
        QVERIFY(ablation_curves(&a, slice()).y.log);
    }

    void slices_name_what_there_is() {
        const Ablation a = small();
        const AblationAxes axes = ablation_axes(a);
        QCOMPARE(axes.windows, (std::vector<std::int64_t>{8, 1}));
        QCOMPARE(axes.removed, (std::vector<int>{2, 1}));
        QCOMPARE(axes.criteria, std::vector<std::string>{"cosine"});
        const AblationSlice valid = valid_slice({.model = "gone", .windows = 8, .removed = 7}, a);
        QVERIFY(valid.model == "m" && valid.calibration == "wiki" && valid.evaluation == "wiki" && valid.windows == 8 &&
                valid.removed == 2);
    }

    void nothing_to_draw_is_a_sentence() {
        const Ablation none;
        QVERIFY(contains(ablation_curves(nullptr, {}).empty, "Run an ablation") && contains(ablation_curves(&none, {}).empty, "Run"));
        const Ablation a = small();
        AblationSlice other = slice();
        other.calibration = "c4";
        const Figure figure = ablation_curves(&a, other);
        QVERIFY(!figure.empty.empty() && figure.guides.empty());
    }
};

SUTURE_SUITE(AblationFigures)
#include "ablation_test.moc"
