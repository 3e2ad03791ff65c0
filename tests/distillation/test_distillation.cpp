// SPDX-License-Identifier: GPL-3.0-or-later
// Fine-tuning by distillation: the distance, its gradients, and the loop.
#include "core/distillation/internal/kl.h"
#include "core/distillation/internal/training.h"
#include "core/distillation/trainable.h"

#include <c10/core/GradMode.h>
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/repair/forms.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

/// The tiny llama, its layer 2 removed. The validation windows repeat the first training windows: random weights have nothing that
/// carries over from one text to another.
struct Toy {
    std::shared_ptr<const Model> model = Model::open(test::data("archs/llama"));
    Windows windows;
    Progress progress;
    Store store{std::filesystem::path()};
    LayerSet removed{{2}};

    Toy() {
        std::int64_t id = 1;
        for (int w = 0; w < 6; ++w) {
            std::vector<std::int64_t> ids;
            if (w == 4) id = 1;
            for (int t = 0; t < 16; ++t) ids.push_back(id = (id * 7 + 3) % model->architecture().vocabulary);
            windows.counted.emplace_back(ids.size(), true);
            windows.ids.push_back(std::move(ids));
        }
        windows.source = "ids";
    }
    Repaired repaired(const std::string& kind) { return fit_repair(model, nullptr, windows, removed, kind, {}, {}, progress); }
    DistilSettings settings() const {
        DistilSettings s;
        s.validation = 2;
        s.batch = 2;
        s.epochs = 10;
        s.validate_every = 2;
        s.top_k = 8;
        s.learning_rate = 1e-4;
        return s;
    }
};

at::Tensor loss(const Decoder& decoder, const Student& student, const Teacher& teacher, const at::Tensor& state, const std::string& target) {
    const Segment whole{.tokens = state.size(0)};
    return Loss(decoder, target)(student.run(state, std::span(&whole, 1)), teacher.log_p[0].to(at::kDouble), teacher.index[0]);
}

/// The loss of one window for the student's present parameters, in float64.
double loss_of(const Decoder& decoder, const Student& student, const Teacher& teacher, const at::Tensor& state, const std::string& target) {
    const c10::NoGradGuard no_gradients;
    return loss(decoder, student, teacher, state, target).item<double>();
}

}  // namespace

class TestDistillation : public QObject {
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

    void gradients_equal_finite_differences_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("train");
        QTest::addColumn<QString>("target");
        QTest::newRow("P") << "ridge"
                           << "matrix"
                           << "tail";
        QTest::newRow("d") << "linearpatch"
                           << "scale"
                           << "renormalised";
        QTest::newRow("factors") << "low-rank"
                                 << "low-rank"
                                 << "tail";
        QTest::newRow("normalised M") << "ridge-normalised"
                                      << "matrix"
                                      << "renormalised";
        QTest::newRow("down projections") << "cascade"
                                          << "down"
                                          << "tail";
        QTest::newRow("all projections") << "refit"
                                         << "layers"
                                         << "tail";
    }
    void gradients_equal_finite_differences() {
        QFETCH(QString, kind);
        QFETCH(QString, train);
        QFETCH(QString, target);
        Toy toy;
        ComputeSettings compute;
        compute.dtype = "float64";
        DistilSettings settings = toy.settings();
        settings.train = train.toStdString();
        RepairSettings repair;
        repair.rank = 3;
        const Decoder decoder(toy.model, compute);
        Student student(decoder, fit_repair(toy.model, nullptr, toy.windows, toy.removed, kind.toStdString(), repair, {}, toy.progress),
                        settings);
        const Teacher teacher = teach(decoder, toy.windows, 8, compute, toy.store, toy.progress);
        at::Tensor state;
        {
            const c10::NoGradGuard no_gradients;
            state = decoder.embed(toy.windows.ids[0]);
            for (const Step& step : student.prefix())
                state = step.map ? apply_map(*step.map, state) : decoder.run(decoder.load(step), state);
        }
        loss(decoder, student, teacher, state, target.toStdString()).backward();
        for (const at::Tensor& parameter : student.parameters()) {
            QCOMPARE(parameter.scalar_type(), at::kDouble);
            auto values = parameter.detach().flatten();  // shares the parameter's memory
            const auto gradient = parameter.grad().flatten();
            for (std::int64_t i = 0; i < values.size(0); i += std::max<std::int64_t>(1, values.size(0) / 7)) {
                const double h = 1e-5, value = values[i].item<double>();
                values[i] = value + h;
                const double above = loss_of(decoder, student, teacher, state, target.toStdString());
                values[i] = value - h;
                const double below = loss_of(decoder, student, teacher, state, target.toStdString());
                values[i] = value;
                const double expected = (above - below) / (2 * h), found = gradient[i].item<double>();
                QVERIFY2(std::abs(found - expected) <= 1e-6 * std::max(1.0, std::abs(expected)),
                         qPrintable(QString("%1 against %2").arg(found).arg(expected)));
            }
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
                auto logits = at::linear(decoder.final_normed(student.run(x, std::span(&segments.back(), 1))), decoder.head_rows(0, vocabulary));
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

    void training_lowers_the_validation_loss_and_keeps_the_best() {
        for (const char* kind : {"ridge", "refit"}) {
            Toy toy;
            const Repaired start = toy.repaired(kind);
            std::size_t watched = 0;
            const Distilled result =
                distil(toy.model, start, toy.windows, toy.settings(), {}, toy.store, toy.progress, [&](const DistilPoint&) { ++watched; });
            QCOMPARE(watched, result.curve.size());
            QVERIFY2(result.curve.size() > 2 && result.best > 0, result.to_json().dump().c_str());
            for (const DistilPoint& point : result.curve) QVERIFY(point.validation >= result.curve[result.best].validation);
            QCOMPARE(result.ended, std::string("all windows seen"));
            QCOMPARE(result.repaired.variant.removed(), toy.removed);
            QVERIFY(result.repaired.variant.to_json() != start.variant.to_json());
        }
    }

    void all_projections_behind_the_seam_are_trained() {
        Toy toy;
        DistilSettings settings = toy.settings();
        settings.train = "layers";
        for (const char* kind : {"none", "refit", "ridge"}) {  // a map stays as it was fitted
            const Repaired start = toy.repaired(kind);
            const Distilled result = distil(toy.model, start, toy.windows, settings, {}, toy.store, toy.progress);
            QCOMPARE(result.parameters, distil_cost(*toy.model, start, toy.windows, settings).parameters);
            QVERIFY(result.best > 0);
            QCOMPARE(result.repaired.variant.maps(), start.variant.maps());
            const auto edits = result.repaired.variant.edits();
            const auto first = std::size_t(toy.removed.layers().front() - 1);
            QCOMPARE(edits.size(), std::size_t(toy.model->architecture().layers) - first - toy.removed.layers().size());
            for (const auto& [layer, edit] : edits) QCOMPARE(edit->tensors.size(), std::size_t(7));
        }
    }

    void what_a_map_is_made_of_is_what_is_trained() {
        Toy toy;
        const auto hidden = toy.model->architecture().hidden;
        for (const auto& [kind, parameters] : {std::pair{"scalar", std::int64_t(1)}, {"channel", hidden}, {"ridge", hidden * hidden}}) {
            const Repaired start = toy.repaired(kind);
            const Distilled result = distil(toy.model, start, toy.windows, toy.settings(), {}, toy.store, toy.progress);
            QCOMPARE(result.parameters, parameters);
            QCOMPARE(distil_cost(*toy.model, start, toy.windows, toy.settings()).parameters, parameters);
            QCOMPARE(result.repaired.patches[0].map->scale.data.size(), start.patches[0].map->scale.data.size());
            QVERIFY(std::isnan(result.repaired.worst_error()));  // the fit's says nothing of it any more
            QVERIFY(result.repaired.to_json()["relative_error"].is_null());
            double trace = 0;  // of the map as it is now
            const Array<float> p = dense_matrix(*result.repaired.patches[0].map, hidden);
            for (std::int64_t i = 0; i < hidden; ++i) trace += double(p.at(i, i));
            QVERIFY(std::abs(result.repaired.patches[0].trace - trace) < 1e-3);
        }
        DistilSettings matrix = toy.settings();
        matrix.train = "matrix";
        const Distilled full = distil(toy.model, toy.repaired("scalar"), toy.windows, matrix, {}, toy.store, toy.progress);
        QVERIFY(form_named("auto", full.repaired) == Form::Patched);
        QVERIFY(!form_refusal(*toy.model, full.repaired, Form::Stock).empty());
    }

    void no_limit_lets_the_gradients_through() {
        Toy toy;
        DistilSettings free = toy.settings(), huge = toy.settings();
        free.clip = 0;
        huge.clip = 1e9;
        const Repaired start = toy.repaired("ridge");
        const Distilled a = distil(toy.model, start, toy.windows, free, {}, toy.store, toy.progress);
        QVERIFY(a.best > 0);
        QCOMPARE(a.repaired.variant.to_json(),
                 distil(toy.model, start, toy.windows, huge, {}, toy.store, toy.progress).repaired.variant.to_json());
    }

    void what_does_not_fit_in_memory_is_said_before() {
        Toy toy;
        ComputeSettings little;
        little.memory = 1e-6;
        const Repaired start = toy.repaired("ridge");
        const std::string problem = training_problem(*toy.model, start, toy.windows, toy.settings(), little);
        QVERIFY2(QString::fromStdString(problem).contains("--memory allows 1e-06"), problem.c_str());
        QVERIFY(training_problem(*toy.model, start, toy.windows, toy.settings(), {}).empty());
        DistilSettings wide = toy.settings();
        wide.batch = 4;
        const auto narrow = toy.settings();
        QVERIFY(distil_cost(*toy.model, start, toy.windows, wide).memory() > distil_cost(*toy.model, start, toy.windows, narrow).memory());
    }

    void what_can_not_teach_is_refused() {
        DistilSettings settings;
        settings.validation = 0;
        QVERIFY_EXCEPTION_THROWN(check_settings(settings), Error);
        settings.validation = 8;
        settings.top_k = 1;
        check_settings(settings);
        settings.target = "renormalised";
        QVERIFY_EXCEPTION_THROWN(check_settings(settings), Error);
        for (const auto& [kind, train, possible] : {std::tuple{"ridge", "scale", false},
                                                    {"scalar", "scale", true},
                                                    {"linearpatch", "scale", true},
                                                    {"ridge", "down", false},
                                                    {"cascade", "down", true},
                                                    {"low-rank", "low-rank", true},
                                                    {"ridge", "low-rank", false},
                                                    {"refit", "matrix", false},
                                                    {"ridge", "matrix", true},
                                                    {"scalar", "layers", true}})
            QVERIFY2(training_refusal(kind, train).empty() == possible, kind);
    }

    void the_best_weights_are_what_is_returned() {
        Toy toy;
        const Distilled result = distil(toy.model, toy.repaired("ridge"), toy.windows, toy.settings(), {}, toy.store, toy.progress);
        DistilSettings again = toy.settings();
        again.epochs = 1;
        const Distilled next = distil(toy.model, result.repaired, toy.windows, again, {}, toy.store, toy.progress);
        QVERIFY(std::abs(next.curve[0].validation - result.curve[result.best].validation) < 1e-5);
    }

    void a_divergence_is_named_and_the_last_good_weights_are_kept() {
        Toy toy;
        DistilSettings wild = toy.settings();
        wild.learning_rate = 100;
        wild.clip = 1e9;
        const Distilled result = distil(toy.model, toy.repaired("ridge"), toy.windows, wild, {}, toy.store, toy.progress);
        QVERIFY(result.diverged);
        QVERIFY2(QString::fromStdString(result.ended).startsWith("diverged at step"), result.ended.c_str());
        DistilSettings calm = toy.settings();
        calm.epochs = 1;
        const Distilled after = distil(toy.model, result.repaired, toy.windows, calm, {}, toy.store, toy.progress);
        QVERIFY(after.curve[0].validation <= result.curve[0].validation + 1e-6);
    }

    void stopping_keeps_the_best_so_far() {
        Toy toy;
        std::stop_source stop;
        Progress progress(stop.get_token(), nullptr);
        const Distilled result =
            distil(toy.model, toy.repaired("ridge"), toy.windows, toy.settings(), {}, toy.store, progress, [&](const DistilPoint& point) {
                if (point.step >= 4) stop.request_stop();
            });
        QVERIFY(result.cancelled);
        QCOMPARE(result.curve.back().step, std::int64_t(5));  // trained behind the last point, and validated all the same
        Progress again;
        DistilSettings one = toy.settings();
        one.epochs = 1;
        const Distilled kept = distil(toy.model, result.repaired, toy.windows, one, {}, toy.store, again);
        QVERIFY(std::abs(kept.curve[0].validation - result.curve[result.best].validation) < 1e-5);
    }

    void the_same_seed_gives_the_same_result() {
        Toy toy;
        const auto run = [&] {
            return distil(toy.model, toy.repaired("linearpatch"), toy.windows, toy.settings(), {}, toy.store, toy.progress)
                .repaired.variant.to_json();
        };
        QCOMPARE(run(), run());
    }

    void what_can_not_be_trained_is_said() {
        Toy toy;
        for (const auto& [kind, train, expected] :
             {std::tuple{"none", "auto", "nothing to train"}, {"ridge", "down", "nothing to train"}, {"ridge", "scale", "no factors d"}}) {
            DistilSettings settings = toy.settings();
            settings.train = train;
            try {
                distil(toy.model, toy.repaired(kind), toy.windows, settings, {}, toy.store, toy.progress);
                QFAIL("was accepted");
            } catch (const Error& error) {
                QVERIFY2(QString(error.what()).contains(expected), error.what());
            }
        }
    }
};

SUTURE_SUITE(TestDistillation)
#include "test_distillation.moc"
