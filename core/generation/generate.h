// SPDX-License-Identifier: GPL-3.0-or-later
// Several variants of one model continue a prompt, side by side.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/generation/sampling.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/model/variant.h"
#include "core/text/tokenizer.h"

namespace suture {

/// What one variant wrote behind a prompt.
struct Generation {
    std::vector<std::int64_t> ids;  ///< new tokens, an end-of-sequence token included
    std::string text;               ///< of the new tokens; empty without a tokenizer
    bool ended = false;             ///< by an end-of-sequence token; else by the limit
    std::int64_t prompt_tokens = 0;
    double prefill_seconds = 0;  ///< reading the prompt
    double decode_seconds = 0;   ///< reading the new tokens one by one; the last one is not read

    /// New tokens read per second; 0 when there was only one.
    double tokens_per_second() const;
    nlohmann::json to_json() const;
    static Generation from_json(const nlohmann::json& json);
};

/// `variant` has written `id`, which completes `text` (empty while a character is unfinished).
using OnToken = std::function<void(std::size_t variant, std::int64_t id, const std::string& text)>;

/// End-of-sequence ids as generation stops at them: generation_config.json's eos_token_id, one or a list, else config.json's, else
/// the tokenizer's (may be null). Empty when nothing names one.
std::vector<std::int64_t> end_ids(const std::filesystem::path& folder, const Tokenizer* tokenizer);

/// The ids of a plain prompt, behind a BOS where the checkpoint's tokenizer adds one and the text does not bring it.
std::vector<std::int64_t> prompt_ids(const Tokenizer& tokenizer, const std::string& text);

class Generator {
public:
    /// Weights stay loaded as far as the memory limit allows. `tokenizer` may be null: then there are ids, but no text.
    Generator(std::shared_ptr<const Model> model, std::shared_ptr<const Tokenizer> tokenizer, std::vector<Variant> variants,
              const ComputeSettings& compute);
    ~Generator();

    /// All variants behind the same prompt, one token each in turn; in the order of the variants. Counts max_tokens steps per
    /// variant. Throws Cancelled, also between two tokens; Error for an empty prompt, ids that do not exist, values not finite.
    std::vector<Generation> run(std::span<const std::int64_t> prompt, const GenerationSettings& settings, const OnToken& on_token,
                                Progress& progress);
    std::size_t variants() const;
    /// False when layers are read anew for every token, because they do not fit the memory limit together.
    bool resident() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace suture
