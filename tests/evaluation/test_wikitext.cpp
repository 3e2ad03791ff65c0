// SPDX-License-Identifier: GPL-3.0-or-later
// Pages, words and the detokeniser, by hand and against the same regular expressions run by Python.
#include <QtTest/QtTest>

#include "core/base/key.h"
#include "core/evaluation/wikitext.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

class TestWikitext : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pages_begin_at_titles() {
        using Pages = std::vector<std::string>;
        QCOMPARE(wikitext_pages(" \n = One = \n a \n = = Part = = \n b \n = Two = \n c \n"),
                 Pages({" = One = \n a \n = = Part = = \n b \n", " = Two = \n c \n"}));
        QCOMPARE(wikitext_pages("before \n = One = \n"), Pages({"before \n", " = One = \n"}));
        QCOMPARE(wikitext_pages(" = National record \n = b\n"), Pages({" = National record \n = b\n"}));  // no title without its end
        QCOMPARE(wikitext_pages(" = One = "), Pages({" = One = "}));
        QVERIFY(wikitext_pages(" \n").empty());
    }

    void spacing_data() {
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* given, const char* expected) { QTest::newRow(name) << given << expected; };
        row("plural", "the boys ' toys", "the boys' toys");
        row("marks", "a guest @-@ starring 1 @,@ 000 @.@ 5", "a guest-starring 1,000.5");
        row("punctuation", "one : two ; three . four ! five ? six , seven", "one: two; three. four! five? six, seven");
        row("no blank behind", "end .\nnext", "end .\nnext");
        row("round", "( 24 in ) x (  b )", "(24 in) x (b)");
        row("to the first closing one", "( a ( b ) c )", "(a ( b) c )");
        row("never closed", "( a b", "( a b");
        row("square and curly", "[ a ] { b }", "[a] {b}");
        row("quotes pair up", "\" a \" b \" c \"", "\"a\" b \"c\"");
        row("single quotes", "x ' y ' z", "x 'y' z");
        row("heading", " = = = Career = = = \n", " === Career ===\n");
        row("four", "= = = = x", "==== x");
        row("degrees", "12 ° C", "12°C");
        row("line ends", "a \n b", "a\nb");
        row("number", "rose N points", "rose 1 points");
        row("possessive", "Boulter 's role", "Boulter's role");
        row("only blanks inside", "x (  ) y", "x () y");
    }
    void spacing() {
        QFETCH(QString, given);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(undo_wikitext_spacing(given.toStdString())), expected);
    }

    void words() {
        QCOMPARE(count_words("one two"), std::int64_t(2));
        QCOMPARE(count_words(" one \n two "), std::int64_t(4));  // empty pieces at both ends
        QCOMPARE(count_words("a\u00A0b\u2003c"), std::int64_t(3));
        QCOMPARE(count_words(""), std::int64_t(1));
    }

    void excerpt() {
        const auto reference = test::read_json(test::data("evaluation/rolling.json"));
        const auto pages = wikitext_pages(test::read_file(test::data("evaluation/wiki.excerpt.raw")));
        QCOMPARE(pages.size(), reference["detokenised"].size());
        for (std::size_t i = 0; i < pages.size(); ++i)
            QCOMPARE(undo_wikitext_spacing(pages[i]), reference["detokenised"][i].get<std::string>());
    }

    void whole_test_file() {
        const auto file = test::shared("text/wiki.test.raw");
        SUTURE_NEEDS(file);
        const auto expected = test::read_json(test::data("evaluation/rolling.json"))["wikitext"];
        const auto pages = wikitext_pages(test::read_file(file));
        QCOMPARE(pages.size(), expected["pages"].get<std::size_t>());
        std::int64_t words = 0, bytes = 0;
        std::string all;
        for (const auto& page : pages) {
            words += count_words(page);
            bytes += std::int64_t(page.size());
            all += undo_wikitext_spacing(page);
        }
        QCOMPARE(words, expected["words"].get<std::int64_t>());
        QCOMPARE(bytes, expected["bytes"].get<std::int64_t>());
        QCOMPARE(sha256_hex(all), expected["detokenised_sha256"].get<std::string>());
    }
};

SUTURE_SUITE(TestWikitext)
#include "test_wikitext.moc"
