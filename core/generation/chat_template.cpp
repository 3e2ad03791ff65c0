// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/chat_template.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/base/error.h"
#include "core/text/internal/special_tokens.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

/// What a form makes of a user's and a system message, without BOS.
struct Message {
    std::string user, system, eos;
};

struct Form {
    const char* name;
    std::vector<const char*> signs;          ///< all must stand in the template …
    std::vector<const char*> counter_signs;  ///< … and none of these
    bool system;                             ///< has system messages
    std::string (*render)(const Message& m);
};

std::string chatml(const Message& m) {
    const std::string system = m.system.empty() ? "" : "<|im_start|>system\n" + m.system + "<|im_end|>\n";
    return system + "<|im_start|>user\n" + m.user + "<|im_end|>\n<|im_start|>assistant\n";
}

std::string header(const std::string& role, const std::string& content) {
    return "<|start_header_id|>" + role + "<|end_header_id|>\n\n" + (content.empty() ? "" : content + "<|eot_id|>");
}

std::string llama_3(const Message& m) {
    return (m.system.empty() ? "" : header("system", std::string(trimmed(m.system)))) + header("user", std::string(trimmed(m.user))) +
           header("assistant", "");
}

std::string llama_3_1(const Message& m) {
    const std::string dates = "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n";
    return header("system", dates + std::string(trimmed(m.system))) + header("user", std::string(trimmed(m.user))) +
           header("assistant", "");
}

std::string llama_2(const Message& m) {
    const std::string system = m.system.empty() ? "" : "<<SYS>>\n" + m.system + "\n<</SYS>>\n\n";
    return "[INST] " + std::string(trimmed(system + m.user)) + " [/INST]";
}

std::string mistral(const Message& m) { return "[INST] " + m.user + " [/INST]"; }

std::string gemma(const Message& m) {
    const std::string system = m.system.empty() ? "" : m.system + "\n\n";
    return "<start_of_turn>user\n" + system + std::string(trimmed(m.user)) + "<end_of_turn>\n<start_of_turn>model\n";
}

std::string phi_3(const Message& m) {
    const std::string system = m.system.empty() ? "" : "<|system|>\n" + m.system + "<|end|>\n";
    return system + "<|user|>\n" + m.user + "<|end|>\n<|assistant|>\n";
}

std::string zephyr(const Message& m) {
    const std::string system = m.system.empty() ? "" : "<|system|>\n" + m.system + m.eos + "\n";
    return system + "<|user|>\n" + m.user + m.eos + "\n<|assistant|>\n";
}

std::string deepseek(const Message& m) { return m.system + "<｜User｜>" + m.user + "<｜Assistant｜>"; }

/// Sign of templates whose text depends on the day.
constexpr const char* dated = "strftime_now";

const std::vector<Form>& forms() {
    static const std::vector<Form> list{
        {"llama-3.1", {"<|start_header_id|>", "Cutting Knowledge Date: December 2023", "26 Jul 2024"}, {}, true, llama_3_1},
        {"llama-3", {"<|start_header_id|>", "<|eot_id|>"}, {dated, "Cutting Knowledge Date"}, true, llama_3},
        {"chatml", {"<|im_start|>", "<|im_end|>"}, {dated, "## Metadata"}, true, chatml},
        {"gemma", {"<start_of_turn>", "<end_of_turn>"}, {dated}, true, gemma},
        {"deepseek", {"<｜User｜>", "<｜Assistant｜>"}, {dated}, true, deepseek},
        {"phi-3", {"<|user|>", "<|end|>", "<|assistant|>"}, {dated}, true, phi_3},
        {"zephyr", {"<|user|>", "<|assistant|>", "eos_token"}, {dated, "<|end|>"}, true, zephyr},
        {"llama-2", {"'[INST] '", "' [/INST]'", "<<SYS>>"}, {dated}, true, llama_2},
        {"mistral", {"'[INST] '", "' [/INST]'", "eos_token"}, {dated, "<<SYS>>", "[SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]"}, false, mistral}};
    return list;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

const Form* form_of(const std::string& source) {
    const auto here = [&](const char* sign) { return contains(source, sign); };
    for (const Form& form : forms())
        if (std::ranges::all_of(form.signs, here) && std::ranges::none_of(form.counter_signs, here)) return &form;
    return nullptr;
}

/// In a template a line feed is written as such or as backslash n.
std::string with_line_feeds(std::string text) {
    for (std::size_t at; (at = text.find("\\n")) != std::string::npos;) text.replace(at, 2, "\n");
    return text;
}

/// The system message that a ChatML template brings when none is given.
std::string default_system(const std::string& source) {
    static const std::regex literal("<\\|im_start\\|>system\n([^'\"{}<]+)<\\|im_end\\|>");
    std::smatch match;
    return std::regex_search(source, match, literal) ? match[1].str() : std::string();
}

std::string token_text(const nlohmann::json& config, const std::string& name) {
    if (!config.is_object() || !config.contains(name)) return {};
    const auto& token = config.at(name);
    if (token.is_string()) return token.get<std::string>();
    return token.is_object() ? token.value("content", std::string()) : std::string();
}

/// The entry "default" of a list of named templates, else a text.
std::string template_text(const nlohmann::json& value) {
    if (value.is_string()) return value.get<std::string>();
    for (const auto& entry : value)
        if (entry.is_object() && entry.value("name", std::string()) == "default") return entry.value("template", std::string());
    return {};
}

}  // namespace

ChatTemplate ChatTemplate::recognise(std::string source, std::string bos, std::string eos, const std::filesystem::path& file) {
    source = with_line_feeds(std::move(source));
    const Form* form = form_of(source);
    if (!form) {
        std::string names;
        for (const Form& known : forms()) names += (names.empty() ? "" : ", ") + std::string(known.name);
        throw Error("The chat template in " + file.string() + " has none of the forms known here (" + names +
                    "); give the prompt as plain text instead.");
    }
    ChatTemplate result;
    result.name_ = form->name;
    result.bos_ = contains(source, "bos_token") ? std::move(bos) : std::string();
    result.eos_ = std::move(eos);
    result.system_ = result.name_ == "chatml" ? default_system(source) : std::string();
    result.thinks_ = contains(source, "<|im_start|>assistant\n<think>\n'") || contains(source, "<｜Assistant｜><think>\n'");
    result.system_messages_ = form->system && !contains(source, "System role not supported");
    return result;
}

std::optional<ChatTemplate> ChatTemplate::open(const std::filesystem::path& folder) {
    const auto config = json_or_null(folder / "tokenizer_config.json");
    const auto bos = token_text(config, "bos_token"), eos = token_text(config, "eos_token");
    if (const auto file = folder / "chat_template.jinja"; std::filesystem::is_regular_file(file)) {
        std::ifstream stream(file, std::ios::binary);
        return recognise({std::istreambuf_iterator<char>(stream), {}}, bos, eos, file);
    }
    if (!config.is_object() || !config.contains("chat_template") || config.at("chat_template").is_null()) return std::nullopt;
    return recognise(template_text(config.at("chat_template")), bos, eos, folder / "tokenizer_config.json");
}

std::string ChatTemplate::text(const std::string& user, const std::string& system) const {
    if (!system_messages_ && !system.empty())
        throw usage_error("the chat template (" + name_ + ") has no system messages; write it into the prompt");
    const auto form = std::ranges::find(forms(), name_, &Form::name);
    return bos_ + form->render({user, system.empty() ? system_ : system, eos_}) + (thinks_ ? "<think>\n" : "");
}

}  // namespace suture
