// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/text_file.h"

#include <fstream>

#include "core/base/error.h"
#include "core/base/key.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

std::string read_bytes(const std::filesystem::path& file) {
    std::error_code failed;
    const auto size = std::filesystem::is_regular_file(file) ? std::filesystem::file_size(file, failed) : 0;
    std::ifstream stream(file, std::ios::binary);
    std::string bytes(std::size_t(size), '\0');
    if (failed || !std::filesystem::is_regular_file(file) || !stream.read(bytes.data(), std::streamsize(size)))
        throw Error("The text " + file.string() + " can't be read. Name a text file that exists and is readable.");
    return bytes;
}

/// Files in which corpora are often packed, by their first bytes.
void require_unpacked(const std::string& bytes, const std::filesystem::path& file) {
    if (bytes.starts_with("\x1F\x8B")) throw Error("The text " + file.string() + " is compressed; unpack it first with gunzip.");
    if (bytes.starts_with("\x28\xB5\x2F\xFD")) throw Error("The text " + file.string() + " is compressed; unpack it first with unzstd.");
    if (bytes.starts_with("PAR1")) throw Error("The text " + file.string() + " is a Parquet file; save it as .jsonl or as text first.");
}

std::string normalised(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r' || text.substr(i, 2) != "\r\n") result += text[i];
    return result;
}

}  // namespace

TextFile read_text(const std::filesystem::path& file, bool normalise) {
    TextFile result{read_bytes(file), {}};
    result.digest = sha256_hex(result.text);
    require_unpacked(result.text, file);
    if (const auto at = invalid_utf8(result.text))
        throw Error("The text " + file.string() + " is not UTF-8: byte offset " + std::to_string(*at) +
                    " starts no character. Convert the file to UTF-8.");
    if (normalise) result.text = normalised(result.text);
    return result;
}

std::vector<std::int64_t> first_ids(const Tokenizer& tokenizer, std::string_view text, std::int64_t count) {
    if (count > 0)
        for (auto bytes = std::size_t(count) * 6; bytes < text.size() / 2; bytes *= 2) {
            auto ids = tokenizer.encode_certain(text.substr(0, bytes));
            if (std::int64_t(ids.size()) < count) continue;
            ids.resize(std::size_t(count));
            return ids;
        }
    auto ids = tokenizer.encode(text);
    if (count > 0 && std::int64_t(ids.size()) > count) ids.resize(std::size_t(count));
    return ids;
}

}  // namespace suture
