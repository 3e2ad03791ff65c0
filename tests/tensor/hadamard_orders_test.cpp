// SPDX-License-Identifier: GPL-3.0-or-later
// Finite fields, Paley's matrices and which orders they reach, all in integers.
#include <QtTest/QtTest>
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "core/tensor/internal/galois.h"
#include "core/tensor/internal/hadamard_orders.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

/// H·Hᵀ = n·I, in integers: two rows of signs agree in n/2 places exactly when their bits differ in n/2 places.
bool is_hadamard(const SignMatrix& matrix) {
    const auto n = matrix.order;
    const auto words = std::size_t((n + 63) / 64);
    std::vector<std::vector<std::uint64_t>> rows(std::size_t(n), std::vector<std::uint64_t>(words, 0));
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            const int entry = matrix.at(i, j);
            if (entry != 1 && entry != -1) return false;
            if (entry < 0) rows[std::size_t(i)][std::size_t(j / 64)] |= std::uint64_t(1) << (j % 64);
        }
    }
    for (std::size_t a = 0; a < rows.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            std::int64_t differing = 0;
            for (std::size_t w = 0; w < words; ++w) differing += std::popcount(rows[a][w] ^ rows[b][w]);
            if (2 * differing != n) return false;
        }
    }
    return true;
}

bool is_symmetric(const SignMatrix& matrix) {
    for (std::int64_t i = 0; i < matrix.order; ++i)
        for (std::int64_t j = 0; j < i; ++j)
            if (matrix.at(i, j) != matrix.at(j, i)) return false;
    return true;
}

std::vector<std::int64_t> unreachable(std::int64_t step, std::int64_t last) {
    std::vector<std::int64_t> orders;
    for (std::int64_t n = step; n <= last; n += step)
        if (hadamard_factors(n).empty()) orders.push_back(n);
    return orders;
}

}  // namespace

class HadamardOrdersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void prime_powers() {
        const auto parts = [](std::int64_t q) {
            const auto found = prime_power(q);
            return found ? std::pair(found->p, found->k) : std::pair(std::int64_t(0), 0);
        };
        QVERIFY(parts(2) == std::pair(std::int64_t(2), 1));
        QVERIFY(parts(9) == std::pair(std::int64_t(3), 2));
        QVERIFY(parts(27) == std::pair(std::int64_t(3), 3));
        QVERIFY(parts(49) == std::pair(std::int64_t(7), 2));
        QVERIFY(parts(683) == std::pair(std::int64_t(683), 1));
        for (const std::int64_t q : {-3, 0, 1, 6, 45, 91, 2 * 3 * 25}) QVERIFY(!prime_power(q));
    }

    void squares_of_prime_fields() {
        // 1, 4, 9, 16, 25, … by hand: mod 7 they are 1, 2, 4; mod 11 1, 3, 4, 5, 9; mod 13 1, 3, 4, 9, 10, 12.
        const std::map<std::int64_t, std::vector<int>> squares{{7, {1, 2, 4}}, {11, {1, 3, 4, 5, 9}}, {13, {1, 3, 4, 9, 10, 12}}};
        for (const auto& [p, expected] : squares) {
            const GaloisField field({p, 1});
            QCOMPARE(field.order(), p);
            QCOMPARE(field.character(0), 0);
            for (int a = 1; a < p; ++a) QCOMPARE(field.character(a), std::ranges::count(expected, a) > 0 ? 1 : -1);
        }
        QCOMPARE(GaloisField({7, 1}).difference(2, 5), std::int64_t(4));
    }

    void squares_of_extension_fields() {
        // Every element of GF(p) is a square in GF(p²), since its order divides p-1, which divides (p²-1)/2. In GF(27),
        // -1 = 2 is none, since (27-1)/2 is odd. Half of the units are squares in any of them.
        for (const auto& [p, k] : {std::pair(3, 2), std::pair(5, 2), std::pair(7, 2), std::pair(3, 3), std::pair(3, 4)}) {
            const GaloisField field({p, k});
            std::int64_t sum = 0;
            for (std::int64_t a = 1; a < field.order(); ++a) {
                QCOMPARE(std::abs(field.character(a)), 1);
                sum += field.character(a);
            }
            QCOMPARE(sum, std::int64_t(0));
            if (k == 2)
                for (int a = 1; a < p; ++a) QCOMPARE(field.character(a), 1);
        }
        const GaloisField cubic({3, 3});
        QCOMPARE(cubic.character(1), 1);
        QCOMPARE(cubic.character(2), -1);
        // (2 + x) - (1 + 2x + x²) = 1 + 2x + 2x² over GF(3), written 1 + 2·3 + 2·9.
        QCOMPARE(cubic.difference(2 + 3, 1 + 2 * 3 + 9), std::int64_t(1 + 2 * 3 + 2 * 9));
    }

    void paley_types() {
        // Both types give 12 (q = 11, q = 5): the symmetric one is chosen. 28 comes from 13, 44 from 43, 8 from 7, 4 from 3.
        const std::map<std::int64_t, std::pair<int, std::int64_t>> expected{
            {4, {1, 3}},    {8, {1, 7}},     {12, {2, 5}},   {20, {2, 9}},   {28, {2, 13}},   {36, {2, 17}},
            {44, {1, 43}},  {52, {2, 25}},   {60, {2, 29}},  {84, {2, 41}},  {100, {2, 49}},  {108, {2, 53}},
            {124, {2, 61}}, {140, {1, 139}}, {148, {2, 73}}, {180, {2, 89}}, {684, {1, 683}}, {924, {2, 461}}};
        for (const auto& [order, want] : expected) {
            const auto paley = paley_of_order(order);
            QVERIFY2(paley, std::to_string(order).c_str());
            QCOMPARE(std::pair(paley->type, paley->q), want);
        }
        for (const std::int64_t order : {1, 2, 6, 10, 16, 40, 92, 116, 156, 172})
            QVERIFY2(!paley_of_order(order), std::to_string(order).c_str());
    }

    void paley_matrices_are_hadamard() {
        for (std::int64_t order = 4; order <= 512; order += 4)
            if (const auto paley = paley_of_order(order)) {
                const auto matrix = paley_matrix(*paley);
                QCOMPARE(matrix.order, order);
                QVERIFY2(is_hadamard(matrix), std::to_string(order).c_str());
                QCOMPARE(is_symmetric(matrix), paley->type == 2);
            }
        // Both types over fields of prime-power order, and the orders large hidden sizes need.
        for (const auto& [type, q] : {std::pair(1, 27), std::pair(1, 243), std::pair(1, 343), std::pair(1, 683), std::pair(2, 9),
                                      std::pair(2, 25), std::pair(2, 49), std::pair(2, 81), std::pair(2, 125), std::pair(2, 461)})
            QVERIFY2(is_hadamard(paley_matrix({type, q})), std::to_string(q).c_str());
    }

    void sylvester_by_hand() {
        const auto four = sylvester_matrix(4);
        const std::vector<std::int8_t> expected{1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, 1, -1, -1, 1};
        QVERIFY(four.entries == expected);
        for (std::int64_t order = 1; order <= 512; order *= 2) QVERIFY(is_hadamard(sylvester_matrix(order)));
    }

    void decompositions_data() {
        QTest::addColumn<QString>("words");
        const auto row = [](int n, const char* words) { QTest::newRow(std::to_string(n).c_str()) << words; };
        row(4096, "Sylvester 4096");
        row(576, "Paley II 36 (q = 17) × Sylvester 16");
        row(640, "Paley II 20 (q = 9) × Sylvester 32");
        row(768, "Paley II 12 (q = 5) × Sylvester 64");
        row(12288, "Paley II 12 (q = 5) × Sylvester 1024");
        row(896, "Paley II 28 (q = 13) × Sylvester 32");
        row(3584, "Paley II 28 (q = 13) × Sylvester 128");
        row(960, "Paley II 60 (q = 29) × Sylvester 16");
        row(2304, "Paley II 36 (q = 17) × Sylvester 64");
        row(1280, "Paley II 20 (q = 9) × Sylvester 64");
        row(6656, "Paley II 52 (q = 25) × Sylvester 128");
        row(1408, "Paley I 44 (q = 43) × Sylvester 32");
        row(1600, "Paley II 100 (q = 49) × Sylvester 16");
        row(2688, "Paley II 84 (q = 41) × Sylvester 32");
        row(2880, "Paley II 180 (q = 89) × Sylvester 16");
        row(10944, "Paley I 684 (q = 683) × Sylvester 16");
        row(18944, "Paley II 148 (q = 73) × Sylvester 128");
        row(29568, "Paley II 924 (q = 461) × Sylvester 32");
        // 1904 = 28·68 needs two: none of 476, 952 - 1, 1904 - 1 = 11·173 and their halves - 1 are suitable prime powers.
        row(1904, "Paley II 28 (q = 13) × Paley I 68 (q = 67)");
    }

    void decompositions() {
        QFETCH(QString, words);
        QString found;
        std::int64_t product = 1;
        for (const auto& factor : hadamard_factors(QByteArray(QTest::currentDataTag()).toInt())) {
            found += (found.isEmpty() ? "" : " × ") + QString::fromStdString(factor.words());
            product *= factor.order;
        }
        QCOMPARE(found, words);
        QCOMPARE(int(product), QByteArray(QTest::currentDataTag()).toInt());
    }

    void unreachable_orders() {
        // The published list of what Paley and Sylvester miss up to 500, and the counts for wider ranges.
        const std::vector<std::int64_t> up_to_500{92,  116, 156, 172, 184, 188, 232, 236, 260, 268, 292,
                                                  324, 356, 372, 376, 404, 412, 428, 436, 452, 472, 476};
        QVERIFY(unreachable(4, 500) == up_to_500);
        const std::vector<std::int64_t> multiples_of_128{7552, 12928, 13696, 13952, 14464, 15104, 16256};
        QVERIFY(unreachable(128, 16384) == multiples_of_128);
        QCOMPARE(unreachable(64, 16384).size(), std::size_t(18));
        QCOMPARE(unreachable(32, 16384).size(), std::size_t(50));
        QCOMPARE(unreachable(8, 16384).size(), std::size_t(538));
        for (const std::int64_t n : {-4, 0, 3, 5, 6, 30, 575}) QVERIFY(hadamard_factors(n).empty());
    }

    void blocks_cover_every_size() {
        QVERIFY(hadamard_blocks(576) == std::vector<std::int64_t>{576});
        QVERIFY(hadamard_blocks(13696) == (std::vector<std::int64_t>{13568, 128}));
        QVERIFY(hadamard_blocks(92) == (std::vector<std::int64_t>{88, 4}));
        QVERIFY(hadamard_blocks(7) == (std::vector<std::int64_t>{4, 2, 1}));
        for (std::int64_t n = 1; n <= 3000; ++n) {
            const auto blocks = hadamard_blocks(n);
            QCOMPARE(std::accumulate(blocks.begin(), blocks.end(), std::int64_t(0)), n);
            for (const auto block : blocks) QVERIFY(!hadamard_factors(block).empty());
            if (n >= 256) QVERIFY2(blocks.front() * 10 >= n * 9, std::to_string(n).c_str());
        }
    }
};

SUTURE_SUITE(HadamardOrdersTest)
#include "hadamard_orders_test.moc"
