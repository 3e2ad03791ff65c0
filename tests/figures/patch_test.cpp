// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/patch.h"

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

std::string value_of(const Table& table, const std::string& fact) {
    for (std::size_t r = 0; r < table.rows.size(); ++r)
        if (table.text(r, 0) == fact) return table.text(r, 1);
    return "no row " + fact;
}

}  // namespace

class PatchFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void says_what_is_missing() {
        const Patch patch = scalar_patch(2);
        QVERIFY(contains(patch_matrix(nullptr, nullptr, false).empty, "repair"));
        QVERIFY(!patch_matrix(&patch, nullptr, false).empty.empty());
        QVERIFY(!patch_scale(nullptr).empty.empty());
        QVERIFY(patch_facts(nullptr, {}).rows.empty());
    }

    void matrix_with_and_without_diagonal() {
        const std::vector<float> p{2, -1, 0, 0, 0.5f, 3, 0, 0, 0, 0, 1, 0, 0, 0, -4, 1};
        const Patch patch = dense_patch(p);
        const Figure figure = patch_matrix(&patch, &patch.map->matrix, false);
        QCOMPARE(figure.map->values, Matrix({4, 4}, std::vector<double>(p.begin(), p.end())));
        QVERIFY(figure.map->diverging && figure.map->centre == 0 && figure.map->row_scale == 1);
        const Figure without = patch_matrix(&patch, &patch.map->matrix, true);
        QCOMPARE(without.map->values, Matrix({4, 4}, {0, -1, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, 0}));
        QVERIFY(contains(figure.to_csv(), "\r\n3,2,-4\r\n"));
    }

    void large_matrix_is_pooled_by_magnitude() {
        Array<float> p({2048, 2048});
        p.at(2, 7) = -5;
        p.at(3, 6) = 4;
        p.at(2047, 2047) = 1;
        const Patch patch = scalar_patch(1);
        const Figure figure = patch_matrix(&patch, &p, false);
        QCOMPARE(figure.map->values.shape, (std::vector<std::int64_t>{1024, 1024}));
        QCOMPARE(figure.map->values.at(1, 3), -5.0);
        QCOMPARE(figure.map->values.at(1023, 1023), 1.0);
        QCOMPARE(figure.map->values.at(0, 0), 0.0);
        QVERIFY(figure.map->row_scale == 2 && figure.map->column_scale == 2);
        QCOMPARE(patch_matrix(&patch, &p, true).map->values.at(1023, 1023), 0.0);
    }

    void scale_in_falling_order() {
        const Patch patch = linear_patch({0.5, 4, 1, 2});
        const Figure figure = patch_scale(&patch);
        QVERIFY(near(figure.series[0].x, {1, 2, 3, 4}) && near(figure.series[0].y, {4, 2, 1, 0.5}));
        QCOMPARE(figure.guides.at(0).y, 1.0);
        QCOMPARE(figure.caption, std::string("layer 1 (1) · P = H·diag(d)·Hᵀ, so d is P's spectrum"));
        QVERIFY(contains(figure.to_csv(), "\r\nd,2,2,,,\r\n"));
        const Patch scalar = scalar_patch(1.5);
        QVERIFY(near(patch_scale(&scalar).series[0].y, {1.5}));
        QVERIFY(contains(patch_scale(&scalar).caption, "c·I"));
    }

    void dense_patch_shows_its_diagonal() {
        const Patch patch = dense_patch({1, 9, 9, 9, 9, 3, 9, 9, 9, 9, -2, 9, 9, 9, 9, 2});
        const Figure figure = patch_scale(&patch);
        QVERIFY(near(figure.series[0].y, {3, 2, 1, -2}));
        QVERIFY(contains(figure.title, "Diagonal") && contains(figure.caption, "diagonal"));
    }

    void facts() {
        Patch patch = linear_patch({0.5, 4, 1, 2});
        patch.hadamard = "Sylvester 4";
        patch.trace = 7.5;
        patch.frobenius = 4.6098;
        patch.error_median = 0.25;
        patch.error_frobenius = std::numeric_limits<double>::quiet_NaN();
        const Table table = patch_facts(&patch, {{"definition", "script"}});
        QCOMPARE(value_of(table, "repair"), std::string("LinearPatch"));
        QCOMPARE(value_of(table, "definition of d"), std::string("mean of the windows' ratios"));
        QCOMPARE(value_of(table, "seam"), std::string("layer 1 (1)"));
        QCOMPARE(value_of(table, "H"), std::string("Sylvester 4"));
        QCOMPARE(value_of(table, "trace of P"), std::string("7.5000"));
        QCOMPARE(value_of(table, "range of d"), std::string("0.5000 … 4.000"));
        QCOMPARE(value_of(table, "relative error, median token"), std::string("0.2500"));
        QCOMPARE(value_of(table, "relative error, all tokens (Frobenius)"), std::string("–"));
        Patch dense = dense_patch(std::vector<float>(16, 1));
        dense.ridge = 0.5;
        const Table of_dense = patch_facts(&dense, nlohmann::json::object());
        QCOMPARE(value_of(of_dense, "ridge λ"), std::string("0.500"));
        QCOMPARE(value_of(of_dense, "definition of d"), std::string("no row definition of d"));
    }
};

SUTURE_SUITE(PatchFigures)
#include "patch_test.moc"
