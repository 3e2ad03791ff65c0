// SPDX-License-Identifier: GPL-3.0-or-later
// The transform against its definition: dense products, exact orthogonality, and the published patch.
#include "core/tensor/internal/hadamard.h"

#include <ATen/CPUGeneratorImpl.h>

#include <QtTest/QtTest>
#include <bit>
#include <thread>

#include "core/base/error.h"
#include "core/tensor/internal/threads.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

at::Tensor random(at::IntArrayRef shape, at::ScalarType type) {
    auto generator = at::detail::createCPUGenerator(7);
    return at::randn(shape, generator, at::TensorOptions(at::kDouble)).to(type);
}

double largest(const at::Tensor& tensor) { return tensor.abs().max().item<double>(); }

/// The signs of H as float32: sums of up to 2^24 of them are exact.
at::Tensor signs_of(const Hadamard& hadamard) {
    return (hadamard.matrix(at::kDouble) * std::sqrt(double(hadamard.size()))).round().to(at::kFloat);
}

}  // namespace

class HadamardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The matrices are small: a second thread costs more in waiting than it computes.
    void initTestCase() { set_compute_threads(1); }

    void powers_of_two_are_in_natural_order() {
        for (const std::int64_t n : {1, 2, 4, 64, 128, 256, 2048}) {
            const auto matrix = Hadamard::of_size(n).matrix(at::kDouble);
            const auto* entry = matrix.const_data_ptr<double>();
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    const double sign = std::popcount(std::uint64_t(i & j)) % 2 == 0 ? 1 : -1;
                    if (std::abs(entry[i * n + j] - sign / std::sqrt(double(n))) > 1e-16)
                        QFAIL(qPrintable(QString("size %1: entry %2, %3").arg(n).arg(i).arg(j)));
                }
        }
    }

    void every_multiple_of_four_is_exactly_orthogonal() {
        for (std::int64_t n = 4; n <= 512; n += 4) {
            const auto& hadamard = Hadamard::of_size(n);
            if (hadamard.block_diagonal()) continue;
            const auto signs = signs_of(hadamard);  // [n, n] float32
            QVERIFY2(at::equal(signs.abs(), at::ones({n, n})), std::to_string(n).c_str());
            QVERIFY2(at::equal(at::matmul(signs, signs.t()), double(n) * at::eye(n)), std::to_string(n).c_str());
            QVERIFY2(largest(hadamard.matrix(at::kDouble).abs() * std::sqrt(double(n)) - 1) < 1e-15, std::to_string(n).c_str());
        }
        for (const std::int64_t n : {576, 640, 768, 896, 960, 1000, 1152, 1904}) {
            const auto signs = signs_of(Hadamard::of_size(n));
            QVERIFY2(at::equal(at::matmul(signs, signs.t()), double(n) * at::eye(n)), std::to_string(n).c_str());
        }
    }

    void rows_of_large_sizes_are_exactly_orthogonal() {
        for (const std::int64_t n : {1408, 1536, 1600, 2688, 2880, 3072, 3584, 5120, 6656, 8192, 10944, 12288, 18944, 29568}) {
            const auto& hadamard = Hadamard::of_size(n);
            QVERIFY(!hadamard.block_diagonal());
            const auto picked = at::tensor({std::int64_t(0), std::int64_t(1), n / 3, n / 2, n - 2, n - 1});
            const auto units = at::zeros({6, n}).scatter_(1, picked.unsqueeze(1), 1.0);        // [6, n]: rows of the identity
            const auto rows = (hadamard.apply(units) * std::sqrt(double(n))).to(at::kDouble);  // [6, n]
            QVERIFY2(largest(rows.abs() - 1) < 1e-6, std::to_string(n).c_str());
            QVERIFY2(at::equal(at::matmul(rows.round(), rows.round().t()), double(n) * at::eye(6, at::kDouble)), std::to_string(n).c_str());
        }
    }

    void apply_is_the_dense_product_data() {
        QTest::addColumn<int>("size");
        // 72: merged pieces; 1000: a Paley matrix with a Sylvester 2; 1904: two Paley matrices; 92, 7, 1501: block-diagonal; 44: not
        // symmetric.
        for (const int n : {1, 2, 3, 4, 7, 12, 44, 64, 72, 92, 128, 256, 576, 640, 1000, 1408, 1501, 1904, 2048, 2880})
            QTest::newRow(std::to_string(n).c_str()) << n;
    }

    void apply_is_the_dense_product() {
        QFETCH(int, size);
        const auto& hadamard = Hadamard::of_size(size);
        QCOMPARE(hadamard.size(), std::int64_t(size));
        const auto matrix = hadamard.matrix(at::kDouble);  // [n, n] float64
        QCOMPARE(matrix.sizes().vec(), (std::vector<std::int64_t>{size, size}));
        QVERIFY(largest(at::matmul(matrix, matrix.t()) - at::eye(size, at::kDouble)) < 1e-13);

        const auto x = random({2, 5, size}, at::kDouble);
        const auto kept = x.clone();
        QVERIFY(largest(hadamard.apply(x) - at::matmul(x, matrix)) < 1e-12);
        QVERIFY(largest(hadamard.apply_transposed(x) - at::matmul(x, matrix.t())) < 1e-12);
        QVERIFY(largest(hadamard.apply_transposed(hadamard.apply(x)) - x) < 1e-12);
        QVERIFY2(at::equal(x, kept), "the argument was changed");

        const auto narrow = x.to(at::kFloat);
        QCOMPARE(hadamard.apply(narrow).scalar_type(), at::kFloat);
        QVERIFY(largest(hadamard.apply(narrow) - at::matmul(x, matrix)) < 2e-5);
        const auto across = random({size, 3}, at::kDouble).t();  // [3, n], not contiguous
        QVERIFY(largest(hadamard.apply(across) - at::matmul(across, matrix)) < 1e-12);
        QVERIFY(largest(hadamard.apply(across[0]) - at::matmul(across[0], matrix)) < 1e-12);  // [n]
        QCOMPARE(hadamard.apply(x.narrow(0, 0, 0)).sizes().vec(), (std::vector<std::int64_t>{0, 5, size}));
    }

    void block_diagonal_where_no_matrix_is_known() {
        const auto& hadamard = Hadamard::of_size(92);  // 88 + 4
        QVERIFY(hadamard.block_diagonal());
        const auto matrix = hadamard.matrix(at::kDouble);
        QVERIFY(largest(matrix.narrow(0, 0, 88).narrow(1, 88, 4)) == 0 && largest(matrix.narrow(0, 88, 4).narrow(1, 0, 88)) == 0);
        QVERIFY(largest(matrix.narrow(0, 0, 88).narrow(1, 0, 88).abs() - 1 / std::sqrt(88.0)) < 1e-15);
        QVERIFY(largest(matrix.narrow(0, 88, 4).narrow(1, 88, 4).abs() - 0.5) < 1e-15);
    }

    void patch_of_the_reference() {
        const auto file = test::shared("reference/stories260K.json");
        SUTURE_NEEDS(file);
        const auto reference = test::read_json(file);
        int compared = 0;
        for (const auto& cut : reference.at("prune")) {
            for (const auto* name : {"linearpatch_ratio_of_sums", "linearpatch_mean_of_ratios"}) {
                const auto& variant = cut.at("variants").at(name);
                const auto scales = variant.at("d").get<std::vector<double>>();
                const auto d = at::tensor(scales, at::kDouble);  // [C]
                const auto& hadamard = Hadamard::of_size(d.size(0));
                const auto matrix = hadamard.matrix(at::kDouble);
                const auto patch = hadamard.apply_transposed(matrix * d);  // [C, C] H·diag(d)·Hᵀ
                const auto expected = variant.at("patch_row0_first8").get<std::vector<double>>();
                for (int j = 0; j < 8; ++j) QVERIFY(std::abs(patch[0][j].item<double>() - expected[std::size_t(j)]) < 1e-6);
                QVERIFY(test::relative_difference(patch.trace().item<double>(), variant.at("patch_trace").get<double>()) < 1e-6);
                QVERIFY(test::relative_difference(patch.norm().item<double>(), variant.at("patch_frobenius").get<double>()) < 1e-6);
                for (int i = 0; i < 64; ++i)
                    for (int j = 0; j < 64; ++j) QVERIFY(std::abs((patch[i][j] - patch[0][i ^ j]).item<double>()) < 1e-12);
                ++compared;
            }
        }
        QCOMPARE(compared, 4);
    }

    void every_diagonal_entry_of_a_patch_is_the_mean_of_d() {
        for (const std::int64_t n : {576, 44}) {
            const auto& hadamard = Hadamard::of_size(n);
            const auto d = random({n}, at::kDouble).abs();
            const auto patch = hadamard.apply_transposed(hadamard.matrix(at::kDouble) * d);
            QVERIFY(largest(patch.diagonal() - d.mean()) < 1e-12);
            QVERIFY(largest(patch - patch.t()) < 1e-12);
        }
    }

    void descriptions() {
        const auto words = [](std::int64_t n) { return QString::fromStdString(Hadamard::of_size(n).description()); };
        QCOMPARE(words(128), "Sylvester 2^7");
        QCOMPARE(words(576), "Paley II 36 (q = 17) × Sylvester 16");
        QCOMPARE(words(44), "Paley I 44 (q = 43)");
        QCOMPARE(words(13696), "block-diagonal: 13568 + 128");
    }

    void shared_between_threads() {
        std::vector<const Hadamard*> seen(4, nullptr);
        {
            std::vector<std::jthread> threads;
            for (auto& place : seen) threads.emplace_back([&place] { place = &Hadamard::of_size(1120); });  // built by no other test
        }
        QVERIFY(seen[0]);
        QCOMPARE(seen[0]->size(), std::int64_t(1120));
        for (const auto* one : seen) QCOMPARE(one, seen[0]);
    }

    void gradients_pass_even_if_first_built_in_inference_mode() {
        const std::int64_t n = 1056;  // built by no other test
        {
            const c10::InferenceMode inference;
            Hadamard::of_size(n);
        }
        auto x = random({3, n}, at::kDouble).requires_grad_();
        const auto weights = random({3, n}, at::kDouble) + 1;
        (Hadamard::of_size(n).apply(x) * weights).sum().backward();
        QVERIFY(largest(x.grad() - Hadamard::of_size(n).apply_transposed(weights)) < 1e-12);
    }

    void refusals() {
        const auto& hadamard = Hadamard::of_size(12);
        QVERIFY_EXCEPTION_THROWN(Hadamard::of_size(0), Error);
        QVERIFY_EXCEPTION_THROWN(hadamard.apply(at::ones({2, 24})), Error);
        QVERIFY_EXCEPTION_THROWN(hadamard.apply(at::ones({})), Error);
        QVERIFY_EXCEPTION_THROWN(hadamard.apply(at::ones({2, 12}, at::kHalf)), Error);
        QVERIFY_EXCEPTION_THROWN(hadamard.apply_transposed(at::ones({2, 12}, at::kLong)), Error);
    }
};

SUTURE_SUITE(HadamardTest)
#include "hadamard_test.moc"
