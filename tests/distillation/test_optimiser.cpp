// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/internal/optimiser.h"

#include <QtTest/QtTest>

#include "tests/support/suites.h"

using namespace suture;

class TestOptimiser : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_step_of_the_optimiser_by_hand() {
        // The first step of Adam is rate·sign(g), whatever the size; then a part of the way back to the start.
        auto parameter = at::tensor({1.0, -2.0, 5.0}, at::kDouble).requires_grad_();
        parameter.mutable_grad() = at::tensor({0.5, -3.0, 0.0}, at::kDouble);
        Optimiser optimiser({parameter});
        optimiser.step({.rate = 0.1, .decay = 2});
        QVERIFY(at::allclose(parameter.detach(), at::tensor({1 - 0.1 * 0.8, -2 + 0.1 * 0.8, 5.0}, at::kDouble), 0, 1e-7));
        QVERIFY(!parameter.grad().defined());
        // Cut to a norm far below Adam's epsilon, a gradient moves nothing.
        auto still = at::tensor({1.0}, at::kDouble).requires_grad_();
        still.mutable_grad() = at::tensor({7.0}, at::kDouble);
        Optimiser clipped({still});
        clipped.step({.rate = 0.1, .clip = 1e-14});
        QVERIFY(std::abs(still.item<double>() - 1) < 1e-6);
    }
};

SUTURE_SUITE(TestOptimiser)
#include "test_optimiser.moc"
