// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/sentencepiece_tokenizer.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/text/internal/regex.h"
#include "core/text/internal/sentencepiece_proto.h"
#include "core/text/internal/special_tokens.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

using sentencepiece::SentencePieceProcessor;

constexpr std::string_view space = "▁";
constexpr std::size_t sentence = 512;  // bytes

std::string read_file(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error(file.string() + " can't be read.");
    return (std::ostringstream() << stream.rdbuf()).str();
}

std::unique_ptr<SentencePieceProcessor> load(const std::string& model, const std::filesystem::path& file) {
    auto processor = std::make_unique<SentencePieceProcessor>();
    const auto status = processor->LoadFromSerializedProto(model);
    if (!status.ok())
        throw Error(file.string() +
                        " is no SentencePiece model (Llama 3 keeps a tiktoken list under this name); "
                        "put the model's tokenizer.json beside it.",
                    Error::Kind::Input, status.ToString());
    return processor;
}

/// No piece holds a visible space or line feed behind another character: then no piece reaches from the end of a word into what
/// follows it. Both must be known as well, because the library joins neighbours that are unknown.
bool pieces_end_with_words(const SentencePieceProcessor& processor) {
    if (processor.IsUnknown(processor.PieceToId(space)) || !processor.IsByte(processor.PieceToId("<0x0A>"))) return false;
    for (int id = 0; id < processor.GetPieceSize(); ++id) {
        std::string_view piece = processor.IdToPiece(id);
        while (piece.starts_with(space)) piece.remove_prefix(space.size());
        if (piece.find(space) != std::string_view::npos || (piece.size() > 1 && piece.find('\n') != std::string_view::npos)) return false;
    }
    return true;
}

std::vector<std::string> control_pieces(const SentencePieceProcessor& processor) {
    std::vector<std::string> result;
    for (int id = 0; id < processor.GetPieceSize(); ++id)
        if (processor.IsControl(id) || processor.IsUnknown(id)) result.push_back(processor.IdToPiece(id));
    return result;
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(const std::filesystem::path& file) {
    const auto model = read_file(file);
    processor_ = load(model, file);
    const SpecialTokenFiles files(file.parent_path());
    const auto& config = files.config();
    inside_ = load(without_dummy_prefix(model), file);
    // Llama's tokenizer put a space in front of every text between special tokens, until "legacy" was set to false.
    prefix_everywhere_ = !config.is_object() || config.value("legacy", true);
    if (config.is_object() && !config.value("add_prefix_space", true)) processor_ = load(without_dummy_prefix(model), file);

    const auto id_of = [&](const std::string& content) -> std::optional<std::int64_t> {
        const int id = processor_->PieceToId(content);
        return id >= 0 && processor_->IdToPiece(id) == content ? std::optional(std::int64_t(id)) : std::nullopt;
    };
    added_ = AddedTokens(files.added_tokens(id_of, control_pieces(*processor_)), {});
    size_ = processor_->GetPieceSize();
    for (const auto& token : added_.tokens()) {
        added_by_id_[token.id] = token;
        size_ = std::max(size_, token.id + 1);
        if (token.special) special_.ids.push_back(token.id);
    }
    std::sort(special_.ids.begin(), special_.ids.end());
    const auto own = [](int id) { return id >= 0 ? std::optional(std::int64_t(id)) : std::nullopt; };
    special_.bos = files.id("bos", id_of, own(processor_->bos_id()));
    special_.eos = files.id("eos", id_of, own(processor_->eos_id()));
    special_.adds_bos = files.adds_bos(nullptr);
    cuts_at_word_end_ = added_.cuts_at_word_end() && normalises_nothing(model) && pieces_end_with_words(*processor_);
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

std::vector<std::int64_t> SentencePieceTokenizer::encode(std::string_view text) const {
    require_utf8(text);
    std::vector<std::int64_t> ids;
    for (const auto& segment : added_.split(text)) {
        if (segment.id) ids.push_back(*segment.id);
        else encode_text(segment.text, segment.at_start || prefix_everywhere_, ids);
    }
    return ids;
}

/// The library takes long for a long text, so it gets a few hundred bytes at a time where word ends are safe places to cut.
void SentencePieceTokenizer::encode_text(std::string_view text, bool with_prefix, std::vector<std::int64_t>& ids) const {
    std::vector<int> found;
    while (!text.empty()) {
        const auto end = cuts_at_word_end_ && text.size() > sentence ? last_word_end(text.substr(0, sentence)) : 0;
        const auto part = text.substr(0, end > 0 ? end : text.size());
        if (const auto status = (with_prefix ? processor_ : inside_)->Encode(part, &found); !status.ok())
            throw Error("SentencePiece can't encode the text: " + status.ToString() + ".", Error::Kind::Internal);
        ids.insert(ids.end(), found.begin(), found.end());
        text.remove_prefix(part.size());
        with_prefix = false;
    }
}

std::vector<std::int64_t> SentencePieceTokenizer::encode_certain(std::string_view text) const {
    return cuts_at_word_end_ ? encode(text.substr(0, last_word_end(text))) : std::vector<std::int64_t>();
}

bool SentencePieceTokenizer::is_piece(std::int64_t id) const { return id >= 0 && id < processor_->GetPieceSize(); }

std::string SentencePieceTokenizer::decode(std::span<const std::int64_t> ids) const {
    std::string result;
    std::vector<int> run;
    const auto flush = [&] {
        std::string text;
        if (!run.empty() && processor_->Decode(run, &text).ok()) result += text;
        run.clear();
    };
    for (const auto id : ids) {
        if (is_piece(id)) {
            run.push_back(int(id));
        } else if (const auto it = added_by_id_.find(id); it != added_by_id_.end() && !it->second.special) {
            flush();
            result += it->second.content;
        }
    }
    flush();
    return result;
}

std::string SentencePieceTokenizer::token_text(std::int64_t id) const {
    if (const auto it = added_by_id_.find(id); it != added_by_id_.end()) return visible_text(it->second.content);
    if (!is_piece(id)) return {};
    const auto& piece = processor_->IdToPiece(int(id));
    if (const auto byte = byte_token(piece)) return visible_text(std::string(1, *byte));
    return visible_text(Regex(std::string(space), true).replaced(piece, " "));
}

std::string SentencePieceTokenizer::description() const { return "SentencePiece, " + std::to_string(size_) + " tokens (tokenizer.model)"; }

}  // namespace suture
