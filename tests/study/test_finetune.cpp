// SPDX-License-Identifier: GPL-3.0-or-later
// Fine-tuning is judged on windows that nothing of it has seen, the fit that it starts from included.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/study/study.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

class TestFinetune : public QObject {
    Q_OBJECT
private:
    Study study_{test::data("archs/llama"), std::make_shared<Store>(std::filesystem::path())};
    LayerSet removed_{{2}};
    Windows windows_;
    JobSettings settings_;
    Progress progress_;

    double start_of(const Distilled& distilled) const { return distilled.curve.at(0).validation; }
    Repaired fitted_on(const Windows& windows) {
        return fit_repair(study_.model(), nullptr, windows, removed_, "ridge", settings_.repair, settings_.compute, progress_);
    }

private Q_SLOTS:
    void initTestCase() {
        std::int64_t id = 1;
        for (int w = 0; w < 6; ++w) {
            std::vector<std::int64_t> ids;
            for (int t = 0; t < 16; ++t) ids.push_back(id = (id * 7 + w + 3) % study_.model()->architecture().vocabulary);
            windows_.counted.emplace_back(ids.size(), true);
            windows_.ids.push_back(std::move(ids));
        }
        windows_.source = "ids";
        settings_.distillation.validation = 2;
        settings_.distillation.top_k = 8;
        settings_.repair.ridge = 1e-6;  // learns by heart what it sees
    }

    void the_start_has_not_seen_what_it_is_validated_on() {
        Windows first_four = windows_;
        first_four.ids.resize(4);
        first_four.counted.resize(4);
        const double unseen = start_of(study_.finetune(fitted_on(first_four), windows_, settings_, progress_));
        const double seen = start_of(study_.finetune(fitted_on(windows_), windows_, settings_, progress_));
        QVERIFY2(seen < 0.9 * unseen, qPrintable(QString("%1 against %2").arg(seen).arg(unseen)));
        QCOMPARE(start_of(study_.finetune(removed_, "ridge", windows_, settings_, progress_)), unseen);
    }

    void too_few_windows_are_named_before_anything_is_fitted() {
        JobSettings settings = settings_;
        settings.distillation.validation = 6;
        try {
            study_.finetune(removed_, "ridge", windows_, settings, progress_);
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("6 windows are too few"), error.what());
        }
    }
};

SUTURE_SUITE(TestFinetune)
#include "test_finetune.moc"
