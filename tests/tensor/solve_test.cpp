// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/internal/solve.h"

#include <ATen/CPUGeneratorImpl.h>

#include <QtTest/QtTest>
#include <limits>

#include "core/base/error.h"
#include "core/tensor/internal/threads.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

at::Tensor random(at::IntArrayRef shape, std::uint64_t seed) {
    auto generator = at::detail::createCPUGenerator(seed);
    return at::randn(shape, generator, at::TensorOptions(at::kDouble));
}

double largest(const at::Tensor& tensor) { return tensor.abs().max().item<double>(); }

}  // namespace

class SolveTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The matrices are small: a second thread costs more in waiting than it computes.
    void initTestCase() { set_compute_threads(1); }

    void two_by_two_by_hand() {
        // G = [[2, 1], [1, 2]]: eigenvalues 1 and 3, mean(diag) = 2.
        const RidgeEigen eigen(at::tensor({2.0, 1.0, 1.0, 2.0}, at::kDouble).view({2, 2}));
        QVERIFY(largest(eigen.values - at::tensor({1.0, 3.0}, at::kDouble)) < 1e-14);
        QCOMPARE(eigen.mean_diagonal, 2.0);
        const auto rhs = at::tensor({3.0, 0.0}, at::kDouble).view({2, 1});
        // λ = 0: G⁻¹ = [[2, -1], [-1, 2]] / 3. λ = 1/2: (G + I)⁻¹ = [[3, -1], [-1, 3]] / 8.
        QVERIFY(largest(eigen.solve(rhs, 0).flatten() - at::tensor({2.0, -1.0}, at::kDouble)) < 1e-14);
        QVERIFY(largest(eigen.solve(rhs, 0.5).flatten() - at::tensor({9.0 / 8, -3.0 / 8}, at::kDouble)) < 1e-14);
    }

    void random_systems_for_every_lambda() {
        const auto x = random({100, 32}, 1);
        const auto gram = at::matmul(x.t(), x);  // [32, 32]
        const auto rhs = random({32, 5}, 2);
        const RidgeEigen eigen(gram);
        for (const double lambda : {0.0, 1e-6, 1e-4, 1e-2, 1.0, 100.0}) {
            const auto system = gram + lambda * gram.diagonal().mean() * at::eye(32, at::kDouble);
            QVERIFY(largest(eigen.solve(rhs, lambda) - at::linalg_solve(system, rhs)) < 1e-12);
        }
        QCOMPARE(eigen.solve(rhs.to(at::kFloat), 1e-4).scalar_type(), at::kDouble);
    }

    void singular_gram_gives_the_smallest_solution() {
        // One direction only: X has the single row (3, 4), y = 5. The smallest w with X·w = 5 is 5·(3, 4)/25.
        const auto row = at::tensor({3.0, 4.0}, at::kDouble).view({1, 2});
        const RidgeEigen eigen(at::matmul(row.t(), row));
        const auto solution = eigen.solve(row.t() * 5.0, 0).flatten();
        QVERIFY(largest(solution - at::tensor({0.6, 0.8}, at::kDouble)) < 1e-12);
        QCOMPARE(largest(RidgeEigen(at::zeros({3, 3})).solve(at::ones({3, 1}), 0.1)), 0.0);
    }

    void refusals() {
        const RidgeEigen eigen(at::eye(3, at::kDouble));
        QVERIFY_EXCEPTION_THROWN(eigen.solve(at::ones({2, 3}), 0.1), Error);
        QVERIFY_EXCEPTION_THROWN(eigen.solve(at::ones({3}), 0.1), Error);
        QVERIFY_EXCEPTION_THROWN(eigen.solve(at::ones({3, 3}), -0.1), Error);
        QVERIFY_EXCEPTION_THROWN(eigen.solve(at::ones({3, 3}), std::numeric_limits<double>::quiet_NaN()), Error);
        QVERIFY_EXCEPTION_THROWN(RidgeEigen(at::ones({2, 3})), Error);
        QVERIFY_EXCEPTION_THROWN(RidgeEigen(at::full({2, 2}, std::numeric_limits<double>::infinity())), Error);
    }
};

SUTURE_SUITE(SolveTest)
#include "solve_test.moc"
