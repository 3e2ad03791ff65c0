// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluation/token_losses.h"

#include <QtTest/QtTest>
#include <cmath>

#include "core/base/error.h"
#include "core/evaluation/evaluation.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

std::shared_ptr<const Model> sample() { return Model::open(std::filesystem::path(SUTURE_SOURCE) / "resources" / "sample"); }

/// -log softmax(logits)[target], from the definition.
double loss_of(std::span<const float> logits, std::int64_t target) {
    double sum = 0;
    for (const float logit : logits) sum += std::exp(double(logit));
    return std::log(sum) - double(logits[std::size_t(target)]);
}

}  // namespace

class TestTokenLosses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void are_those_of_the_logits() {
        const auto model = sample();
        const std::vector<std::int64_t> ids{5, 300, 17, 900, 41, 42, 1000};
        const std::vector<Variant> variants{Variant(), Variant(LayerSet::range(4, 3)), Variant()};
        Windows window;
        window.ids = {ids};
        window.counted = {std::vector<bool>(ids.size(), true)};
        window.source = "ids";
        Progress silent;
        const auto evaluations = evaluate(model, variants, window, {}, std::int64_t(ids.size()), silent);
        const auto losses = token_losses(model, variants, ids, {}, silent);
        QCOMPARE(losses.size(), variants.size());
        for (std::size_t v = 0; v < variants.size(); ++v) {
            QCOMPARE(losses[v].size(), ids.size() - 1);
            for (std::size_t t = 0; t + 1 < ids.size(); ++t) {
                const double expected = loss_of(evaluations[v].logits.row(0, t), ids[t + 1]);
                QVERIFY2(std::abs(losses[v][t] - expected) < 1e-4, qPrintable(QString::number(losses[v][t] - expected)));
            }
        }
        QCOMPARE(losses[0], losses[2]);
        QVERIFY(losses[0] != losses[1]);
    }

    void one_token_predicts_nothing() {
        const std::vector<std::int64_t> one{5};
        const std::vector<Variant> dense(1);
        Progress silent;
        QVERIFY_EXCEPTION_THROWN(token_losses(sample(), dense, one, {}, silent), Error);
    }
};

SUTURE_SUITE(TestTokenLosses)
#include "test_token_losses.moc"
