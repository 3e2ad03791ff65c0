// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/measures.h"

#include <QtTest/QtTest>
#include <fstream>

#include "core/base/error.h"
#include "core/study/domains.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

const std::filesystem::path sample = std::filesystem::path(SUTURE_SOURCE) / "resources/sample";

JobSettings small_job() {
    JobSettings settings;
    settings.windows.seqlen = 48;
    settings.windows.windows = 4;
    settings.evaluation_windows = 3;
    settings.compute.threads = 1;
    return settings;
}

Study open() { return Study(sample, std::make_shared<Store>(std::filesystem::path())); }

std::filesystem::path written(const test::TemporaryFolder& folder, const std::string& text) {
    std::ofstream(folder.path() / "text.txt") << text;
    return folder.path() / "text.txt";
}

/// Counts the stages that a run begins.
struct Counted {
    int stages = 0;
    Progress progress{std::stop_token(), [this](const ProgressReport& report) { stages += report.done == 0; }};
};

}  // namespace

class TestMeasures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void halves_share_no_window() {
        const Study study = open();
        const TextSource text{sample / "evaluation.txt", {}};
        JobSettings settings = small_job();
        const TextHalves halves = text_halves(study, text, settings);
        QCOMPARE(halves.fit.ids.size(), std::size_t(4));
        QCOMPARE(halves.rest.ids.size(), std::size_t(3));
        QVERIFY(halves.fit.digest != halves.rest.digest);
        auto both = halves.fit.ids;
        both.insert(both.end(), halves.rest.ids.begin(), halves.rest.ids.end());
        settings.windows.windows = 7;
        QCOMPARE(both, study.calibration_windows(text, settings).ids);
    }

    void a_short_text_is_halved_or_refused() {
        const Study study = open();
        const test::TemporaryFolder folder;
        JobSettings settings = small_job();
        settings.windows.seqlen = 8;
        const TextSource text{written(folder, "In the beginning God created the heaven and the earth. And the earth was without form."),
                              {}};
        settings.evaluation_windows = 0;
        const TextHalves halves = text_halves(study, text, settings);
        const auto all = halves.fit.ids.size() + halves.rest.ids.size();
        QVERIFY(all >= 2 && all < 8);
        QCOMPARE(halves.fit.ids.size(), all / 2);
        settings.windows.seqlen = 400;
        QVERIFY_EXCEPTION_THROWN(text_halves(study, text, settings), Error);
    }

    /// Every cell is what its two texts alone give.
    void domains_are_evaluations_of_patches() {
        const Study study = open();
        const JobSettings settings = small_job();
        const std::vector<TextSource> texts{{sample / "calibration.txt", {}}, {sample / "evaluation.txt", {}}};
        const LayerSet removed = LayerSet::range(5, 4);
        Progress silent;
        const DomainMatrix matrix = cross_domain(study, texts, removed, "linearpatch", settings, silent);
        const Study other = open();
        const auto fit = text_halves(other, texts[1], settings).fit, rest = text_halves(other, texts[0], settings).rest;
        const auto repaired = other.repair(*other.calibrate(fit, settings, silent), fit, removed, "linearpatch", settings, silent);
        const std::vector<Variant> variants{Variant(), Variant(removed), repaired.variant};
        const auto alone = other.evaluate(variants, rest, settings, 0, silent);
        QVERIFY(test::relative_difference(matrix.dense[0], alone[0]->perplexity()) < 1e-6);
        QVERIFY(test::relative_difference(matrix.unpatched[0], alone[1]->perplexity()) < 1e-6);
        QVERIFY(test::relative_difference(matrix.perplexity.at(1, 0), alone[2]->perplexity()) < 1e-6);
        QVERIFY(matrix.perplexity.at(0, 0) != matrix.perplexity.at(1, 0));
        QCOMPARE(matrix.texts, (std::vector<std::string>{"calibration.txt", "evaluation.txt"}));
    }

    void domains_refuse_what_makes_no_sense() {
        const Study study = open();
        const std::vector<TextSource> one{{sample / "calibration.txt", {}}}, two(2, one[0]);
        Progress silent;
        QVERIFY_EXCEPTION_THROWN(cross_domain(study, one, LayerSet({3}), "linearpatch", small_job(), silent), Error);
        QVERIFY_EXCEPTION_THROWN(cross_domain(study, two, {}, "linearpatch", small_job(), silent), Error);
        QVERIFY_EXCEPTION_THROWN(cross_domain(study, two, LayerSet({3}), "none", small_job(), silent), Error);
    }

    void kept_results_are_not_computed_again() {
        const Study study = open();
        const std::vector<Variant> one{Variant()}, two{Variant(), Variant(LayerSet({6}))};
        const auto compute = small_job().compute;
        Progress silent;
        RollingSettings whole;
        whole.documents = "file";
        const test::TemporaryFolder folder;
        const auto file = written(folder, "In the beginning God created the heaven and the earth.");
        const RollingText text = rolling_text(*study, *study.tokenizer(), file, whole);
        const auto first = measure_rolling(study, one, text, compute, silent);
        const auto both = measure_rolling(study, two, text, compute, silent);
        QCOMPARE(both[0].documents, first[0].documents);
        QVERIFY(both[1].documents != first[0].documents);
        Counted again;
        QCOMPARE(measure_rolling(study, two, text, compute, again.progress)[1].documents, both[1].documents);
        QCOMPARE(again.stages, 0);

        const Problems problems{{{"1 + 1 =", "2"}, {"2 + 2 =", "4"}}, "sums", "digest"};
        const ReasoningSettings settings{{.max_tokens = 4}, "never", {}, {}};
        std::vector<std::size_t> told;
        const OnRow tell = [&](std::size_t variant, const ReasoningRow&) { told.push_back(variant); };
        answer_problems(study, std::span(two).subspan(1), problems, settings, compute, tell, silent);
        QCOMPARE(told, (std::vector<std::size_t>{0, 0}));
        told.clear();
        const auto results = answer_problems(study, two, problems, settings, compute, tell, silent);
        QCOMPARE(told, (std::vector<std::size_t>{1, 1, 0, 0}));  // the kept ones at once
        QCOMPARE(results[0].rows.size(), std::size_t(2));
    }
};

SUTURE_SUITE(TestMeasures)
#include "test_measures.moc"
