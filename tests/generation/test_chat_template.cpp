// SPDX-License-Identifier: GPL-3.0-or-later
// Every chat form against what Jinja makes of a template of that form.
#include <QtTest/QtTest>
#include <set>

#include "core/base/error.h"
#include "core/generation/chat_template.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;

namespace {

const json& reference() {
    static const json file = test::read_json(test::data("generation/reference.json"));
    return file;
}

ChatTemplate recognised(const std::string& source) { return ChatTemplate::recognise(source, "<s>", "</s>", "template"); }

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

}  // namespace

class TestChatTemplate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equals_jinja() {
        std::set<std::string> forms;
        for (const json& chat : reference()["chats"]) {
            const auto form = recognised(chat["template"]);
            QCOMPARE(form.name(), chat["form"].get<std::string>());
            QCOMPARE(form.text(reference()["user"]), chat["text"].get<std::string>());
            if (chat["with_system"].is_null()) QVERIFY_EXCEPTION_THROWN(form.text("x", reference()["system"]), Error);
            else QCOMPARE(form.text(reference()["user"], reference()["system"]), chat["with_system"].get<std::string>());
            forms.insert(form.name());
        }
        QCOMPARE(forms.size(), std::size_t(9));
    }

    void smollm2_ids() {
        const auto folder = test::shared("models/smollm2-135m");
        SUTURE_NEEDS(folder);
        const auto chat = ChatTemplate::open(folder);
        QVERIFY(chat.has_value());
        const auto ids = chat_ids(*Tokenizer::open(folder), chat->text(reference()["user"]));
        QCOMPARE(ids, reference()["smollm2_ids"].get<std::vector<std::int64_t>>());
    }

    void where_it_is_looked_for() {
        const test::TemporaryFolder folder;
        QVERIFY(!ChatTemplate::open(folder.path()));
        const std::string chatml = reference()["chats"][0]["template"], phi = reference()["chats"][10]["template"];
        write(folder.path() / "tokenizer_config.json", json{{"chat_template", nullptr}}.dump());
        QVERIFY(!ChatTemplate::open(folder.path()));
        write(folder.path() / "tokenizer_config.json", json{{"chat_template", phi}}.dump());
        QCOMPARE(ChatTemplate::open(folder.path())->name(), std::string("phi-3"));
        const json list{{{"name", "tool_use"}, {"template", "x"}}, {{"name", "default"}, {"template", phi}}};
        write(folder.path() / "tokenizer_config.json", json{{"chat_template", list}}.dump());
        QCOMPARE(ChatTemplate::open(folder.path())->name(), std::string("phi-3"));
        write(folder.path() / "chat_template.jinja", chatml);
        QCOMPARE(ChatTemplate::open(folder.path())->name(), std::string("chatml"));
    }

    void others_are_refused() {
        for (const char* other : {"{{ messages }}", "<|im_start|> <|im_end|> {{ strftime_now('%d') }}", "[INST] [SYSTEM_PROMPT]", ""}) {
            try {
                recognised(other);
                QFAIL(other);
            } catch (const Error& error) {
                QVERIFY(QString(error.what()).contains("chatml, gemma"));
            }
        }
    }
};

SUTURE_SUITE(TestChatTemplate)
#include "test_chat_template.moc"
