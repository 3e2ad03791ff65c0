// SPDX-License-Identifier: GPL-3.0-or-later
// How a text becomes windows. The tokenizer has one id per character, so every window can be written down.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/base/key.h"
#include "core/text/windows.h"
#include "tests/support/suites.h"
#include "tests/text/tokenizers.h"

using namespace suture;
using namespace suture::test;
using nlohmann::json;
using Lists = std::vector<Ids>;

namespace {

/// a … j are 0 … 9, <s> is 10, line ends and the byte-order mark follow.
std::shared_ptr<const Tokenizer> letters(bool bos = true) {
    auto entries = bpe_of({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "<s>", "\n", "\r", "\uFEFF"});
    entries["added_tokens"] = {{{"id", 10}, {"content", "<s>"}, {"special", true}, {"normalized", false}}};
    return open_json(entries, {{"config.json", {{"bos_token_id", bos ? json(10) : json()}}}});
}

class Fixture {
public:
    std::filesystem::path write(const std::string& text) const {
        write_file(folder_.path() / "text.txt", text);
        return folder_.path() / "text.txt";
    }
    Windows cut(const std::string& text, const WindowSettings& settings, const std::string& family = "llama") const {
        return windows_of_text(*letters(), write(text), settings, family);
    }
    Windows ids(const std::string& text, const WindowSettings& settings = {}) const { return windows_of_ids(write(text), 14, settings); }

private:
    TemporaryFolder folder_;
};

template <class Function>
QString refusal(Function function) {
    try {
        function();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class WindowCutting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void consecutive_from_the_beginning() {
        const Fixture f;
        const auto all = f.cut("abcdefghij", {.seqlen = 3, .windows = 0});
        QCOMPARE(all.ids, Lists({{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}));
        QCOMPARE(all.tokens(), std::int64_t(9));
        QVERIFY(all.warnings.empty());
        QCOMPARE(f.cut("abcdefghij", {.seqlen = 3, .windows = 2}).ids, Lists({{0, 1, 2}, {3, 4, 5}}));
        QCOMPARE(f.cut("abcdef", {.seqlen = 4, .windows = 0, .stride = 1}).ids, Lists({{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}}));
        QCOMPARE(f.cut("abcdefghij", {.seqlen = 2, .windows = 2, .stride = 5}).ids, Lists({{0, 1}, {5, 6}}));
    }

    void a_short_text_is_one_window() {
        const Fixture f;
        const auto windows = f.cut("ab", {.seqlen = 4});
        QCOMPARE(windows.ids, Lists({{0, 1}}));
        QCOMPARE(windows.warnings.size(), std::size_t(1));
        QCOMPARE(f.cut("abcd", {.seqlen = 2, .windows = 3}).warnings.size(), std::size_t(1));
    }

    void one_bos_in_front_of_every_window() {
        const Fixture f;
        const WindowSettings settings{.seqlen = 3, .windows = 0, .bos = "window"};
        const auto windows = f.cut("abcde", settings);
        QCOMPARE(windows.ids, Lists({{10, 0, 1}, {10, 2, 3}}));
        QVERIFY(windows.bos && windows.warnings.empty());
        const auto own = f.cut("<s>abcd", settings);
        QCOMPARE(own.ids, Lists({{10, 0, 1}, {10, 2, 3}}));
        QVERIFY2(own.warnings.size() == 1 && QString::fromStdString(own.warnings[0]).contains("BOS"), "a warning was expected");
        const auto limited = f.cut("<s>abcd", {.seqlen = 3, .windows = 2, .bos = "window"});
        QCOMPARE(limited.ids, own.ids);
        QCOMPARE(f.cut("<s>abc", {.seqlen = 2, .windows = 0}).ids, Lists({{10, 0}, {1, 2}}));
    }

    void gemma_gets_a_bos() {
        const Fixture f;
        QVERIFY(f.cut("abcd", {.seqlen = 2}, "gemma2").bos);
        QVERIFY(!f.cut("abcd", {.seqlen = 2}, "qwen2").bos);
        const auto without = f.cut("abcd", {.seqlen = 2, .windows = 2, .bos = "never"}, "gemma3_text");
        QVERIFY(!without.bos && without.warnings.size() == 1);
        QVERIFY(!windows_of_text(*letters(false), f.write("abcd"), {.seqlen = 2}, "gemma").bos);
        QVERIFY(refusal([&] { windows_of_text(*letters(false), f.write("ab"), {.bos = "window"}, "llama"); }).contains("BOS"));
    }

    void some_tokens_are_not_counted() {
        const Fixture f;
        const auto windows = f.cut("ab<s>cd<s>", {.seqlen = 3, .windows = 0, .skip_first = 1, .mask = "special"});
        QCOMPARE(windows.counted, std::vector<std::vector<bool>>({{false, true, false}, {false, true, false}}));
        QCOMPARE(f.cut("ab<s>", {.seqlen = 3}).counted, std::vector<std::vector<bool>>({{true, true, true}}));
        QVERIFY(!refusal([&] { f.cut("abcd", {.seqlen = 2, .skip_first = 2}); }).isEmpty());
    }

    void text_is_taken_as_it_is_or_normalised() {
        const Fixture f;
        const std::string text =
            "\xEF\xBB\xBF"
            "a\r\nb\rc";
        QCOMPARE(f.cut(text, {.seqlen = 7}).ids, Lists({{13, 0, 12, 11, 1, 12, 2}}));
        const auto clean = f.cut(text, {.seqlen = 5, .normalise_text = true});
        QCOMPARE(clean.ids, Lists({{0, 11, 1, 12, 2}}));
        QCOMPARE(clean.digest, sha256_hex(text));
    }

    void conditions_name_everything() {
        const Fixture f;
        const auto conditions = f.cut("abcd", {.seqlen = 3, .windows = 1, .bos = "window"}).conditions();
        const json expected = {{"text", "text.txt"},
                               {"text_sha256", "88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589"},
                               {"seqlen", 3},
                               {"stride", 2},
                               {"windows", 1},
                               {"bos", "window"},
                               {"skip_first", 0},
                               {"mask", "none"},
                               {"normalise_text", false}};
        QCOMPARE(conditions, expected);
    }

    void bad_texts_are_named() {
        const Fixture f;
        QVERIFY(refusal([&] { f.cut("abc\xC3", {}); }).contains("byte offset 3"));
        QVERIFY(refusal([&] { f.cut("", {}); }).contains("text.txt"));
        QVERIFY(refusal([&] { windows_of_text(*letters(), "no-such.txt", {}, "llama"); }).contains("no-such.txt"));
        for (const WindowSettings& wrong : {WindowSettings{.seqlen = 0}, WindowSettings{.windows = -1}, WindowSettings{.stride = -1},
                                            WindowSettings{.skip_first = -1}, WindowSettings{.mask = "x"}, WindowSettings{.bos = "x"}})
            QVERIFY(refusal([&] { f.cut("abc", wrong); }).startsWith("--"));
    }

    void given_ids_stay_as_they_are() {
        const Fixture f;
        const auto windows = f.ids("[[10, 10, 1], [13]]", {.seqlen = 2, .windows = 1, .skip_first = 1, .bos = "window"});
        QCOMPARE(windows.ids, Lists({{10, 10, 1}, {13}}));
        QCOMPARE(windows.counted, std::vector<std::vector<bool>>({{false, true, true}, {false}}));
        QVERIFY(!windows.bos);
        QCOMPARE(windows.source, std::string("token ids"));
        QCOMPARE(windows.conditions()["seqlen"], json(3));
        QCOMPARE(windows.digest, f.ids("[[10,10,1],[13]]").digest);
        QVERIFY(windows.digest != f.ids("[[10,10,1,13]]").digest);
    }

    void bad_ids_are_named() {
        const Fixture f;
        QVERIFY(refusal([&] { f.ids("[[1], [2, 14]]"); }).contains("window 1, token 1: 14"));
        QVERIFY(refusal([&] { f.ids("[[-1]]"); }).contains("-1"));
        QVERIFY(refusal([&] { f.ids("[[1.5]]"); }).contains("1.5"));
        QVERIFY(refusal([&] { f.ids("[[1], []]"); }).contains("window 1"));
        for (const char* text : {"[1, 2]", "[]", "{}", "nonsense"}) QVERIFY(refusal([&] { f.ids(text); }).contains("text.txt"));
        QVERIFY(!refusal([&] { f.ids("[[1]]", {.mask = "special"}); }).isEmpty());
    }

    void settings_survive_json() {
        const WindowSettings settings{.seqlen = 7,
                                      .windows = 5,
                                      .stride = 3,
                                      .skip_first = 2,
                                      .mask = "special",
                                      .bos = "window",
                                      .normalise_text = true,
                                      .text_field = "text",
                                      .text_rows = "ptb"};
        const auto written = settings_to_json(settings);
        QCOMPARE(written["skip_first"], json(2));
        QCOMPARE(settings_to_json(settings_from_json<WindowSettings>(written)), written);
        QCOMPARE(WindowSettings::fields().size(), std::size_t(9));
    }
};

SUTURE_SUITE(WindowCutting)
#include "windows.moc"
