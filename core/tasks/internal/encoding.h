// SPDX-License-Identifier: GPL-3.0-or-later
// Requests as token ids, cut where lm_eval cuts them.
#pragma once

#include "core/model/model.h"
#include "core/tasks/task.h"
#include "core/text/tokenizer.h"

namespace suture {

/// What the model is fed, and what it is asked: input[i] for i ≥ input.size() - targets.size() predicts the targets in order.
struct EncodedRequest {
    std::vector<std::int64_t> input;
    std::vector<std::int64_t> targets;
    std::size_t first() const { return input.size() - targets.size(); }
};

/// How prompts are encoded, with "auto" and 0 replaced by what they stand for.
struct Encoding {
    bool bos = false;
    std::int64_t max_length = 0;
    Encoding(const Model& model, const TaskSettings& settings);
};

/// White space at the context's end moves to the continuation; both are encoded as one text and cut at the length of the context
/// encoded alone; the end of max_length + 1 tokens is kept. An empty context is one BOS, else EOS. Without special tokens unless
/// `bos`. Throws Error when a continuation has no token or does not fit, or an id is outside the model's vocabulary.
EncodedRequest encode_request(const Request& request, const Tokenizer& tokenizer, const Encoding& encoding);

/// Every request of every document, in order.
std::vector<EncodedRequest> encode_documents(const std::string& task, const std::vector<PosedQuestion>& documents,
                                             const Tokenizer& tokenizer, const Model& model, const TaskSettings& settings);

}  // namespace suture
