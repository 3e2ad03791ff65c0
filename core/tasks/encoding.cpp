// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/encoding.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/tasks/internal/strings.h"

namespace suture {
namespace {

using Ids = std::vector<std::int64_t>;

Ids encode(const std::string& text, const Tokenizer& tokenizer, bool bos) {
    Ids ids = tokenizer.encode(text);
    if (!bos) return ids;
    if (!tokenizer.bos()) throw usage_error("--task-bos: the tokenizer has no BOS; choose never");
    if (ids.empty() || ids.front() != *tokenizer.bos()) ids.insert(ids.begin(), *tokenizer.bos());
    return ids;
}

/// What stands in for an empty context.
std::int64_t prefix_token(const Tokenizer& tokenizer) {
    if (const auto id = tokenizer.bos() ? tokenizer.bos() : tokenizer.eos()) return *id;
    throw Error("a context is empty and the tokenizer has neither BOS nor EOS to stand in for it");
}

void check(const EncodedRequest& request, const std::string& where, const Model& model) {
    const std::int64_t vocabulary = model.architecture().vocabulary;
    for (const Ids* ids : {&request.input, &request.targets})
        for (const std::int64_t id : *ids)
            if (id >= vocabulary)
                throw Error(where + ": the tokenizer gives id " + std::to_string(id) + ", but the model's vocabulary has " +
                            std::to_string(vocabulary) + " entries; tokenizer and model do not belong together");
}

}  // namespace

Encoding::Encoding(const Model& model, const TaskSettings& settings)
    : bos(settings.task_bos == "always" || (settings.task_bos == "auto" && model.architecture().model_type.starts_with("gemma"))),
      max_length(settings.max_length > 0 ? settings.max_length : model.architecture().rope.max_positions) {
    if (max_length <= 0) max_length = 2048;  // lm_eval's own default
}

EncodedRequest encode_request(const Request& request, const Tokenizer& tokenizer, const Encoding& encoding) {
    const std::size_t length = length_without_trailing_space(request.context);
    const std::string context = request.context.substr(0, length), continuation = request.context.substr(length) + request.continuation;
    Ids ids = context.empty() ? Ids() : encode(context, tokenizer, encoding.bos);
    Ids whole = encode(context + continuation, tokenizer, encoding.bos);
    whole.erase(whole.begin(), whole.begin() + std::ptrdiff_t(std::min(ids.size(), whole.size())));
    if (ids.empty()) {
        ids.push_back(prefix_token(tokenizer));
        if (!whole.empty() && whole.front() == ids.front()) whole.erase(whole.begin());
    }
    if (whole.empty()) throw Error("the continuation \"" + request.continuation + "\" gives no token, so there is nothing to score");
    if (std::int64_t(whole.size()) > encoding.max_length)
        throw Error("a continuation of " + std::to_string(whole.size()) + " tokens is longer than --max-length " +
                    std::to_string(encoding.max_length) + " allows");
    EncodedRequest result{std::move(ids), whole};
    result.input.insert(result.input.end(), whole.begin(), whole.end() - 1);
    if (const auto excess = std::int64_t(result.input.size()) - encoding.max_length; excess > 0)
        result.input.erase(result.input.begin(), result.input.begin() + excess);
    return result;
}

std::vector<EncodedRequest> encode_documents(const std::string& task, const std::vector<PosedQuestion>& documents,
                                             const Tokenizer& tokenizer, const Model& model, const TaskSettings& settings) {
    const Encoding encoding(model, settings);
    std::vector<EncodedRequest> all;
    for (std::size_t d = 0; d < documents.size(); ++d)
        for (const Request& request : documents[d].requests) {
            const std::string where = task + ", question " + std::to_string(d + 1);
            try {
                all.push_back(encode_request(request, tokenizer, encoding));
            } catch (const Error& error) {
                throw Error(where + ": " + error.what(), error.kind());
            }
            check(all.back(), where, model);
        }
    return all;
}

}  // namespace suture
