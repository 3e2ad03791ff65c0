// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/internal/safetensors_layout.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"

namespace suture {
namespace {

constexpr std::pair<std::string_view, unsigned> dtypes[] = {
    {"F64", 64},    {"F32", 32},    {"F16", 16},    {"BF16", 16},   {"I64", 64},        {"I32", 32},        {"I16", 16}, {"I8", 8},
    {"U64", 64},    {"U32", 32},    {"U16", 16},    {"U8", 8},      {"BOOL", 8},        {"C64", 64},        {"F4", 4},   {"F6_E2M3", 6},
    {"F6_E3M2", 6}, {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8},
};

}  // namespace

std::optional<unsigned> dtype_bits(std::string_view dtype) {
    for (const auto& [name, bits] : dtypes)
        if (name == dtype) return bits;
    return {};
}

std::uint64_t tensor_bytes(std::string_view dtype, std::span<const std::int64_t> shape, const std::string& where) {
    const auto bits = dtype_bits(dtype);
    if (!bits)
        throw Error(where + " has the unknown dtype \"" + std::string(dtype) +
                    "\"; expected one of the safetensors format, such as F32 or BF16");
    std::int64_t product = 1;
    for (const auto size : shape) {
        if (size < 0) throw Error(where + " has the negative dimension " + std::to_string(size) + "; expected whole numbers from 0");
        if (__builtin_mul_overflow(product, size, &product))
            throw Error(where + " has a shape whose product overflows 64 bits; the header is damaged");
    }
    if (__builtin_mul_overflow(product, std::int64_t(*bits), &product))
        throw Error(where + " has a size that overflows 64 bits; the header is damaged");
    if (product % 8 != 0) throw Error(where + " (" + std::string(dtype) + ") doesn't fill whole bytes; the header is damaged");
    return std::uint64_t(product) / 8;
}

std::string safetensors_preamble(std::span<const TensorInfo> tensors, const std::map<std::string, std::string>& metadata) {
    nlohmann::ordered_json::object_t header;
    if (!metadata.empty()) header.emplace_back("__metadata__", metadata);
    std::uint64_t begin = 0;
    for (const auto& tensor : tensors) {
        nlohmann::ordered_json entry;
        entry["dtype"] = tensor.dtype;
        entry["shape"] = tensor.shape;
        entry["data_offsets"] = {begin, begin + tensor.bytes};
        header.emplace_back(tensor.name, std::move(entry));
        begin += tensor.bytes;
    }
    std::string text = nlohmann::ordered_json(std::move(header)).dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    if (text.size() > safetensors_header_limit)
        throw Error("the header of a safetensors file with " + std::to_string(tensors.size()) +
                    " tensors would be longer than the format allows; "
                    "write smaller shards");
    std::string length(8, '\0');
    for (int i = 0; i < 8; ++i) length[std::size_t(i)] = char(text.size() >> (8 * i) & 0xFF);
    return length + text;
}

}  // namespace suture
