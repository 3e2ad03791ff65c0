// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QtTest/QtTest>
#include <atomic>
#include <new>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "tests/support/suites.h"
#include "ui/jobs/jobs_model.h"
#include "ui/jobs/live.h"

using namespace suture;

namespace {

Key key(const char* name) { return Key::of({{"test", name}}); }

Work giving(int value) {
    return [value](Progress&) { return std::make_shared<const int>(value); };
}

/// Runs until it is cancelled, reporting without end.
std::shared_ptr<const int> endless(Progress& progress) {
    progress.begin("Going on", 0, "rounds");
    while (true) progress.step();
}

const WhenDone ignore = [](const Outcome&) {};

/// Work that waits inside until the test opens the gate, so that order does not depend on time.
class Gate {
public:
    void open() { open_->store(true); }
    std::function<void(Progress&)> wait() const {
        return [open = open_](Progress& progress) {
            while (!open->load()) progress.check();
        };
    }

private:
    std::shared_ptr<std::atomic<bool>> open_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace

class JobsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void result_arrives_from_the_event_loop_of_the_window() {
        Lanes lanes;
        int got = 0;
        QThread* where = nullptr;
        QThread* ran = nullptr;
        const Interest wish = lanes.submit(
            key("a"), "A", Lane::Light,
            [&ran](Progress&) {
                ran = QThread::currentThread();
                return std::make_shared<const int>(7);
            },
            [&](const Outcome& outcome) {
                got = *std::static_pointer_cast<const int>(outcome.result);
                where = QThread::currentThread();
            });
        QCOMPARE(got, 0);  // never from within submit()
        QTRY_COMPARE(got, 7);
        QCOMPARE(where, QThread::currentThread());
        QVERIFY(ran != where);
        QVERIFY(lanes.idle());
        QCOMPARE(lanes.jobs().front().state, JobInfo::State::Finished);
    }

    void equal_keys_share_one_job() {
        Lanes lanes;
        Gate gate;
        std::atomic<int> runs = 0;
        const Work work = [&runs, wait = gate.wait()](Progress& progress) {
            ++runs;
            wait(progress);
            return std::make_shared<const int>(1);
        };
        int done = 0;
        const WhenDone count = [&done](const Outcome&) { ++done; };
        const Interest first = lanes.submit(key("same"), "A", Lane::Heavy, work, count);
        const Interest second = lanes.submit(key("same"), "A", Lane::Heavy, work, count);
        QCOMPARE(first.job(), second.job());
        gate.open();
        QTRY_COMPARE(done, 2);
        QCOMPARE(runs.load(), 1);
        QCOMPARE(int(lanes.jobs().size()), 1);
    }

    void one_of_two_wishes_may_go() {
        Lanes lanes;
        Gate gate;
        const Work work = [wait = gate.wait()](Progress& progress) {
            wait(progress);
            return std::make_shared<const int>(3);
        };
        bool told_first = false, told_second = false;
        Interest first = lanes.submit(key("same"), "A", Lane::Heavy, work, [&](const Outcome&) { told_first = true; });
        const Interest second =
            lanes.submit(key("same"), "A", Lane::Heavy, work, [&](const Outcome& o) { told_second = o.result != nullptr; });
        first.drop();
        gate.open();
        QTRY_VERIFY(told_second);
        QVERIFY(!told_first);
    }

    void letting_go_of_the_last_wish_cancels() {
        Lanes lanes;
        bool told = false;
        {
            const Interest wish = lanes.submit(key("a"), "A", Lane::Heavy, endless, [&](const Outcome&) { told = true; });
            QTRY_COMPARE(lanes.jobs().front().state, JobInfo::State::Running);
        }
        QTRY_COMPARE_WITH_TIMEOUT(lanes.jobs().front().state, JobInfo::State::Cancelled, 2000);
        QVERIFY(lanes.jobs().front().dropped);
        QVERIFY(!told);
    }

    void waiting_job_is_cancelled_without_running() {
        Lanes lanes;
        std::atomic<bool> ran = false;
        bool told = false;
        const Interest running = lanes.submit(key("a"), "A", Lane::Heavy, endless, ignore);
        const Interest waiting = lanes.submit(
            key("b"), "B", Lane::Heavy,
            [&ran](Progress&) {
                ran = true;
                return nullptr;
            },
            [&](const Outcome& o) { told = o.state == JobInfo::State::Cancelled; });
        lanes.cancel(waiting.job());
        QTRY_VERIFY(told);
        lanes.cancel_all();
        QTRY_VERIFY_WITH_TIMEOUT(lanes.idle(), 2000);
        QVERIFY(!ran);
    }

    void light_work_passes_heavy_work() {
        Lanes lanes;
        const Interest heavy = lanes.submit(key("a"), "A", Lane::Heavy, endless, ignore);
        bool light_done = false, second_done = false;
        const Interest second = lanes.submit(key("b"), "B", Lane::Heavy, giving(1), [&](const Outcome&) { second_done = true; });
        const Interest light = lanes.submit(key("c"), "C", Lane::Light, giving(1), [&](const Outcome&) { light_done = true; });
        QTRY_VERIFY(light_done);
        QVERIFY(!second_done);
        QCOMPARE(lanes.foreground()->id, heavy.job());
    }

    void events_go_on_while_a_heavy_job_runs() {
        Lanes lanes;
        const Interest heavy = lanes.submit(key("a"), "A", Lane::Heavy, endless, ignore);
        QTRY_COMPARE(lanes.jobs().front().state, JobInfo::State::Running);
        qint64 longest = 0;
        QElapsedTimer since;
        since.start();
        QTimer tick;
        connect(&tick, &QTimer::timeout, this, [&] { longest = std::max(longest, since.restart()); });
        tick.start(10);
        int reports = 0;
        connect(&lanes, &Lanes::job_changed, this, [&] { ++reports; });
        QTest::qWait(600);
        QVERIFY2(longest < 200, qPrintable(QString::number(longest)));
        QVERIFY(reports > 0);
        QVERIFY2(reports <= 600 / 50 + 2, qPrintable(QString::number(reports)));  // the job itself reports millions of times
    }

    void progress_is_shown_in_words() {
        ProgressReport report{.stage = "Calibrating", .unit = "tokens", .done = 6800, .total = 16384, .seconds = 2};
        QCOMPARE(progress_words(report),
                 QStringLiteral("Calibrating · 6,800 of 16,384 tokens · 3,400 tokens/s · 3 s left"));  // 9584 / 3400 = 2.8 s
        report = {.stage = "Opening", .unit = "files"};
        QCOMPARE(progress_words(report), QStringLiteral("Opening"));
        QCOMPARE(duration_words(0.44), QStringLiteral("0.4 s"));
        QCOMPARE(duration_words(200), QStringLiteral("3 min 20 s"));
        QCOMPARE(duration_words(7500), QStringLiteral("2 h 5 min"));
    }

    void failures_become_a_sentence_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("details");
        QTest::newRow("Error") << 0 << QStringLiteral("config.json: no member \"x\".") << QStringLiteral("line 3");
        QTest::newRow("library") << 1 << QStringLiteral("Something unexpected went wrong: shapes differ")
                                 << QStringLiteral("shapes differ\nframe 0\nframe 1");
        QTest::newRow("memory") << 2
                                << QStringLiteral(
                                       "There is not enough memory for this; choose fewer or shorter windows or close other programs.")
                                << QString();
    }
    void failures_become_a_sentence() {
        QFETCH(int, which);
        QFETCH(QString, message);
        QFETCH(QString, details);
        Lanes lanes;
        Live<int> live(lanes);
        live.want(key("a"), "A", Lane::Light, [which](Progress&) -> std::shared_ptr<const int> {
            if (which == 0) throw Error("config.json: no member \"x\".", Error::Kind::Input, "line 3");
            if (which == 1) throw std::runtime_error("shapes differ\nframe 0\nframe 1");
            throw std::bad_alloc();
        });
        QTRY_COMPARE(live.state(), LiveBase::State::Failed);
        QCOMPARE(live.message(), message);
        QCOMPARE(live.details(), details);
        QCOMPARE(live.failure_kind(), which == 0 ? Error::Kind::Input : Error::Kind::Internal);
        QCOMPARE(lanes.jobs().front().message, message);
    }

    void failed_result_is_tried_again_only_when_allowed() {
        Lanes lanes;
        Live<int> live(lanes);
        std::atomic<int> runs = 0;
        const auto compute = [&runs](Progress&) -> std::shared_ptr<const int> {
            ++runs;
            throw Error("no");
        };
        live.want(key("a"), "A", Lane::Light, compute);
        QTRY_COMPARE(live.state(), LiveBase::State::Failed);
        live.want(key("a"), "A", Lane::Light, compute);
        QVERIFY(!live.running());
        live.allow_again();
        live.want(key("a"), "A", Lane::Light, compute);
        QTRY_COMPARE(runs.load(), 2);
        QTRY_COMPARE(live.state(), LiveBase::State::Failed);
    }

    void live_value_goes_through_its_states() {
        Lanes lanes;
        Live<int> live(lanes);
        QSignalSpy changed(&live, &LiveBase::changed);
        QCOMPARE(live.state(), LiveBase::State::Empty);
        live.want(key("a"), "A", Lane::Light, [](Progress&) { return std::make_shared<const int>(1); });
        QCOMPARE(live.state(), LiveBase::State::Running);
        QTRY_COMPARE(live.state(), LiveBase::State::Fresh);
        QCOMPARE(*live.value(), 1);
        QCOMPARE(int(changed.size()), 2);

        live.expect(key("b"));
        QCOMPARE(live.state(), LiveBase::State::Stale);
        QCOMPARE(*live.value(), 1);
        QVERIFY(!live.fresh_value());
        live.expect(key("a"));  // undone: valid again without computing
        QCOMPARE(live.state(), LiveBase::State::Fresh);

        Gate gate;
        live.want(key("b"), "B", Lane::Light, [wait = gate.wait()](Progress& progress) {
            wait(progress);
            return std::make_shared<const int>(2);
        });
        QCOMPARE(live.state(), LiveBase::State::Running);
        QCOMPARE(*live.value(), 1);  // the previous one stays readable
        gate.open();
        QTRY_COMPARE(live.state(), LiveBase::State::Fresh);
        QCOMPARE(*live.value(), 2);
    }

    void late_result_is_never_fresh() {
        Lanes lanes;
        Live<int> live(lanes);
        Gate gate;
        const auto late = [wait = gate.wait()](Progress& progress) {
            wait(progress);
            return std::make_shared<const int>(1);
        };
        live.want(key("old"), "Old", Lane::Heavy, late);
        live.want(key("new"), "New", Lane::Light, [](Progress&) { return std::make_shared<const int>(2); });
        gate.open();
        QTRY_VERIFY(lanes.idle());
        QCOMPARE(live.state(), LiveBase::State::Fresh);
        QCOMPARE(*live.value(), 2);
        QCOMPARE(lanes.jobs().front().state, JobInfo::State::Cancelled);
    }

    void cancelled_value_falls_back() {
        Lanes lanes;
        Live<int> live(lanes);
        live.want(key("a"), "A", Lane::Light, [](Progress&) { return std::make_shared<const int>(1); });
        QTRY_VERIFY(live.fresh());
        live.want(key("b"), "B", Lane::Heavy, endless);
        live.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(live.state(), LiveBase::State::Stale, 2000);
        QVERIFY(!lanes.jobs().back().dropped);
        QCOMPARE(*live.value(), 1);
    }

    void offered_value_counts_only_when_wanted() {
        Lanes lanes;
        Live<int> live(lanes);
        live.expect(key("a"));
        live.offer(key("b"), std::make_shared<const int>(2));
        QCOMPARE(live.state(), LiveBase::State::Empty);
        live.offer(key("a"), std::make_shared<const int>(1));
        QCOMPARE(live.state(), LiveBase::State::Fresh);
    }

    void shutting_down_waits_two_seconds_at_most() {
        QElapsedTimer clock;
        {
            Lanes lanes;
            const Interest obedient = lanes.submit(key("a"), "A", Lane::Light, endless, ignore);
            QTRY_COMPARE(lanes.jobs().front().state, JobInfo::State::Running);
            QVERIFY(lanes.shut_down());
        }
        auto release = std::make_shared<std::atomic<bool>>(false);
        {
            Lanes lanes;
            const Interest deaf = lanes.submit(
                key("b"), "B", Lane::Heavy,
                [release](Progress&) -> std::shared_ptr<const void> {
                    while (!release->load()) QThread::msleep(5);
                    return nullptr;
                },
                ignore);
            QTRY_COMPARE(lanes.jobs().front().state, JobInfo::State::Running);
            clock.start();
            QVERIFY(!lanes.shut_down());
            QVERIFY2(clock.elapsed() < 4000, qPrintable(QString::number(clock.elapsed())));
        }
        release->store(true);
        QTest::qWait(50);  // the thread ends by itself, with nobody left to tell
    }

    void model_of_jobs_is_consistent() {
        Lanes lanes;
        JobsModel model(lanes);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const Interest failing = lanes.submit(
            key("a"), "First", Lane::Light,
            [](Progress&) -> std::shared_ptr<const void> { throw Error("a.txt: no.", Error::Kind::Input, "more"); }, ignore);
        QTRY_VERIFY(lanes.idle());
        const Interest running = lanes.submit(key("b"), "Second", Lane::Heavy, endless, ignore);
        QTRY_COMPARE(model.index(0, JobsModel::State).data().toString(), QStringLiteral("running"));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, JobsModel::Title).data().toString(), QStringLiteral("Second"));  // newest first
        QCOMPARE(model.index(1, JobsModel::State).data().toString(), QStringLiteral("failed"));
        QCOMPARE(model.index(1, JobsModel::Remark).data().toString(), QStringLiteral("a.txt: no."));
        QCOMPARE(model.index(1, 0).data(JobsModel::DetailsRole).toString(), QStringLiteral("a.txt: no.\n\nmore"));
        QCOMPARE(model.index(0, 0).data(JobsModel::IdRole).toInt(), running.job());
    }

    void old_jobs_are_forgotten() {
        Lanes lanes;
        JobsModel model(lanes);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::vector<Interest> wishes;
        for (int i = 0; i < 120; ++i) wishes.push_back(lanes.submit({}, QString::number(i), Lane::Light, giving(i), ignore));
        QTRY_VERIFY(lanes.idle());
        QVERIFY(model.rowCount() <= 60);
        QCOMPARE(model.rowCount(), int(lanes.jobs().size()));
        QCOMPARE(model.index(0, JobsModel::Title).data().toString(), QStringLiteral("119"));
    }
};

SUTURE_SUITE(JobsTest)
#include "test_jobs.moc"
