// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "core/base/error.h"
#include "core/checkpoint/internal/safetensors_layout.h"
#include "core/checkpoint/internal/strict_json.h"

namespace suture {
namespace {

using nlohmann::json;

constexpr std::uint64_t prefix_bytes = 8;  // the header's length, little-endian
constexpr int deepest = 4;                 // a shape is the third level

std::string count(std::uint64_t n, const char* unit) { return std::to_string(n) + " " + unit; }

/// Fills everything but `tensors` and `metadata`.
SafetensorsHeader read_text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::error_code failed;
    SafetensorsHeader header;
    header.file_bytes = std::filesystem::file_size(file, failed);
    if (!in || failed) throw Error(file.string() + ": can't be read as a safetensors file; check that it exists and is readable");

    unsigned char length[prefix_bytes];
    if (!in.read(reinterpret_cast<char*>(length), prefix_bytes))
        throw Error(file.string() + ": has " + count(header.file_bytes, "bytes") + ", too short for a safetensors file; fetch it again");
    for (std::size_t i = prefix_bytes; i-- > 0;) header.header_bytes = header.header_bytes << 8 | length[i];
    if (header.header_bytes > safetensors_header_limit)
        throw Error(file.string() + ": claims a header of " + count(header.header_bytes, "bytes") + "; at most " +
                    count(safetensors_header_limit, "bytes are allowed, so this is no safetensors file or it is damaged"));
    if (header.header_bytes > header.file_bytes - prefix_bytes)
        throw Error(file.string() + ": claims a header of " + count(header.header_bytes, "bytes") + " but has only " +
                    count(header.file_bytes - prefix_bytes, "bytes after the length; fetch it again"));

    header.header_text.resize(header.header_bytes);
    if (!in.read(header.header_text.data(), std::streamsize(header.header_bytes)))
        throw Error(file.string() + ": the header can't be read");
    return header;
}

const json& member(const json& entry, const char* name, json::value_t type, const std::string& where) {
    const auto it = entry.is_object() ? entry.find(name) : entry.end();
    if (!entry.is_object() || it == entry.end()) throw Error(where + " lacks \"" + name + "\" in the header; the file is damaged");
    if (it->type() != type) throw Error(where + " has a \"" + name + "\" of the wrong kind (" + it->type_name() + ") in the header");
    return *it;
}

/// A whole number from 0 to 2^63 - 1.
std::int64_t whole(const json& value, const std::string& where, const char* what) {
    if (!value.is_number_unsigned()) throw Error(where + " has the " + what + " " + value.dump() + "; expected a whole number from 0");
    const auto number = value.get<std::uint64_t>();
    if (number > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
        throw Error(where + " has the " + what + " " + value.dump() + ", which overflows 64 bits; the header is damaged");
    return std::int64_t(number);
}

/// The offset is still relative to the end of the header.
TensorInfo read_entry(const std::filesystem::path& file, const std::string& name, const json& entry) {
    const std::string where = file.string() + ": tensor \"" + name + "\"";
    TensorInfo tensor{.name = name, .dtype = member(entry, "dtype", json::value_t::string, where), .shape = {}, .file = file};
    for (const auto& size : member(entry, "shape", json::value_t::array, where)) tensor.shape.push_back(whole(size, where, "dimension"));
    const json& offsets = member(entry, "data_offsets", json::value_t::array, where);
    if (offsets.size() != 2) throw Error(where + " has " + count(offsets.size(), "data_offsets; expected a begin and an end"));
    const auto begin = whole(offsets[0], where, "offset"), end = whole(offsets[1], where, "offset");
    if (end < begin) throw Error(where + " ends at byte " + std::to_string(end) + " before it begins at " + std::to_string(begin));
    tensor.offset = std::uint64_t(begin);
    tensor.bytes = tensor_bytes(tensor.dtype, tensor.shape, where);
    if (tensor.bytes != std::uint64_t(end - begin))
        throw Error(where + " has " + count(std::uint64_t(end - begin), "bytes") + " but dtype " + tensor.dtype + " and its shape need " +
                    count(tensor.bytes, "bytes; the header is damaged"));
    return tensor;
}

std::map<std::string, std::string> read_metadata(const std::filesystem::path& file, const json& value) {
    if (!value.is_object()) throw Error(file.string() + ": __metadata__ in the header is no object of texts");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, text] : value.items()) {
        if (!text.is_string()) throw Error(file.string() + ": __metadata__ \"" + key + "\" is " + text.type_name() + "; expected a text");
        metadata[key] = text;
    }
    return metadata;
}

/// Sorts by position, requires that the tensors follow each other without holes up to the end, and makes offsets absolute.
void check_layout(SafetensorsHeader& header, const std::filesystem::path& file) {
    std::ranges::sort(header.tensors, {}, [](const TensorInfo& t) { return std::tuple(t.offset, t.bytes, t.name); });
    const std::uint64_t data_begin = prefix_bytes + header.header_bytes;
    std::uint64_t end = 0;
    for (auto& tensor : header.tensors) {
        if (tensor.offset != end)
            throw Error(file.string() + ": tensor \"" + tensor.name + "\" begins at byte " + std::to_string(tensor.offset) +
                        " of the data, " + (tensor.offset < end ? "inside" : "with a hole after") +
                        " the tensor before it, which ends at " + std::to_string(end));
        end += tensor.bytes;
        tensor.offset += data_begin;
    }
    const std::uint64_t held = header.file_bytes - data_begin;
    if (end != held)
        throw Error(file.string() + ": the header describes " + count(end, "bytes of tensors") + " but the file holds " +
                    count(held, "bytes; it is ") + (held < end ? "truncated, fetch it again" : "followed by bytes that belong to nothing"));
}

}  // namespace

std::int64_t TensorInfo::elements() const { return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()); }

SafetensorsHeader read_safetensors_header(const std::filesystem::path& file) {
    SafetensorsHeader header = read_text(file);
    const json members = parse_strict_json(header.header_text, file.string() + ": the header", deepest);
    for (const auto& [name, entry] : members.items()) {
        if (name == "__metadata__") header.metadata = read_metadata(file, entry);
        else header.tensors.push_back(read_entry(file, name, entry));
    }
    check_layout(header, file);
    return header;
}

}  // namespace suture
