// SPDX-License-Identifier: GPL-3.0-or-later
// The views of the page Evaluate beside the perplexity of windows.
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "tests/support/suites.h"
#include "tests/ui/shown_page.h"
#include "ui/pages/evaluate_page.h"

using namespace suture;
using namespace suture::test;

namespace {

enum View { text_view, tasks_view, speed_view, domains_view };

std::string question(const std::string& right, const std::string& wrong) {
    return nlohmann::json{{"context", "And the LORD said unto"}, {"choices", {right, wrong}}, {"gold", 0}}.dump() + "\n";
}

int column_named(const Table& table, const std::string& title) {
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].title == title) return int(c);
    return -1;
}

}  // namespace

class EvaluateViewsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { shown_ = std::make_unique<ShownPage<EvaluatePage>>(); }
    void cleanupTestCase() { shown_.reset(); }
    void init() { shown_->start_again(); }

    void choices_survive_json() {
        Measures m;
        m.tasks = {"/qa", {"piqa", "jsonl:/own.jsonl"}, {.fewshot = 3, .fewshot_seed = 5, .limit = 7}};
        m.rolling.file = "/wiki.raw";
        m.rolling.settings.limit = 2;
        m.speed = {.prompt_tokens = 1, .decode_tokens = 2, .repeats = 3};
        m.domains = {{"/a.txt", "/b.txt"}, 5};
        m.prompt = {"Once", true, {.max_tokens = 9, .temperature = 0.5}};
        m.answers = {"/sums.jsonl", 4, false, "Put it in a box.", {.max_tokens = 11}};
        m.ablation.spec = {{"remove", {2, 4}}};
        const auto json = m.to_json(), fresh = Measures().to_json();
        QCOMPARE(Measures::from_json(nlohmann::json::parse(json.dump())).to_json(), json);
        for (const auto& [part, value] : fresh.items()) QVERIFY2(json.at(part) != value, part.c_str());
        QCOMPARE(Measures::from_json(nlohmann::json::object()).to_json(), fresh);
    }

    void one_view_at_a_time() {
        shown_->part<QPushButton>("evaluate.speed.view")->click();
        QVERIFY(shown_->part<PlotWidget>("evaluate.speed.decode")->isVisible());
        QVERIFY(!shown_->part<PlotWidget>("evaluate.bars")->isVisible());
        shown_->part<QPushButton>("evaluate.text_view.view")->click();
        QVERIFY(shown_->part<PlotWidget>("evaluate.bars")->isVisible());
    }

    void tasks_are_asked_for_before_they_are_scored() {
        shown_->show(tasks_view);
        auto* button = shown_->part<QPushButton>("evaluate.tasks.button");
        QVERIFY(!button->isEnabled() && button->toolTip().contains("task"));
        shown_->part<QCheckBox>("evaluate.tasks.task.piqa")->click();
        QCOMPARE(shown_->sample.session.document().measures.tasks.names, std::vector<std::string>{"piqa"});
        shown_->settle();
        QVERIFY(!button->isEnabled() && button->toolTip().contains("folder"));
        shown_->measure([&](Measures& m) { m.tasks.folder = shown_->folder.path(); });
        QVERIFY2(!button->isEnabled() && button->toolTip().contains("piqa/valid-labels.lst"),
                 qPrintable(button->toolTip()));  // which is not there
        shown_->part<QSpinBox>("evaluate.tasks.limit")->setValue(7);
        QCOMPARE(shown_->sample.session.document().measures.tasks.settings.limit, std::int64_t(7));
    }

    void parts_of_a_task_have_boxes_too() {
        shown_->show(tasks_view);
        shown_->measure([](Measures& m) { m.tasks.names = {"mmlu_global_facts"}; });
        auto* part = shown_->part<QCheckBox>("evaluate.tasks.task.mmlu_global_facts");
        QVERIFY(part->isVisible() && part->isChecked());
        shown_->part<QCheckBox>("evaluate.tasks.task.piqa")->click();
        QCOMPARE(shown_->sample.session.document().measures.tasks.names, (std::vector<std::string>{"piqa", "mmlu_global_facts"}));
        shown_->settle();
        part->click();
        QCOMPARE(shown_->sample.session.document().measures.tasks.names, std::vector<std::string>{"piqa"});
    }

    void published_files() {
        const auto folder = test::shared("qa");
        SUTURE_NEEDS(folder);
        shown_->show(tasks_view);
        shown_->measure([&](Measures& m) { m.tasks = {folder, {"arc_easy", "piqa", "mmlu_global_facts"}, {.limit = 5}}; });
        QVERIFY(shown_->part<QLabel>("evaluate.tasks.size")->text().contains("15 questions"));
        auto* view = shown_->part<TableView>("evaluate.tasks.table");
        shown_->part<QPushButton>("evaluate.tasks.button")->click();
        QTRY_VERIFY_WITH_TIMEOUT(column_named(view->table(), "mmlu_global_facts (acc %)") == 3, 120000);
        shown_->settle();
        const Table table = view->table();
        for (const char* title : {"arc_easy (acc_norm %)", "piqa (acc_norm %)", "average (%)", "wins", "state"})
            QVERIFY2(column_named(table, title) > 0, title);
        // Two choices, four choices.
        QVERIFY2(table.note(0, 2).find("guessing gives 50.0 % · 5 of 1,838 questions · no examples") != std::string::npos,
                 table.note(0, 2).c_str());
        QVERIFY2(table.note(0, 3).find("guessing gives 25.0 % · 5 of 100 questions · 5 examples") != std::string::npos,
                 table.note(0, 3).c_str());
        const Figure bars = shown_->part<PlotWidget>("evaluate.tasks.bars")->figure();
        QVERIFY2(bars.caption.find("only the first 5 questions of each task") != std::string::npos, bars.caption.c_str());
    }

    void tasks_are_scored_and_go_stale() {
        shown_->show(tasks_view);
        const auto file =
            shown_->write("next.jsonl", question("Moses,", "which") + question("Aaron,", "of") + question("the the", "Moses,"));
        shown_->measure([&](Measures& m) { m.tasks.names = {"jsonl:" + file.string()}; });
        auto* button = shown_->part<QPushButton>("evaluate.tasks.button");
        QVERIFY2(button->isEnabled() && button->text().contains("about"), qPrintable(button->text() + button->toolTip()));
        QVERIFY(shown_->part<QLabel>("evaluate.tasks.size")->text().contains("3 questions"));
        button->click();
        QTRY_COMPARE_WITH_TIMEOUT(shown_->part<TableView>("evaluate.tasks.table")->model()->rowCount(), 4, 60000);
        shown_->settle();
        const Table table = shown_->part<TableView>("evaluate.tasks.table")->table();
        const int score = column_named(table, "next (acc_norm %)"), average = column_named(table, "average (%)");
        QVERIFY(score > 0 && average > 0);
        for (int row = 0; row < 4; ++row) {
            QCOMPARE(table.text(std::size_t(row), std::size_t(score)),
                     table.text(std::size_t(row), std::size_t(average)));  // the only task
            const QString note =
                shown_->part<TableView>("evaluate.tasks.table")->model()->index(row, score).data(Qt::ToolTipRole).toString();
            QVERIFY2(note.contains("3 questions") && note.contains("next.jsonl"), qPrintable(note));
        }
        const Figure bars = shown_->part<PlotWidget>("evaluate.tasks.bars")->figure();
        QCOMPARE(bars.series.size(), std::size_t(4));
        QCOMPARE(QString::number(bars.series[2].y.at(0), 'f', 2), shown_->cell("evaluate.tasks.table", 2, score));

        shown_->sample.session.remove_layers(LayerSet({6}));
        shown_->settle();
        QVERIFY(shown_->part<QLabel>("evaluate.tasks.stale")->text().contains("removes layer 6 (1 of 16)"));
        const int state = column_named(table, "state");
        QCOMPARE(shown_->cell("evaluate.tasks.table", 0, state), QString("fresh"));  // nothing was removed from the dense model
        QCOMPARE(shown_->cell("evaluate.tasks.table", 1, state), QString("stale"));
        shown_->sample.session.undo_stack().undo();
        shown_->settle();
        QVERIFY(!shown_->part<QLabel>("evaluate.tasks.stale")->isVisible());
        shown_->measure([](Measures& m) { m.tasks.settings.limit = 1; });
        QCOMPARE(shown_->cell("evaluate.tasks.table", 0, state), QString("stale"));  // other questions: the dense model, too
    }

    void speed_and_size() {
        shown_->show(speed_view);
        shown_->measure([](Measures& m) { m.speed = {.prompt_tokens = 16, .decode_tokens = 4, .repeats = 3}; });
        shown_->part<QPushButton>("evaluate.speed.button")->click();
        QTRY_COMPARE_WITH_TIMEOUT(shown_->part<TableView>("evaluate.speed.table")->model()->rowCount(), 4, 60000);
        shown_->settle();
        const Table table = shown_->part<TableView>("evaluate.speed.table")->table();
        const auto size = summarise_size(**shown_->sample.session.study(), shown_->sample.session.document().removed);
        const auto parameters = std::size_t(column_named(table, "parameters"));
        QCOMPARE(table.text(0, parameters), std::to_string(size.parameters));
        QCOMPARE(table.text(1, parameters), std::to_string(size.kept_parameters));
        QCOMPARE(table.text(1, std::size_t(column_named(table, "KV bytes per token"))), std::to_string(size.kept_kv_bytes_per_token));
        QCOMPARE(shown_->part<PlotWidget>("evaluate.speed.prefill")->figure().series.size(), std::size_t(4));
    }

    void texts_across() {
        shown_->show(domains_view);
        auto* button = shown_->part<QPushButton>("evaluate.domains.button");
        QVERIFY(!button->isEnabled());
        shown_->measure([](Measures& m) { m.domains = {{sample_folder() / "calibration.txt", sample_folder() / "evaluation.txt"}, 4}; });
        QVERIFY2(button->isEnabled(), qPrintable(button->toolTip()));
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->part<PlotWidget>("evaluate.domains.map")->figure().map.has_value(), 60000);
        const Figure map = shown_->part<PlotWidget>("evaluate.domains.map")->figure();
        QCOMPARE(map.map->values.shape, (std::vector<std::int64_t>{2, 2}));
        QVERIFY(map.map->values.at(0, 0) == 1 && map.map->values.at(1, 1) == 1);
        QCOMPARE(shown_->part<TableView>("evaluate.domains.table")->model()->rowCount(), 4);
        shown_->measure([](Measures& m) { m.domains.texts.pop_back(); });
        QVERIFY(shown_->part<QLabel>("evaluate.domains.stale")->isVisible());
    }

    void words_and_bytes() {
        shown_->show(text_view);
        const auto file = shown_->write("psalm.txt", "Have mercy upon me, O LORD; for I am weak.");  // 10 words, 42 bytes
        shown_->measure([&](Measures& m) {
            m.rolling.file = file;
            m.rolling.settings.documents = "file";
        });
        auto* button = shown_->part<QPushButton>("evaluate.rolling.button");
        QVERIFY2(button->text().contains("about"), qPrintable(button->text()));
        button->click();
        QTRY_COMPARE_WITH_TIMEOUT(shown_->part<TableView>("evaluate.rolling.table")->model()->rowCount(), 4, 60000);
        const Table table = shown_->part<TableView>("evaluate.rolling.table")->table();
        const double words = std::get<double>(table.rows[1][1]), bytes = std::get<double>(table.rows[1][5]);
        QVERIFY(relative_difference(10 * std::log(words), 42 * std::log(bytes)) < 1e-9);  // one loss, spread over both
    }

    void a_click_tells_the_window() {
        shown_->show(text_view);
        shown_->sample.results.evaluate();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->sample.results.evaluation.fresh(), 60000);
        shown_->settle();
        auto* plot = shown_->part<PlotWidget>("evaluate.windows_plot");
        auto* words = shown_->part<QLabel>("evaluate.window");
        const Series points = plot->figure().series.at(0);
        Q_EMIT plot->clicked_at(points.x.at(0), points.y.at(0));
        shown_->settle();
        QVERIFY2(words->text().contains("Window 0 ·") && words->text().contains("O LORD, rebuke me not"), qPrintable(words->text()));
        Q_EMIT plot->clicked_at(points.x.at(0) * 1e6, points.y.at(0) * 1e6);
        QVERIFY(!words->text().contains("Window"));
    }

    void stopping_keeps_the_page_usable() {
        shown_->show(speed_view);
        shown_->measure([](Measures& m) { m.speed = {.prompt_tokens = 64, .decode_tokens = 64, .repeats = 1000}; });
        auto* button = shown_->part<QPushButton>("evaluate.speed.button");
        button->click();
        QTRY_COMPARE(button->text(), QString("Stop"));
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->sample.session.lanes().idle(), 10000);
        shown_->settle();
        QVERIFY(button->isEnabled() && button->text() != "Stop");
    }

private:
    std::unique_ptr<ShownPage<EvaluatePage>> shown_;
};

SUTURE_SUITE(EvaluateViewsTest)
#include "test_evaluate_views.moc"
