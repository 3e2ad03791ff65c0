// SPDX-License-Identifier: GPL-3.0-or-later
// The forms in which corpora come, as the texts that windows are cut from.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/text/internal/corpus.h"
#include "tests/support/suites.h"
#include "tests/text/tokenizers.h"

using namespace suture;
using namespace suture::test;

namespace {

QString refusal(const std::string& name, const std::string& content, const WindowSettings& settings) {
    const TemporaryFolder folder;
    write_file(folder.path() / name, content);
    std::vector<std::string> warnings;
    try {
        read_corpus(folder.path() / name, settings, warnings);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string text_of(const std::string& name, const std::string& content, const WindowSettings& settings,
                    std::vector<std::string>* warnings = nullptr) {
    const TemporaryFolder folder;
    write_file(folder.path() / name, content);
    std::vector<std::string> own;
    return read_corpus(folder.path() / name, settings, warnings ? *warnings : own).text;
}

}  // namespace

class Corpora : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void as_they_are() {
        std::vector<std::string> warnings;
        QCOMPARE(text_of("a.txt", " \n = T = \n", {}, &warnings), std::string(" \n = T = \n"));
        QVERIFY(warnings.empty());
    }

    void wikitext_rows_keep_their_line_feed() {
        // Published rows: "", " = T = \n", "", " One .\n"; joined by "\n\n".
        QCOMPARE(text_of("w.raw", " \n = T = \n \n One .\n", {.text_rows = "wikitext"}), std::string("\n\n = T = \n\n\n\n\n One .\n"));
    }

    void ptb_rows_are_stripped() {
        QCOMPARE(text_of("p.txt", " no it was n't \n but while \n", {.text_rows = "ptb"}), std::string("no it was n't\n\nbut while"));
    }

    void a_field_of_json_lines() {
        const std::string lines = R"({"text":"One\nline.","url":"x"})"
                                  "\n\n"
                                  R"({"url":"y","text":"Größe"})";
        QCOMPARE(text_of("c.jsonl", lines, {.text_field = "text"}), std::string("One\nline.\n\nGröße"));
        QCOMPARE(text_of("c.jsonl", lines, {.text_field = "url"}), std::string("x\n\ny"));
        std::vector<std::string> warnings;
        QCOMPARE(text_of("c.jsonl", lines, {}, &warnings), lines);
        QCOMPARE(warnings.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(warnings[0]).contains("--text-field"));
        text_of("c.txt", "abc", {.text_field = "text"}, &warnings);
        QVERIFY(QString::fromStdString(warnings.back()).contains("c.txt"));
    }

    void refusals() {
        QVERIFY(refusal("c.jsonl", "{\"text\":\"a\"}\n{\"body\":\"b\"}", {.text_field = "text"})
                    .contains("line 2 has no field \"text\"; it has: body"));
        QVERIFY(refusal("c.jsonl", "{\"text\":3}", {.text_field = "text"}).contains("line 1: the field \"text\" holds no text"));
        QVERIFY(refusal("c.jsonl", "[1]", {.text_field = "text"}).contains("line 1 is no JSON object"));
        QVERIFY(refusal("c.json.gz", "\x1F\x8B\x08", {}).contains("gunzip"));
        QVERIFY(refusal("c.parquet", "PAR1\x15", {}).contains("Parquet"));
    }

    void conditions_name_what_is_used() {
        Windows windows;
        QVERIFY(!windows.conditions().contains("text_field") && !windows.conditions().contains("text_rows"));
        windows.settings.text_field = "text";
        windows.settings.text_rows = "ptb";
        QCOMPARE(windows.conditions()["text_field"], nlohmann::json("text"));
        QCOMPARE(windows.conditions()["text_rows"], nlohmann::json("ptb"));
    }

    void windows_of_a_field() {
        const TemporaryFolder folder;
        write_file(folder.path() / "c.jsonl", "{\"t\":\"ab\"}\n{\"t\":\"ba\"}\n");
        const auto tokenizer = open_json(bpe_of({"a", "b", "\n"}));
        const auto windows = windows_of_text(*tokenizer, folder.path() / "c.jsonl", {.seqlen = 3, .text_field = "t"}, "llama");
        QCOMPARE(windows.ids, std::vector<Ids>({{0, 1, 2}, {2, 1, 0}}));  // "ab\n\nba"
    }

    void published_files() {
        const auto wiki = shared("text/wiki.test.raw"), c4 = shared("text/tiny_c4_sample.jsonl"), ptb = shared("text/ptb.valid.txt");
        if (wiki.empty() || c4.empty() || ptb.empty()) QSKIP("the reference collection is not beside this checkout");
        std::vector<std::string> warnings;
        const auto rows = read_corpus(wiki, {.text_rows = "wikitext"}, warnings).text;
        QVERIFY(rows.starts_with("\n\n = Robert Boulter = \n\n\n\n\n Robert Boulter is"));
        const auto documents = json_lines_field(read_text(c4, false).text, "text", c4);
        QCOMPARE(documents.size(), std::size_t(449));
        QVERIFY(documents[0].starts_with("lorazepam nombre"));
        const auto sentences = read_corpus(ptb, {.text_rows = "ptb"}, warnings).text;
        QVERIFY(sentences.find(" \n") == std::string::npos && sentences.find("\n ") == std::string::npos);
    }
};

SUTURE_SUITE(Corpora)
#include "corpora.moc"
