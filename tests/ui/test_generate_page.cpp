// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>

#include "core/generation/generate.h"
#include "tests/support/suites.h"
#include "tests/ui/shown_page.h"
#include "ui/pages/generate_page.h"
#include "ui/pages/text_panes.h"

using namespace suture;
using namespace suture::test;

namespace {

enum View { prompt_view, answers_view };

}  // namespace

class GeneratePageTest : public QObject {
    Q_OBJECT

    QString pane_text(const char* pane) { return shown_->part<PaneView>(pane)->findChild<QPlainTextEdit*>()->toPlainText(); }

private Q_SLOTS:
    void initTestCase() { shown_ = std::make_unique<ShownPage<GeneratePage>>(); }
    void cleanupTestCase() { shown_.reset(); }
    void init() { shown_->start_again(); }

    void a_prompt_is_continued_by_every_variant() {
        shown_->show(prompt_view);
        auto* button = shown_->part<QPushButton>("generate.prompt.button");
        QVERIFY(!button->isEnabled());
        QTest::keyClicks(shown_->part<QPlainTextEdit>("generate.editor"), "In the beginning");
        QCOMPARE(shown_->sample.session.document().measures.prompt.prompt, std::string("In the beginning"));
        shown_->part<QSpinBox>("generate.prompt.max_tokens")->setValue(12);
        shown_->settle();
        QVERIFY2(button->text().contains("about"), qPrintable(button->text()));
        button->click();
        QTRY_COMPARE_WITH_TIMEOUT(shown_->part<TableView>("generate.table")->model()->rowCount(), 4, 60000);
        shown_->settle();

        const Study& study = *shown_->sample.session.study();
        Generator alone(study.model(), study.tokenizer(), {Variant()}, small_job().compute);
        Progress silent;
        const auto expected = alone.run(prompt_ids(*study.tokenizer(), "In the beginning"), {.max_tokens = 12}, nullptr, silent)[0];
        QCOMPARE(pane_text("generate.texts.0"), QString::fromStdString(expected.text));
        QVERIFY(pane_text("generate.texts.1") != pane_text("generate.texts.0"));
        const Figure losses = shown_->part<PlotWidget>("generate.losses")->figure();
        QCOMPARE(losses.series.size(), std::size_t(3));
        QCOMPARE(std::int64_t(losses.series[0].x.size()), expected.prompt_tokens + std::int64_t(expected.ids.size()) - 1);

        QTest::keyClicks(shown_->part<QPlainTextEdit>("generate.editor"), " ");
        shown_->settle();
        QVERIFY(shown_->part<QLabel>("generate.stale")->isVisible());
        QTest::keyClick(shown_->part<QPlainTextEdit>("generate.editor"), Qt::Key_Backspace);
        shown_->settle();
        QVERIFY(!shown_->part<QLabel>("generate.stale")->isVisible());
    }

    void texts_come_as_they_are_written_and_stay_when_stopped() {
        shown_->show(prompt_view);
        shown_->measure([](Measures& m) {
            m.prompt.prompt = "And it came to pass";
            m.prompt.generation = {.max_tokens = 100000, .temperature = 1, .ignore_eos = true};
        });
        auto* button = shown_->part<QPushButton>("generate.prompt.button");
        const QString before = pane_text("generate.texts.3");  // of the prompt before
        button->click();
        QTRY_COMPARE(button->text(), QString("Stop"));
        QTRY_VERIFY_WITH_TIMEOUT(pane_text("generate.texts.3") != before && pane_text("generate.texts.3").size() > 20, 30000);
        QCOMPARE(button->text(), QString("Stop"));
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->sample.session.lanes().idle(), 10000);
        shown_->settle();
        QVERIFY(pane_text("generate.texts.3") != before && pane_text("generate.texts.3").size() > 20);
        QVERIFY(button->text() != "Stop" && button->isEnabled());
    }

    void answers_are_checked_and_can_be_read() {
        shown_->show(answers_view);
        std::string lines;
        for (const char* answer : {"4", "no such answer"}) lines += nlohmann::json{{"prompt", "2 + 2 ="}, {"answer", answer}}.dump() + "\n";
        const auto file = shown_->write("sums.jsonl", lines);
        shown_->measure([&](Measures& m) {
            m.answers.problems = file;
            m.answers.generation.max_tokens = 6;
        });
        auto* button = shown_->part<QPushButton>("generate.answers.button");
        QVERIFY2(button->text().contains("about"), qPrintable(button->text()));
        button->click();
        QTRY_COMPARE_WITH_TIMEOUT(shown_->part<TableView>("generate.answers.scores")->model()->rowCount(), 4, 60000);
        shown_->settle();
        QCOMPARE(shown_->part<TableView>("generate.answers.problems")->model()->rowCount(), 2);
        for (int v = 0; v < 4; ++v) {  // the right ones among the problems are those counted
            int right = 0;
            for (int row = 0; row < 2; ++row) right += shown_->cell("generate.answers.problems", row, 2 + v).startsWith("✓");
            QCOMPARE(shown_->cell("generate.answers.scores", v, 1), QString::number(right));
            QVERIFY(shown_->cell("generate.answers.problems", 1, 2 + v).startsWith("✗"));
        }
        auto* problems = shown_->part<TableView>("generate.answers.problems");
        problems->setCurrentIndex(problems->model()->index(1, 0));
        QVERIFY(shown_->page->findChild<PaneView*>("generate.answers.texts.3"));
        QVERIFY(!pane_text("generate.answers.texts.0").isEmpty());
    }

private:
    std::unique_ptr<ShownPage<GeneratePage>> shown_;
};

SUTURE_SUITE(GeneratePageTest)
#include "test_generate_page.moc"
