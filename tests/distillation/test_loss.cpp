// SPDX-License-Identifier: GPL-3.0-or-later
// How far the student is from the teacher: the distances, and the loss of several windows at once.
#include "core/distillation/internal/kl.h"
#include "core/distillation/internal/loss.h"
#include "core/distillation/internal/student.h"

#include <QtTest/QtTest>

#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

class TestLoss : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void distances_by_hand() {
        // Teacher (0.5, 0.25) of its two best tokens 2 and 0; student (0.25, 0.25) of the same; both have the rest in one bucket.
        const auto teacher = at::tensor({0.5, 0.25}, at::kDouble).log().unsqueeze(0),
                   student = at::tensor({0.25, 0.125, 0.25, 0.375}, at::kDouble).log().unsqueeze(0);
        const auto index = at::tensor({2, 0}, at::kLong).unsqueeze(0);
        const double tail = 0.5 * std::log(2.0) + 0.25 * std::log(0.25 / 0.5);
        const TailKl kl = kl_with_tail(teacher, index, student);
        QVERIFY(std::abs(kl.sum.item<double>() - tail) < 1e-12);
        // With the rest in proportion, every token of it is pulled as softmax has it: q_v - q_v·p_rest/q_rest.
        const auto gradient = at::tensor({0.0, 0.125 * 0.5, -0.25, 0.375 * 0.5}, at::kDouble);
        QVERIFY(at::allclose(kl.gradient.squeeze(0), gradient, 0, 1e-12));
        // Renormalised: (2/3, 1/3) against (1/2, 1/2).
        const double renormalised = 2.0 / 3 * std::log(4.0 / 3) + 1.0 / 3 * std::log(2.0 / 3);
        QVERIFY(std::abs(kl_renormalised(teacher, student.gather(1, index)).item<double>() - renormalised) < 1e-12);
        QVERIFY(std::abs(kl_with_tail(teacher, index, student + 3).sum.item<double>() - tail) < 1e-12);
    }

    void distances_are_never_negative_and_zero_for_equals() {
        for (int i = 0; i < 20; ++i) {
            const auto logits = at::randn({5, 30}, at::kDouble) * 3, other = at::randn({5, 30}, at::kDouble) * 3;
            const auto [values, index] = at::topk(at::log_softmax(logits, -1), 6);
            QVERIFY(kl_with_tail(values, index, other).sum.item<double>() >= 0);
            QVERIFY(kl_renormalised(values, other.gather(1, index)).item<double>() >= 0);
            QVERIFY(std::abs(kl_with_tail(values, index, logits).sum.item<double>()) < 1e-9);
            QVERIFY(kl_with_tail(values, index, logits).gradient.abs().max().item<double>() < 1e-9);
            QVERIFY(std::abs(kl_renormalised(values, logits.gather(1, index)).item<double>()) < 1e-12);
        }
    }

    void several_windows_at_once_are_the_windows_one_by_one() {
        // 40 + 30 rows: more than one block of the loss, and a block that both windows share. gemma2 caps its logits.
        for (const char* arch : {"archs/llama", "archs/gemma2"}) {
            ComputeSettings compute;
            compute.dtype = "float64";
            const auto model = Model::open(test::data(arch));
            const Decoder decoder(model, compute);
            const std::int64_t vocabulary = model->architecture().vocabulary;
            DistilSettings settings;
            settings.train = "layers";
            const Student student(decoder, no_repair(LayerSet({1})), settings);
            std::vector<at::Tensor> states, log_p, index;
            std::vector<Segment> segments;
            at::Tensor sum = at::zeros({}, at::kDouble);
            for (const std::int64_t tokens : {40, 30}) {
                const auto x = at::randn({tokens, model->architecture().hidden}, at::kDouble);
                const auto [values, tokens_of] = at::topk(at::log_softmax(at::randn({tokens, vocabulary}, at::kDouble) * 3, -1), 8);
                states.push_back(x);
                log_p.push_back(values);
                index.push_back(tokens_of);
                segments.push_back({.tokens = tokens});
                // The formula as it stands, recorded by autograd.
                auto logits =
                    at::linear(decoder.final_normed(student.run(x, std::span(&segments.back(), 1))), decoder.head_rows(0, vocabulary));
                const double cap = model->architecture().logit_cap;
                if (cap > 0) logits = cap * at::tanh(logits / cap);
                const auto log_q = at::log_softmax(logits, -1).gather(1, tokens_of), p = values.exp();
                const auto p_rest = 1 - p.sum(-1), q_rest = 1 - log_q.exp().sum(-1);
                sum = sum + (p * (values - log_q)).sum() + (p_rest * (p_rest.log() - q_rest.log())).sum();
            }
            (sum / 70).backward();
            std::vector<at::Tensor> expected;
            for (const at::Tensor& parameter : student.parameters()) {
                expected.push_back(parameter.grad().clone());
                parameter.grad().zero_();
            }
            const auto loss = Loss(decoder, "tail")(student.run(at::cat(states), segments), at::cat(log_p), at::cat(index));
            QVERIFY(std::abs(loss.item<double>() - sum.item<double>() / 70) < 1e-10);
            loss.backward();
            for (std::size_t i = 0; i < expected.size(); ++i)
                QVERIFY(at::allclose(student.parameters()[i].grad(), expected[i], 1e-7, 1e-10));
        }
    }
};

SUTURE_SUITE(TestLoss)
#include "test_loss.moc"
