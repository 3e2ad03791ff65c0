// SPDX-License-Identifier: GPL-3.0-or-later
// Fine-tuning by distillation: gradients, the loop, and what it refuses.
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

at::Tensor loss(const Decoder& decoder, const Student& student, const Teacher& teacher, const at::Tensor& state,
                const std::string& target) {
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
