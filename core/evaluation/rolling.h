// SPDX-License-Identifier: GPL-3.0-or-later
// Rolling perplexity as lm-evaluation-harness computes it: every token of every document is scored exactly once, and the loss is
// spread over the words and bytes of the original text, so that models with different tokenizers can be compared.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/interval.h"
#include "core/base/progress.h"
#include "core/base/setting.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/model/variant.h"
#include "core/store/store.h"
#include "core/text/tokenizer.h"

namespace suture {

struct RollingSettings {
    std::int64_t length = 0;             ///< tokens the model sees at once; 0: max_position_embeddings
    std::string encoding = "0.4.4";      ///< "0.4.4": no special tokens, as that release | "tokenizer": with the BOS the tokenizer adds
    std::string spacing = "wikitext";    ///< what the model reads: "wikitext" with WikiText's spacing undone | "as-is"
    std::string documents = "wikitext";  ///< "wikitext": a page each | "file": all of it; a .jsonl file's rows are always one each
    std::string field = "text";          ///< of the rows of a .jsonl file
    std::int64_t limit = 0;              ///< documents at most, from the beginning; 0: all

    static const std::vector<Setting<RollingSettings>>& fields();
};

/// A stretch of a document: the model reads `ids` without the last one, and the last `scored` ids are predicted.
struct RollingWindow {
    std::vector<std::int64_t> ids;
    std::int64_t scored = 0;
    bool operator==(const RollingWindow&) const = default;
};

/// Windows of at most `length` ids read at once: the first begins with `prefix`, every later one with one id of context; the last
/// one is filled up with more context to full length, if there is so much. Empty for no ids.
std::vector<RollingWindow> rolling_windows(std::span<const std::int64_t> ids, std::int64_t prefix, std::int64_t length);

struct RollingDocument {
    std::string text;  ///< as the file has it; words and bytes are counted in this
    std::int64_t words = 0, bytes = 0;
    std::vector<RollingWindow> windows;
};

/// The documents of a file, ready to be scored.
struct RollingText {
    std::vector<RollingDocument> documents;
    std::string source, digest;  ///< file name without folder; SHA-256 of its bytes
    std::int64_t prefix = 0;     ///< id in front of every document: BOS, else EOS
    RollingSettings settings;    ///< `length` filled in

    std::int64_t tokens() const;        ///< read by the model, context included
    nlohmann::json conditions() const;  ///< {text, text_sha256, prefix_token_id, documents} and the settings, rolling_length …
};

/// Throws Error naming the file: can't be read, no document, no field; or a tokenizer that has neither BOS nor EOS.
RollingText rolling_text(const Model& model, const Tokenizer& tokenizer, const std::filesystem::path& file,
                         const RollingSettings& settings);

struct RollingScore {
    double loglikelihood = 0;  ///< nats, sum over the document's tokens
    std::int64_t words = 0, bytes = 0, tokens = 0;
    bool operator==(const RollingScore&) const = default;
};

/// Ratios over the whole corpus, not means over documents.
struct RollingEvaluation {
    std::vector<RollingScore> documents;
    nlohmann::json conditions;  ///< RollingText::conditions() with {model, dtype, variant}: all that the numbers depend on

    double word_perplexity() const;  ///< exp(-Σ loglikelihood / Σ words)
    double byte_perplexity() const;  ///< exp(-Σ loglikelihood / Σ bytes)
    double bits_per_byte() const;    ///< -Σ loglikelihood / Σ bytes / ln 2
    /// Of word_perplexity(), resampling documents; none below 8.
    std::optional<Interval> interval() const;
    /// Of word_perplexity() / base.word_perplexity(), resampling the same documents of both.
    std::optional<Interval> ratio_interval(const RollingEvaluation& base) const;

    nlohmann::json to_json() const;
    Artefact to_artefact() const;
    static RollingEvaluation from_artefact(const Artefact& artefact);
};

/// Scores several variants together. Throws Cancelled; Error on values that are not finite.
std::vector<RollingEvaluation> evaluate_rolling(std::shared_ptr<const Model> model, std::span<const Variant> variants,
                                                const RollingText& text, const ComputeSettings& compute, Progress& progress);

Key rolling_key(const Model& model, const Variant& variant, const RollingText& text, const ComputeSettings& compute);

}  // namespace suture
