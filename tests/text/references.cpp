// SPDX-License-Identifier: GPL-3.0-or-later
// Ids against those of the original libraries.
#include <QtTest/QtTest>
#include <sstream>

#include "core/text/windows.h"
#include "tests/support/suites.h"
#include "tests/text/tokenizers.h"

using namespace suture;
using namespace suture::test;

namespace {

QByteArray message(const std::string& text, const Ids& got, const Ids& expected) {
    return QByteArray::fromStdString(nlohmann::json{{"text", text}, {"got", got}, {"expected", expected}}.dump());
}

std::vector<std::string> split_inputs(const std::string& all) {
    const std::string separator = "\n__ggml_vocab_test__\n";
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin < all.size();) {
        const auto end = std::min(all.find(separator, begin), all.size());
        result.push_back(all.substr(begin, end - begin));
        begin = end + separator.size();
    }
    return result;
}

}  // namespace

class TokenizerReferences : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void small_tokenizers_data() {
        QTest::addColumn<QString>("name");
        const auto all = read_json(data("text/tiny/hf_tokenizer_cases.json"));
        for (const auto& [name, group] : all.items())
            if (exists(data("text/tiny") / group["tokenizer"].get<std::string>()))
                QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void small_tokenizers() {
        QFETCH(QString, name);
        const auto group = read_json(data("text/tiny/hf_tokenizer_cases.json"))[name.toStdString()];
        const auto tokenizer = open_alone(data("text/tiny") / group["tokenizer"].get<std::string>());
        QVERIFY(!group["cases"].empty());
        for (const auto& one : group["cases"]) {
            const std::string text = one["text"];
            const Ids expected = one["ids"];
            QVERIFY2(tokenizer->encode(text) == expected, message(text, tokenizer->encode(text), expected));
            QCOMPARE(QString::fromStdString(tokenizer->decode(expected)), QString::fromStdString(one["decoded"]));
        }
    }

    void vocabularies_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("vectors");
        QTest::newRow("GPT-2") << "gpt2"
                               << "ggml-vocab-gpt-2";
        QTest::newRow("Qwen 2") << "qwen2"
                                << "ggml-vocab-qwen2";
        QTest::newRow("Llama 2, tokenizer.model") << "llama2"
                                                  << "ggml-vocab-llama-spm";
    }
    void vocabularies() {
        QFETCH(QString, folder);
        QFETCH(QString, vectors);
        const auto path = shared("tokenizers/" + folder.toStdString());
        SUTURE_NEEDS(path);
        const auto tokenizer = Tokenizer::open(path);
        const auto file = (path.parent_path() / "gguf-vectors" / vectors.toStdString()).string() + ".gguf";
        std::istringstream lines(read_file(file + ".out"));
        std::size_t compared = 0;
        for (const auto& text : split_inputs(read_file(file + ".inp"))) {
            std::string line;
            QVERIFY(bool(std::getline(lines, line)));
            std::istringstream numbers(line);
            const Ids expected{std::istream_iterator<std::int64_t>(numbers), {}};
            QVERIFY2(tokenizer->encode(text) == expected, message(text, tokenizer->encode(text), expected));
            QCOMPARE(tokenizer->decode(expected), text);
            ++compared;
        }
        QCOMPARE(compared, std::size_t(46));
    }

    void first_windows_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("calibration");
        QTest::addColumn<QString>("evaluation");
        QTest::addColumn<QString>("reference");
        QTest::addColumn<int>("seqlen");
        QTest::newRow("sample") << "models/sample"
                                << "models/sample/calibration.txt"
                                << "models/sample/evaluation.txt"
                                << "sample" << 256;
        QTest::newRow("stories260K") << "models/stories260K-hf"
                                     << "text/TinyStories-valid.excerpt.txt"
                                     << "text/TinyStories-valid.excerpt.txt"
                                     << "stories260K" << 128;
        QTest::newRow("SmolLM2") << "models/smollm2-135m"
                                 << "text/wikitext2.valid.tokenized.txt"
                                 << "text/wiki.test.raw"
                                 << "smollm2-135m" << 256;
    }
    void first_windows() {
        QFETCH(QString, model);
        QFETCH(QString, calibration);
        QFETCH(QString, evaluation);
        QFETCH(QString, reference);
        QFETCH(int, seqlen);
        const auto folder = shared(model.toStdString());
        SUTURE_NEEDS(folder);
        const auto tokenizer = Tokenizer::open(folder);
        const auto expected = read_json(shared("reference/" + reference.toStdString() + ".json"));
        const WindowSettings settings{.seqlen = seqlen, .windows = 2};
        for (const auto& [text, key] :
             {std::pair(calibration, "calibration_ids_first_window"), std::pair(evaluation, "evaluation_ids_first_window")}) {
            const auto windows = windows_of_text(*tokenizer, shared(text.toStdString()), settings, "llama");
            QCOMPARE(windows.ids.size(), std::size_t(2));
            QCOMPARE(windows.ids[0], expected.at(key).get<Ids>());
        }
    }
};

SUTURE_SUITE(TokenizerReferences)
#include "references.moc"
