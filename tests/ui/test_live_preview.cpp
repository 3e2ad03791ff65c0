// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <atomic>
#include <thread>

#include "tests/support/suites.h"
#include "tests/ui/sample_session.h"
#include "ui/jobs/jobs_model.h"
#include "ui/session/live_preview.h"

using namespace suture;
using namespace suture::test;

namespace {

bool refined(const LivePreview& preview) { return preview.numbers() && preview.numbers()->tokens > 600 && preview.settled(); }

}  // namespace

class LivePreviewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        sample_ = std::make_unique<SampleSession>();
        sample_->open();
        sample_->calibrate();
        QTRY_COMPARE(sample_->session.document().removed.size(), 4);
        QTRY_VERIFY(sample_->session.lanes().idle());
        preview_ = std::make_unique<LivePreview>(sample_->session, sample_->results);
        sample_->session.remove_layers(LayerSet({5, 6}));
        QTRY_VERIFY_WITH_TIMEOUT(refined(*preview_), 60000);
    }
    void cleanupTestCase() {
        preview_.reset();
        sample_.reset();
    }

    void numbers_are_those_of_an_evaluation_of_the_slice() {
        const auto numbers = preview_->numbers();
        QCOMPARE(numbers->removed, LayerSet({5, 6}));
        QVERIFY(numbers->tokens <= 2048 && numbers->tokens > 2000);
        const JobInputs inputs = sample_->results.inputs();
        const HeldOut held_out = held_out_windows(inputs, 2048);
        QCOMPARE(held_out.words, std::string("evaluation.txt"));
        const std::vector<Variant> variants{Variant(), Variant(LayerSet({5, 6})), sample_->results.repaired.fresh_value()->variant};
        Progress progress;
        const auto found =
            evaluate(inputs.study->model(), variants, preview_slice(held_out.windows, 2048), inputs.document.settings.compute, 0, progress);
        QVERIFY(std::abs(numbers->dense->perplexity() / found[0].perplexity() - 1) < 1e-4);
        QVERIFY(std::abs(numbers->unpatched->perplexity() / found[1].perplexity() - 1) < 1e-4);
        QVERIFY(std::abs(numbers->patched->perplexity() / found[2].perplexity() - 1) < 1e-4);
        QVERIFY(preview_->words().contains(
            QRegularExpression(QStringLiteral("^preview, 2,0\\d\\d tokens: [0-9.]+ \\([0-9.]+ – [0-9.]+\\); unpatched [0-9.]+$"))));
        QVERIFY(preview_->explanation().contains(QStringLiteral("evaluation.txt")));
    }

    void a_change_drops_what_is_measured_and_shown() {
        sample_->session.remove_layers(LayerSet({2, 3, 9}));
        QVERIFY(!preview_->numbers());  // at once: they are of other layers
        QTRY_VERIFY_WITH_TIMEOUT(preview_->running(), 10000);
        sample_->session.remove_layers(LayerSet({4, 9}));
        QVERIFY(!preview_->running());
        QTRY_VERIFY_WITH_TIMEOUT(refined(*preview_), 60000);
        QCOMPARE(preview_->numbers()->removed, LayerSet({4, 9}));
        sample_->session.undo_stack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(refined(*preview_), 60000);
        QCOMPARE(preview_->numbers()->removed, LayerSet({2, 3, 9}));
    }

    void another_job_comes_first() {
        sample_->session.remove_layers(LayerSet({3, 7}));
        QTRY_VERIFY_WITH_TIMEOUT(preview_->running(), 10000);
        const auto go = std::make_shared<std::atomic<bool>>(false);
        const Interest job = sample_->session.lanes().submit(
            {}, "Long", Lane::Heavy,
            [go](Progress& progress) -> std::shared_ptr<const void> {
                while (!*go) {
                    progress.check();
                    std::this_thread::sleep_for(std::chrono::milliseconds(2));
                }
                return std::make_shared<int>(1);
            },
            [](const Outcome&) {});
        QVERIFY(!preview_->running());
        QTest::qWait(400);  // longer than its pause
        QVERIFY(!preview_->running() && !preview_->settled());
        *go = true;
        QTRY_VERIFY_WITH_TIMEOUT(refined(*preview_), 60000);
    }

    void nobody_is_told_of_its_jobs() {
        for (const JobInfo& job : sample_->session.lanes().jobs()) QVERIFY(job.lane != Lane::Preview || job.active());
        JobsModel model(sample_->session.lanes());
        const int before = model.rowCount();
        sample_->session.remove_layers(LayerSet({4}));
        QTRY_VERIFY_WITH_TIMEOUT(preview_->running(), 10000);
        for (int row = 0; row < model.rowCount() - before; ++row)
            QVERIFY(model.index(row, JobsModel::Title).data().toString() != QStringLiteral("Preview"));
        QTRY_VERIFY_WITH_TIMEOUT(refined(*preview_), 60000);
        QCOMPARE(preview_->numbers()->removed, LayerSet({4}));  // a single layer has a seam to repair, too
        QVERIFY(preview_->numbers()->patched != nullptr);
    }

    void switched_off_it_does_nothing() {
        preview_->set_on(false);
        QVERIFY(preview_->words().isEmpty() && !preview_->numbers());
        sample_->session.remove_layers(LayerSet({8}));
        QTest::qWait(300);
        QVERIFY(!preview_->running() && preview_->settled());
        preview_->set_on(true);
        QTRY_VERIFY_WITH_TIMEOUT(refined(*preview_), 60000);
        sample_->session.remove_layers({});
        QVERIFY(preview_->words().isEmpty() && preview_->settled() == false);
        QTRY_VERIFY(preview_->settled());
    }

    void without_calibration_the_unpatched_model_is_measured() {
        SampleSession other;
        other.open();
        LivePreview preview(other.session, other.results);
        other.session.remove_layers(LayerSet({5, 6}));
        QTRY_VERIFY_WITH_TIMEOUT(refined(preview), 60000);
        QVERIFY(!preview.numbers()->patched && preview.numbers()->unpatched);
        QVERIFY(preview.words().contains(QStringLiteral("tokens: unpatched")));
    }

    void the_slice_is_text_that_calibration_has_not_seen() {
        JobInputs inputs = sample_->results.inputs();
        inputs.document.evaluation = {};
        const auto used = inputs.windows->calibration(*inputs.study, inputs.document.calibration, inputs.document.settings);
        const HeldOut behind = held_out_windows(inputs, 512);
        QVERIFY(behind.words.find("behind") != std::string::npos);
        for (const auto& window : behind.windows.ids) QVERIFY(std::find(used->ids.begin(), used->ids.end(), window) == used->ids.end());
        inputs.document.settings.windows.windows = 0;  // all of the text is calibrated on
        const HeldOut last = held_out_windows(inputs, 512);
        QVERIFY(last.words.find("last windows") != std::string::npos);
        const auto all = inputs.windows->calibration(*inputs.study, inputs.document.calibration, inputs.document.settings);
        QCOMPARE(last.windows.ids.back(), all->ids.back());
        QCOMPARE(last.windows.ids.size(), std::size_t(9));  // 512 tokens in windows of 64, and one more
    }

private:
    std::unique_ptr<SampleSession> sample_;
    std::unique_ptr<LivePreview> preview_;
};

SUTURE_SUITE(LivePreviewTest)
#include "test_live_preview.moc"
