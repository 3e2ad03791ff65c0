// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/internal/as_tensor.h"

#include <ATen/ATen.h>

#include <cstring>

#include "core/base/error.h"

namespace suture {
namespace {

constexpr std::pair<std::string_view, at::ScalarType> types[] = {
    {"F64", at::kDouble}, {"F32", at::kFloat}, {"F16", at::kHalf}, {"BF16", at::kBFloat16}, {"I64", at::kLong},
    {"I32", at::kInt},    {"I16", at::kShort}, {"I8", at::kChar},  {"U8", at::kByte},       {"BOOL", at::kBool},
};

}  // namespace

std::optional<at::ScalarType> scalar_type_of(std::string_view dtype) {
    for (const auto& [name, type] : types)
        if (name == dtype) return type;
    return {};
}

std::string dtype_of(at::ScalarType type) {
    for (const auto& [name, known] : types)
        if (known == type) return std::string(name);
    throw Error(std::string("tensors of type ") + c10::toString(type) + " can't be stored as safetensors here; convert them first",
                Error::Kind::Internal);
}

at::Tensor as_tensor(const TensorSource& source, const std::string& name) {
    const TensorInfo& info = source.info(name);
    const auto type = scalar_type_of(info.dtype);
    if (!type)
        throw Error(info.file.string() + ": tensor \"" + name + "\" has dtype " + info.dtype +
                    ", which can't be computed with; expected F32, BF16, F16 or another plain type, open an unquantised checkpoint");
    auto [owner, bytes] = source.shared_bytes(name);
    if (bytes.empty()) return at::empty(info.shape, *type);
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % c10::elementSize(*type) != 0) {
        auto copy = at::empty(info.shape, *type);
        std::memcpy(copy.mutable_data_ptr(), bytes.data(), bytes.size());
        return copy;
    }
    void* data = const_cast<std::byte*>(bytes.data());
    return at::from_blob(
        data, info.shape, [owner = std::move(owner)](void*) {}, at::TensorOptions(*type));
}

}  // namespace suture
