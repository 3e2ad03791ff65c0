// SPDX-License-Identifier: GPL-3.0-or-later
// Which answer a text gives, by hand.
#include <QtTest/QtTest>

#include "core/generation/answer.h"
#include "tests/support/suites.h"

using namespace suture;

class TestAnswer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void final_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) { QTest::newRow(name) << text << expected; };
        row("boxed", "so \\boxed{42}.", "42");
        row("boxed beats a later number", "\\boxed{7} in 3 steps", "7");
        row("last boxed", "\\boxed{1} no, \\boxed{2}", "2");
        row("braces nest", "\\boxed{\\frac{1}{2}}", "\\frac{1}{2}");
        row("unclosed falls back", "\\boxed{5} then \\boxed{6", "5");
        row("unclosed alone", "\\boxed{6 of 9", "9");
        row("boxed at the start", "\\boxed{ 3 }", "3");
        row("number", "It costs 1,234.50 dollars.", "1234.50");
        row("full stop", "The answer is 18.", "18");
        row("negative", "x = -7", "-7");
        row("difference", "so 9-7", "7");
        row("hyphen", "item-12", "12");
        row("last", "1 apple and 2 pears", "2");
        row("list is no group", "1,2,3", "3");
        row("no group of four", "12,3456", "3456");
        row("millions", "1,000,000", "1000000");
        row("version", "1.2.3", "2.3");
        row("dollars inside", "\\boxed{\\$1,200}", "1200");
        row("words", "\\boxed{ the  cat. }", "thecat");
    }
    void final() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(final_answer(text.toStdString()).value_or("nothing")), expected);
    }

    void nothing() {
        QVERIFY(!final_answer(""));
        QVERIFY(!final_answer("no digits here"));
    }

    void expected() {
        QCOMPARE(expected_answer("72"), std::string("72"));
        QCOMPARE(expected_answer("48/2 = 24\n48+24 = 72\n#### 1,072"), std::string("1072"));
        QCOMPARE(expected_answer("We find $x$: $\\boxed{\\frac{3}{4}}$"), std::string("\\frac{3}{4}"));
        QCOMPARE(expected_answer("\\frac{3}{4}"), std::string("\\frac{3}{4}"));  // whole, not its last number
        QCOMPARE(expected_answer(" $ 5 $ . "), std::string("5"));
    }
};

SUTURE_SUITE(TestAnswer)
#include "test_answer.moc"
