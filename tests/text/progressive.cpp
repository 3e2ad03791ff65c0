// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a text in part gives the ids of the whole, and time stays proportional to the text.
#include <QtTest/QtTest>

#include "core/text/internal/text_file.h"
#include "tests/support/suites.h"
#include "tests/text/tokenizers.h"

using namespace suture;
using namespace suture::test;

namespace {

/// Words, numbers, line ends, several scripts and runs of spaces: everything pre-tokenizers look at.
std::string mixed_text() {
    std::string result;
    const auto all = read_json(data("text/tiny/hf_tokenizer_cases.json"));
    for (const auto& group : all)
        for (const auto& one : group["cases"]) (result += one["text"].get<std::string>()) += result.size() % 3 ? " \n" : "  ";
    return result;
}

bool begins_with(const Ids& whole, const Ids& part) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

}  // namespace

class ProgressiveEncoding : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_cut_gives_ids_of_the_whole_data() {
        QTest::addColumn<QString>("file");
        for (const auto& entry : std::filesystem::directory_iterator(data("text/tiny")))
            if (entry.path().stem().string().ends_with("tokenizer"))
                QTest::newRow(entry.path().stem().c_str()) << QString(entry.path().c_str());
        QTest::newRow("stories260K") << QString(data("text/stories260K/tokenizer.json").c_str());
        QTest::newRow("stories260K, SentencePiece") << QString(data("text/stories260K/tokenizer.model").c_str());
    }
    void every_cut_gives_ids_of_the_whole() {
        QFETCH(QString, file);
        const auto tokenizer = open_alone(file.toStdString());
        const auto text = mixed_text();
        const auto whole = tokenizer->encode(text);
        std::size_t most = 0;
        for (std::size_t size = 0; size < text.size(); size += 7) {
            const auto certain = tokenizer->encode_certain(std::string_view(text).substr(0, size));
            QVERIFY2(begins_with(whole, certain), qPrintable(QString("cut at byte %1").arg(size)));
            most = std::max(most, certain.size());
        }
        QVERIFY2(most > whole.size() * 9 / 10, "hardly anything was certain");
    }

    void first_ids_stop_early() {
        struct Counting : Tokenizer {
            std::shared_ptr<const Tokenizer> real;
            mutable std::size_t bytes = 0;
            Ids encode(std::string_view text) const override { return bytes += text.size(), real->encode(text); }
            Ids encode_certain(std::string_view text) const override { return bytes += text.size(), real->encode_certain(text); }
            std::string decode(std::span<const std::int64_t>) const override { return {}; }
            std::string token_text(std::int64_t) const override { return {}; }
            std::int64_t vocabulary_size() const override { return 0; }
            std::string description() const override { return {}; }
        } counting;
        counting.real = Tokenizer::open(data("text/stories260K"));
        std::string text;
        while (text.size() < 1'000'000) text += "Once upon a time, there was a little girl. ";
        const auto ids = first_ids(counting, text, 1000);
        QCOMPARE(ids.size(), std::size_t(1000));
        QVERIFY2(counting.bytes < text.size() / 10, qPrintable(QString::number(counting.bytes)));
        const auto all = counting.real->encode(text);
        QVERIFY(begins_with(all, ids));
        QCOMPARE(first_ids(counting, text, 0), all);
    }

    void two_kinds_of_file_agree() {
        const auto json = open_alone(data("text/stories260K/tokenizer.json"));
        const auto model = open_alone(data("text/stories260K/tokenizer.model"));
        const std::string text = mixed_text();
        std::size_t lines = 0;
        for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1, ++lines)
            QCOMPARE(json->encode(text.substr(begin, end - begin)), model->encode(text.substr(begin, end - begin)));
        QVERIFY(lines > 50);
        QCOMPARE(json->encode(text), model->encode(text));
    }

    void a_megabyte_is_quick_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"models/sample", "models/smollm2-135m", "models/stories260K-hf", "tokenizers/llama2",
                                   "tokenizers/llama2-hf-json", "tokenizers/gpt2", "tokenizers/qwen2"})
            QTest::newRow(folder) << folder;
    }
    void a_megabyte_is_quick() {
        QFETCH(QString, folder);
        const auto path = shared(folder.toStdString());
        SUTURE_NEEDS(path);
        const auto tokenizer = Tokenizer::open(path);
        const auto text = read_file(shared("text/wiki.test.raw"));
        QElapsedTimer timer;
        timer.start();
        const auto ids = tokenizer->encode(text);
        const auto elapsed = timer.elapsed();
        QVERIFY2(elapsed < 5000, qPrintable(QString("%1 ms").arg(elapsed)));  // far below what anything quadratic needs
        QVERIFY(begins_with(ids, tokenizer->encode_certain(std::string_view(text).substr(0, 100'000))));
        QCOMPARE(tokenizer->decode(ids) == text, true);
    }
};

SUTURE_SUITE(ProgressiveEncoding)
#include "progressive.moc"
