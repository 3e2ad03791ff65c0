// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/ui/sample_session.h"

using namespace suture;
using namespace suture::test;

namespace {

Document changed_everywhere() {
    Document d;
    d.model = "/models/a";
    d.calibration = {"/texts/wiki.txt", {}};
    d.evaluation = {{}, "/texts/ids.json"};
    d.settings.windows.seqlen = 128;
    d.settings.windows.bos = "window";
    d.settings.evaluation_windows = 3;
    d.settings.repair.definition = "script";
    d.settings.compute.memory = 2.5;
    d.settings.export_.shard_gb = 1.5;
    d.removed = LayerSet({7, 8, 3});
    d.criterion = "angular";
    d.block_length = 4;
    d.repairs = {"none", "ridge"};
    d.repair = "channel";
    d.scales = "/patches/scales.pt";
    d.merge = "a merge";
    d.finetuned = false;
    d.selection.amount = 3;
    d.measures.prompt.prompt = "Once";
    d.export_folder = "/models/b";
    d.seam = 1;
    return d;
}

}  // namespace

class SessionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void document_survives_json() {
        const Document before = changed_everywhere();
        const Document after = Document::from_json(nlohmann::json::parse(before.to_json().dump()));
        QVERIFY(after == before);
        QCOMPARE(after.removed.text(), std::string("3,7-8"));
        QCOMPARE(after.evaluation.ids.string(), std::string("/texts/ids.json"));
        QCOMPARE(after.settings.export_.shard_gb, 1.5);
        QCOMPARE(after.settings.repair.definition, std::string("script"));
        const nlohmann::json fresh = Document().to_json(), full = before.to_json();
        for (const auto& [member, value] : fresh.items())
            QVERIFY2(full.at(member) != value, member.c_str());  // the test reaches every member
        QVERIFY(Document::from_json(nlohmann::json::object()) == Document());
    }

    void shown_seam_is_one_that_exists() {
        Document d;
        QVERIFY(!d.shown_seam());
        d.removed = LayerSet({3, 7, 8});
        d.seam = 1;
        QCOMPARE(*d.shown_seam(), (Seam{7, 9}));
        d.seam = 5;  // a cut with more seams was shown before
        QCOMPARE(*d.shown_seam(), (Seam{7, 9}));
    }

    void undo_and_redo_restore_documents() {
        Session session(std::make_shared<Store>(std::filesystem::path()));
        QSignalSpy changed(&session, &Session::document_changed);
        session.remove_layers(LayerSet({3}));
        session.remove_layers(LayerSet({3, 4}));
        session.remove_layers(LayerSet({3, 4}));  // no step: nothing changed
        QCOMPARE(session.undo_stack().count(), 2);
        QCOMPARE(session.undo_stack().undoText(), QStringLiteral("Remove layers 3–4"));
        session.undo_stack().undo();
        QCOMPARE(session.document().removed, LayerSet({3}));
        session.undo_stack().undo();
        QVERIFY(session.document().removed.empty());
        session.undo_stack().redo();
        QCOMPARE(session.document().removed, LayerSet({3}));
        QCOMPARE(int(changed.size()), 5);
    }

    void tweaks_of_one_control_are_one_step() {
        Session session(std::make_shared<Store>(std::filesystem::path()));
        const auto tweak = [&session](int n, const QString& control) {
            Document d = session.document();
            d.block_length = n;
            session.change(d, QStringLiteral("n = %1").arg(n), control);
        };
        tweak(2, "n");
        tweak(3, "n");
        tweak(4, "n");
        QCOMPARE(session.undo_stack().count(), 1);
        QCOMPARE(session.undo_stack().undoText(), QStringLiteral("n = 4"));
        tweak(5, "other");
        tweak(6, {});
        tweak(7, {});
        QCOMPARE(session.undo_stack().count(), 4);
        for (int i = 0; i < 4; ++i) session.undo_stack().undo();
        QCOMPARE(session.document().block_length, 1);
    }

    void seam_shown_is_no_step() {
        Session session(std::make_shared<Store>(std::filesystem::path()));
        session.show_seam(1);
        QCOMPARE(session.document().seam, 1);
        QCOMPARE(session.undo_stack().count(), 0);
    }

    void opening_fails_with_a_sentence_and_keeps_what_is_open() {
        SampleSession s;
        s.open();
        const auto before = s.session.study();
        QSignalSpy failed(&s.results, &Results::failed);
        const TemporaryFolder empty;
        s.session.open(empty.path());
        QTRY_COMPARE(int(failed.size()), 1);
        QVERIFY(failed[0][0].toString().contains(QString::fromStdString(empty.path().filename().string())));
        QCOMPARE(s.session.study(), before);
        QCOMPARE(s.session.document().model, sample_folder());
    }

    void opening_takes_texts_beside_the_model_and_a_file_in_the_folder_will_do() {
        Session session(std::make_shared<Store>(std::filesystem::path()));
        session.open(sample_folder() / "config.json");
        QTRY_VERIFY_WITH_TIMEOUT(session.study() != nullptr, 10000);
        QCOMPARE(session.document().model, sample_folder());
        QCOMPARE(session.document().calibration.text, sample_folder() / "calibration.txt");
        QCOMPARE(session.document().evaluation.text, sample_folder() / "evaluation.txt");
        QCOMPARE(session.layers(), 16);
        QCOMPARE(session.document().block_length, 4);  // a quarter of 16
        QVERIFY(session.document().removed.empty());
        QCOMPARE(session.undo_stack().count(), 0);
    }

    void models_without_texts_get_the_bundled_ones() {
        Session session(std::make_shared<Store>(std::filesystem::path()), sample_folder());
        session.open(data("archs/llama"));
        QTRY_VERIFY_WITH_TIMEOUT(session.study() != nullptr, 10000);
        QCOMPARE(session.document().calibration.text, sample_folder() / "calibration.txt");
        session.open(data("archs/llama"), {"given.txt", {}});
        QTRY_COMPARE(session.document().calibration.text.string(), std::string("given.txt"));
    }

    void forecast_comes_before_calibration_and_the_cut_is_proposed_after_it() {
        SampleSession s;
        s.open();
        QTRY_VERIFY_WITH_TIMEOUT(s.results.forecast.fresh(), 10000);
        const auto forecast = s.results.forecast.value();
        QCOMPARE(forecast->windows, 4);
        QCOMPARE(forecast->tokens, 256);
        QVERIFY(!forecast->stored);
        QVERIFY(forecast->seconds > 0);
        QVERIFY(forecast->memory.resident > 0);
        QCOMPARE(s.results.statistics.state(), LiveBase::State::Empty);

        s.calibrate();
        const auto& removed = s.session.document().removed;
        QCOMPARE(removed, rank_layers(*s.results.statistics.value(), "cosine", 4).removed);
        QVERIFY(s.results.is_best_block());
        QTRY_VERIFY_WITH_TIMEOUT(s.results.repaired.fresh(), 10000);
        QVERIFY(s.results.shown_patch());
        QCOMPARE(s.results.shown_patch()->seam, seams_of(removed)[0]);
        s.session.undo_stack().undo();  // the proposal is a step like any other, and is not made twice
        QVERIFY(s.session.document().removed.empty());
        QTRY_COMPARE(s.results.repaired.state(), LiveBase::State::Empty);
    }

    void statistics_follow_their_conditions() {
        SampleSession s;
        s.open();
        s.calibrate();
        Document other = s.session.document();
        other.settings.windows.windows = 3;
        s.session.change(other, "Fewer windows");
        QCOMPARE(s.results.statistics.state(), LiveBase::State::Stale);
        QVERIFY(!s.results.is_best_block());  // old numbers choose nothing
        s.session.undo_stack().undo();
        QCOMPARE(s.results.statistics.state(), LiveBase::State::Fresh);
        other = s.session.document();
        other.settings.compute.threads = 2;
        s.session.change(other, "Threads");
        QCOMPARE(s.results.statistics.state(), LiveBase::State::Fresh);  // how fast changes nothing
    }

    void kept_statistics_reappear_without_running_the_model() {
        const TemporaryFolder cache;
        {
            SampleSession first(std::make_shared<Store>(cache.path()));
            first.open();
            first.calibrate();
        }
        SampleSession second(std::make_shared<Store>(cache.path()));
        second.open();
        QTRY_VERIFY_WITH_TIMEOUT(second.results.statistics.fresh(), 10000);
        for (const auto& job : second.session.lanes().jobs()) QVERIFY(job.lane == Lane::Light);
        QVERIFY(!second.session.document().removed.empty());
    }

    void best_block_follows_its_controls_until_a_person_chooses() {
        SampleSession s;
        s.open();
        s.calibrate();
        s.results.set_block(3, "cosine");
        QCOMPARE(s.session.document().removed.size(), 3);
        QVERIFY(s.results.is_best_block());
        s.session.remove_layers(LayerSet({2, 9}));
        s.results.set_block(5, "cosine");
        QCOMPARE(s.session.document().removed, LayerSet({2, 9}));
        QVERIFY(QString::fromStdString(s.results.words_of_choice()).contains(QStringLiteral("by hand")));
        s.results.choose_best_block();
        QCOMPARE(s.session.document().removed.size(), 5);
    }

    void evaluation_is_marked_stale_when_the_cut_changes() {
        SampleSession s;
        s.open();
        s.calibrate();
        s.results.evaluate();
        QTRY_VERIFY_WITH_TIMEOUT(s.results.evaluation.fresh(), 60000);
        auto rows = s.results.evaluation_rows();
        QCOMPARE(int(rows.size()), 4);
        QCOMPARE(rows[0].kind, std::string("dense"));
        QCOMPARE(rows[1].kind, std::string("none"));
        QCOMPARE(rows[3].label, std::string("LinearPatch"));
        for (const auto& row : rows) QVERIFY(!row.stale && row.evaluation->perplexity() > 1);
        QVERIFY(rows[1].evaluation->perplexity() > rows[0].evaluation->perplexity());  // a pruned model is worse
        s.session.remove_layers(LayerSet({5}));
        rows = s.results.evaluation_rows();
        QVERIFY(!rows[0].stale && rows[1].stale && rows[3].stale);  // the dense model has lost nothing
        s.session.undo_stack().undo();
        QVERIFY(!s.results.evaluation_rows()[3].stale);
    }

    void evaluation_that_nobody_wants_any_more_is_dropped() {
        SampleSession s;
        s.open();
        s.calibrate();
        s.results.evaluate();
        QVERIFY(s.results.evaluation.running());
        s.session.remove_layers(LayerSet({5}));
        QVERIFY(!s.results.evaluation.running());
        QTRY_VERIFY_WITH_TIMEOUT(s.session.lanes().idle(), 5000);
        QVERIFY(!s.results.evaluation.value());
    }

    void export_writes_a_folder_that_reads_back_equal() {
        SampleSession s;
        s.open();
        s.calibrate();
        QVERIFY(!s.results.why_not_export().isEmpty());  // no folder yet
        const TemporaryFolder folder;
        Document d = s.session.document();
        d.export_folder = folder.path() / "exported";
        s.session.change(d, "Folder");
        s.results.export_model();
        QTRY_VERIFY_WITH_TIMEOUT(!s.results.exported.running(), 60000);
        QVERIFY2(s.results.exported.fresh(), qPrintable(s.results.exported.message()));
        QVERIFY(s.results.exported.value()->equal());
        QVERIFY(std::filesystem::exists(d.export_folder / "config.json"));
    }

    void buttons_say_why_they_are_disabled() {
        SampleSession s;
        QCOMPARE(s.results.why_not_calibrate(), QStringLiteral("Open a model first."));
        QCOMPARE(s.results.why_not_evaluate(), QStringLiteral("Open a model first."));
        s.open();
        QVERIFY(s.results.why_not_calibrate().isEmpty());
        QCOMPARE(s.results.why_not_export(), QStringLiteral("Choose the layers to remove first."));
    }
};

SUTURE_SUITE(SessionTest)
#include "test_session.moc"
