// SPDX-License-Identifier: GPL-3.0-or-later
// How a checkpoint wants to be spoken to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"

namespace suture {

/// One of the common chat forms, recognised from the text of a checkpoint's template. The templates are programs in another
/// language (Jinja), which is not run here: a template that fits no form is refused rather than guessed at.
///
///   name           what the model reads for a user's message
///   chatml         <|im_start|>user⏎ … <|im_end|>⏎<|im_start|>assistant⏎        SmolLM2, Qwen 2 to 3, Yi
///   llama-3        <|start_header_id|>user<|end_header_id|>⏎⏎ … <|eot_id|>       Llama 3
///   llama-3.1      the same behind a system message with dates; "Today Date" is the template's own fallback, 26 Jul 2024
///   llama-2        [INST] … [/INST]                                            Llama 2 chat, <<SYS>> for a system message
///   mistral        [INST] … [/INST], without system messages                   Mistral 7B
///   gemma          <start_of_turn>user⏎ … <end_of_turn>⏎<start_of_turn>model⏎    Gemma 1 to 3
///   phi-3          <|user|>⏎ … <|end|>⏎<|assistant|>⏎                            Phi-3
///   zephyr         <|user|>⏎ … </s>⏎<|assistant|>⏎                               Zephyr, TinyLlama
///   deepseek       <｜User｜> … <｜Assistant｜>                                    DeepSeek R1 and its distillations
///
/// A BOS stands in front where the template has one; a system message that the template brings by default is used when none is
/// given; <think> follows where the template opens it for the model.
class ChatTemplate {
public:
    /// chat_template.jinja, else tokenizer_config.json's chat_template (of a list the entry "default"). Nothing when the checkpoint
    /// has none. Throws Error naming the file and the forms known, when the template fits none of them.
    static std::optional<ChatTemplate> open(const std::filesystem::path& folder);
    /// From a template's text. `file` is for the message.
    static ChatTemplate recognise(std::string source, std::string bos, std::string eos, const std::filesystem::path& file);

    const std::string& name() const { return name_; }
    /// The text of one user message, up to where the model is to answer. `system`: empty for the template's own. Throws a usage
    /// Error when the form has no system messages.
    std::string text(const std::string& user, const std::string& system = {}) const;

private:
    std::string name_, bos_, eos_;
    std::string system_;           // the template's own
    bool system_messages_ = true;  // it has any
    bool thinks_ = false;          // it opens <think>
};

/// Ids of a chat text: no BOS is added, the template brings its own.
inline std::vector<std::int64_t> chat_ids(const Tokenizer& tokenizer, std::string_view text) { return tokenizer.encode(text); }

}  // namespace suture
