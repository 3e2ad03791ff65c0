// SPDX-License-Identifier: GPL-3.0-or-later
// What users reported of other tools, each with the smallest trigger; ids follow from the few tokens of each vocabulary.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/text/internal/normalizer.h"
#include "core/text/internal/pretokenizer.h"
#include "tests/support/suites.h"
#include "tests/text/tokenizers.h"

using namespace suture;
using namespace suture::test;
using nlohmann::json;

namespace {

json added(std::int64_t id, const std::string& content, json more = json::object()) {
    json token = {{"id", id}, {"content", content}, {"special", true}, {"normalized", false}};
    token.update(more);
    return token;
}

std::vector<std::string> pieces_of(const json& entry, const std::string& text) {
    Pieces pieces{.text = text, .spans = {{0, text.size()}}};
    make_pretokenizer(entry)(pieces);
    std::vector<std::string> result;
    for (const auto& span : pieces.spans) result.emplace_back(pieces.view(span));
    return result;
}

using Texts = std::vector<std::string>;

json split(const std::string& regex, const std::string& behavior = "Isolated", bool invert = false) {
    return {{"type", "Split"}, {"pattern", {{"Regex", regex}}}, {"behavior", behavior}, {"invert", invert}};
}

std::string normalised(const json& entry, const std::string& text) { return make_normalizer(entry)(text); }

}  // namespace

class TokenizerBehaviours : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bos_is_never_invented() {
        const auto tokens = bpe_of({"a", ",", "<s>"});
        QVERIFY(!open_json(tokens)->bos());
        QCOMPARE(open_json(tokens, {{"config.json", {{"bos_token_id", 1}}}})->bos(), std::optional<std::int64_t>(1));
        QVERIFY(
            !open_json(tokens, {{"config.json", {{"bos_token_id", nullptr}}}, {"generation_config.json", {{"bos_token_id", 1}}}})->bos());
        QVERIFY(!open_json(tokens, {{"tokenizer_config.json", {{"bos_token", nullptr}}}, {"config.json", {{"bos_token_id", 1}}}})->bos());
        QCOMPARE(open_json(tokens, {{"tokenizer_config.json", {{"bos_token", {{"content", "<s>"}}}}}})->bos(),
                 std::optional<std::int64_t>(2));
        QCOMPARE(open_json(tokens, {{"special_tokens_map.json", {{"eos_token", "<s>"}}}})->eos(), std::optional<std::int64_t>(2));
    }

    void the_template_is_only_reported() {
        auto tokens = bpe_of({"a", "<s>"});
        tokens["added_tokens"] = {added(1, "<s>")};
        QVERIFY(!open_json(tokens)->adds_bos());
        tokens["post_processor"] = {{"type", "TemplateProcessing"},
                                    {"single", {{{"SpecialToken", {{"id", "<s>"}}}}, {{"Sequence", {{"id", "A"}}}}}}};
        QVERIFY(open_json(tokens)->adds_bos());
        QVERIFY(!open_json(tokens, {{"tokenizer_config.json", {{"add_bos_token", false}}}})->adds_bos());
        QCOMPARE(open_json(tokens)->encode("a"), Ids({0}));
        QCOMPARE(open_json(tokens)->special_ids(), Ids({1}));
    }

    void bytes_stand_for_unknown_characters() {
        auto tokens = bpe_of({"<unk>", "a", "b", "<0x0A>"});
        tokens["model"].update({{"unk_token", "<unk>"}, {"byte_fallback", true}});
        QCOMPARE(open_json(tokens)->encode("a\n\nb"), Ids({1, 3, 3, 2}));
        QCOMPARE(open_json(tokens)->encode("aéb"), Ids({1, 0, 2}));  // no bytes for é: the unknown token
        tokens["decoder"] = {{"type", "ByteFallback"}};
        QCOMPARE(open_json(tokens)->decode(Ids{1, 3, 2}), std::string("a\nb"));
    }

    void unknown_characters_are_fused_on_request() {
        auto tokens = bpe_of({"<unk>", "a"});
        tokens["model"]["unk_token"] = "<unk>";
        QCOMPARE(open_json(tokens)->encode("axya"), Ids({1, 0, 0, 1}));
        tokens["model"]["fuse_unk"] = true;
        QCOMPARE(open_json(tokens)->encode("axya"), Ids({1, 0, 1}));
        QCOMPARE(open_json(bpe_of({"a"}))->encode("axa"), Ids({0, 0}));  // without an unknown token they vanish
    }

    void merges_go_by_rank_in_both_spellings() {
        for (const auto& merges : {json::array({"b c", "a b"}), json::array({json::array({"b", "c"}), json::array({"a", "b"})})}) {
            auto tokens = bpe_of({"a", "b", "c", "ab", "bc", "abc"}, merges);
            QCOMPARE(open_json(tokens)->encode("abc"), Ids({0, 4}));
            tokens["model"]["ignore_merges"] = true;
            QCOMPARE(open_json(tokens)->encode("abc"), Ids({5}));
        }
    }

    void added_tokens_see_the_normalised_text() {
        auto tokens = bpe_of({"y", "e", "s", "Y"});
        tokens["normalizer"] = {{"type", "Lowercase"}};
        tokens["added_tokens"] = {added(4, "yes", {{"normalized", true}})};
        QCOMPARE(open_json(tokens)->encode("YES"), Ids({4}));
        tokens["added_tokens"] = {added(4, "yes")};
        QCOMPARE(open_json(tokens)->encode("YES"), Ids({0, 1, 2}));
    }

    void added_tokens_take_white_space_and_keep_out_of_words() {
        auto tokens = bpe_of({"a", " "});
        tokens["added_tokens"] = {added(2, "<m>", {{"lstrip", true}, {"rstrip", true}})};
        QCOMPARE(open_json(tokens)->encode("a  <m> a"), Ids({0, 2, 0}));
        tokens["added_tokens"] = {added(2, "<m>")};
        QCOMPARE(open_json(tokens)->encode("a <m> a"), Ids({0, 1, 2, 1, 0}));
        tokens["added_tokens"] = {added(2, "aa", {{"single_word", true}})};
        QCOMPARE(open_json(tokens)->encode("aa aaa"), Ids({2, 1, 0, 0, 0}));
        tokens["added_tokens"] = {added(2, "<m>"), added(3, "<m>a")};
        QCOMPARE(open_json(tokens)->encode("<m>a<m>"), Ids({3, 2}));  // the longest of those that begin together
    }

    void a_space_behind_special_tokens_is_a_choice() {
        auto tokens = bpe_of({"▁", "u", "<s>"});
        tokens["added_tokens"] = {added(2, "<s>")};
        const auto with = [&](const std::string& scheme) {
            tokens["pre_tokenizer"] = {{"type", "Metaspace"}, {"prepend_scheme", scheme}};
            return open_json(tokens)->encode("u<s>u");
        };
        QCOMPARE(with("always"), Ids({0, 1, 2, 0, 1}));
        QCOMPARE(with("first"), Ids({0, 1, 2, 1}));
        QCOMPARE(with("never"), Ids({1, 2, 1}));
    }

    void sentencepiece_follows_legacy() {
        const TemporaryFolder folder;
        std::filesystem::copy_file(data("text/stories260K/tokenizer.model"), folder.path() / "tokenizer.model");
        const auto encode = [&](bool legacy) {
            write_file(folder.path() / "tokenizer_config.json", json{{"legacy", legacy}, {"bos_token", "<s>"}}.dump());
            return Tokenizer::open(folder.path())->encode("<s>user");
        };
        const auto space = Tokenizer::open(folder.path())->encode("user").front();
        QCOMPARE(encode(true).front(), std::int64_t(1));
        QCOMPARE(encode(true)[1], space);
        const auto plain = encode(false);
        QVERIFY(plain[1] != space);
        QCOMPARE(Tokenizer::open(folder.path())->token_text(plain[1]).front(), 'u');
    }

    void digits_and_fractions() {
        const json each = {{"type", "Digits"}, {"individual_digits", true}}, runs = {{"type", "Digits"}};
        QCOMPARE(pieces_of(each, "4 ½"), Texts({"4", " ", "½"}));
        QCOMPARE(pieces_of(runs, "a12½b"), Texts({"a", "12½", "b"}));
        QCOMPARE(pieces_of(split("\\p{N}{1,3}"), "1234567"), Texts({"123", "456", "7"}));
        QCOMPARE(pieces_of(split("\\s+(?!\\S)|\\s+"), "a\u2029 b  "), Texts({"a", "\u2029", " ", "b", "  "}));
        QCOMPARE(pieces_of(split("(?i:'re)"), "we'RE"), Texts({"we", "'RE"}));
        QCOMPARE(pieces_of({{"type", "Whitespace"}}, "ab, ½e\u0301_"), Texts({"ab", ",", "½", "e\u0301_"}));
        QCOMPARE(pieces_of({{"type", "WhitespaceSplit"}}, " a\u00a0b "), Texts({"a", "b"}));
        QCOMPARE(pieces_of({{"type", "Punctuation"}}, "a+«b"), Texts({"a", "+", "«", "b"}));
    }

    void split_behaviours() {
        const auto with = [](const char* behavior, bool invert = false) { return pieces_of(split("-", behavior, invert), "a--b"); };
        QCOMPARE(with("Isolated"), Texts({"a", "-", "-", "b"}));
        QCOMPARE(with("Removed"), Texts({"a", "b"}));
        QCOMPARE(with("Contiguous"), Texts({"a", "--", "b"}));
        QCOMPARE(with("MergedWithPrevious"), Texts({"a-", "-", "b"}));
        QCOMPARE(with("MergedWithNext"), Texts({"a", "-", "-b"}));
        QCOMPARE(with("Removed", true), Texts({"-", "-"}));
    }

    void normalizers() {
        QCOMPARE(normalised({{"type", "NFC"}}, "u\u0308\u030c"), std::string("ǚ"));
        QCOMPARE(normalised({{"type", "NFD"}}, "ō"), std::string("o\u0304"));
        QCOMPARE(normalised({{"type", "NFKC"}}, "ﬁ½"), std::string("fi1⁄2"));
        QCOMPARE(normalised({{"type", "NFKD"}}, "ﬁō"), std::string("fio\u0304"));
        QCOMPARE(normalised({{"type", "Lowercase"}}, "ÀΣİ"), std::string("àσi\u0307"));
        QCOMPARE(normalised({{"type", "Strip"}}, " \u00a0a b\n"), std::string("a b"));
        QCOMPARE(normalised({{"type", "StripAccents"}}, "e\u0301a"), std::string("ea"));
        QCOMPARE(normalised({{"type", "Prepend"}, {"prepend", "_"}}, "a"), std::string("_a"));
        QCOMPARE(normalised({{"type", "Prepend"}, {"prepend", "_"}}, ""), std::string());
        QCOMPARE(normalised({{"type", "Replace"}, {"pattern", {{"Regex", " +"}}}, {"content", "."}}, "a  b"), std::string("a.b"));
        QCOMPARE(normalised({{"type", "Replace"}, {"pattern", {{"String", "."}}}, {"content", "!"}}, "a.b"), std::string("a!b"));
        const json both = {{"type", "Sequence"}, {"normalizers", {{{"type", "NFD"}}, {{"type", "StripAccents"}}}}};
        QCOMPARE(normalised(both, "ǜō"), std::string("uo"));
    }

    void what_is_not_supported_is_named_data() {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("value");
        QTest::newRow("pre-tokenizer") << "/pre_tokenizer"
                                       << "{\"type\": \"Foo\"}";
        QTest::newRow("inside a sequence") << "/pre_tokenizer"
                                           << "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"Foo\"}]}";
        QTest::newRow("normalizer") << "/normalizer"
                                    << "{\"type\": \"Foo\"}";
        QTest::newRow("decoder") << "/decoder"
                                 << "{\"type\": \"Foo\"}";
        QTest::newRow("model") << "/model/type"
                               << "\"Foo\"";
        QTest::newRow("suffix") << "/model/end_of_word_suffix"
                                << "\"Foo\"";
        QTest::newRow("prefix") << "/model/continuing_subword_prefix"
                                << "\"Foo\"";
        QTest::newRow("merge of unknown tokens") << "/model/merges"
                                                 << "[\"Foo a\"]";
        QTest::newRow("behavior") << "/pre_tokenizer"
                                  << "{\"type\": \"Punctuation\", \"behavior\": \"Foo\"}";
        QTest::newRow("regular expression") << "/pre_tokenizer"
                                            << "{\"type\": \"Split\", \"pattern\": {\"Regex\": \"(Foo\"}, \"behavior\": \"Isolated\"}";
    }
    void what_is_not_supported_is_named() {
        QFETCH(QString, entry);
        QFETCH(QString, value);
        auto tokens = bpe_of({"a"});
        tokens[json::json_pointer(entry.toStdString())] = json::parse(value.toStdString());
        try {
            open_json(tokens);
            QFAIL("it was accepted");
        } catch (const Error& error) {
            const QString sentence = error.what();
            QVERIFY2(sentence.contains("Foo") && sentence.contains("tokenizer.json"), qPrintable(sentence));
        }
    }

    void folders() {
        const TemporaryFolder folder;
        QVERIFY(!Tokenizer::present(folder.path()));
        QVERIFY_EXCEPTION_THROWN(Tokenizer::open(folder.path()), Error);
        write_file(folder.path() / "tokenizer.model", "IQ== 0\nIg== 1\n");
        QVERIFY(Tokenizer::present(folder.path()));
        QVERIFY_EXCEPTION_THROWN(Tokenizer::open(folder.path()), Error);
        write_file(folder.path() / "tokenizer.json", "{");
        QVERIFY_EXCEPTION_THROWN(Tokenizer::open(folder.path()), Error);
        const TemporaryFolder merges;
        write_file(merges.path() / "vocab.json", "{\"a\": 0, \"b\": 1, \"ab\": 2, \"Ġ\": 3, \"<|endoftext|>\": 4}");
        write_file(merges.path() / "merges.txt", "#version: 0.2\na b\n");
        QCOMPARE(Tokenizer::open(merges.path())->encode("ab ab<|endoftext|>"), Ids({2, 3, 2, 4}));
        QCOMPARE(Tokenizer::open(merges.path())->description(), std::string("byte-level BPE, 5 tokens (vocab.json)"));
        write_file(merges.path() / "tokenizer_config.json", "{\"tokenizer_class\": \"CLIPTokenizer\"}");
        QVERIFY_EXCEPTION_THROWN(Tokenizer::open(merges.path()), Error);
    }

    void tokens_for_a_read_out() {
        auto tokens = bpe_of({"Ġthe", "Ċ", "â", "Ã©", "<s>"});
        tokens["decoder"] = {{"type", "ByteLevel"}};
        tokens["added_tokens"] = {added(4, "<s>")};
        const auto tokenizer = open_json(tokens);
        QCOMPARE(tokenizer->token_text(0), std::string(" the"));
        QCOMPARE(tokenizer->token_text(1), std::string("⏎"));
        QCOMPARE(tokenizer->token_text(2), std::string("<0xE2>"));
        QCOMPARE(tokenizer->token_text(3), std::string("é"));
        QCOMPARE(tokenizer->token_text(4), std::string("<s>"));
        QCOMPARE(tokenizer->token_text(99), std::string());
        QCOMPARE(tokenizer->vocabulary_size(), std::int64_t(5));
        QCOMPARE(tokenizer->decode(Ids{4, 0, 2, 99}), std::string(" the\uFFFD"));
        for (const auto& file : {"tokenizer.json", "tokenizer.model"}) {
            const auto stories = open_alone(data("text/stories260K") / file);
            QCOMPARE(stories->token_text(3 + 0x0A), std::string("⏎"));
            QCOMPARE(stories->token_text(stories->encode("the")[0]).front(), ' ');
        }
    }

    void text_that_is_no_utf8_is_refused() {
        try {
            open_json(bpe_of({"a"}))->encode("aa\xFF");
            QFAIL("it was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("byte 2"), error.what());
        }
    }
};

SUTURE_SUITE(TokenizerBehaviours)
#include "behaviours.moc"
