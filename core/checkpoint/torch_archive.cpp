// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/internal/torch_archive.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/base/error.h"
#include "core/checkpoint/internal/pickle.h"
#include "core/checkpoint/internal/tensor_file.h"
#include "core/checkpoint/internal/zip_directory.h"

namespace suture {
namespace {

using Kind = PickleValue::Kind;
using Entries = std::map<std::string, std::span<const std::byte>>;

const std::map<std::string, at::ScalarType> storages = {
    {"torch.DoubleStorage", at::kDouble},     {"torch.FloatStorage", at::kFloat}, {"torch.HalfStorage", at::kHalf},
    {"torch.BFloat16Storage", at::kBFloat16}, {"torch.LongStorage", at::kLong},   {"torch.IntStorage", at::kInt},
    {"torch.ShortStorage", at::kShort},       {"torch.CharStorage", at::kChar},   {"torch.ByteStorage", at::kByte},
    {"torch.BoolStorage", at::kBool},
};

/// The names a file of tensors may use.
bool known(const std::string& global) {
    static const std::set<std::string> others = {"torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter",
                                                 "collections.OrderedDict"};
    return others.contains(global) || storages.contains(global);
}

class Interpreter {
public:
    Interpreter(const Entries& entries, std::string prefix, const std::string& where)
        : entries_(entries), prefix_(std::move(prefix)), where_(where) {}

    at::Tensor tensor(const PickleValue& value, const std::string& name) const {
        if (value.kind == Kind::Call && callee(value) == "torch._utils._rebuild_parameter") {
            const auto& inner = argument(value, 0, name);
            if (inner.kind != Kind::Call || callee(inner) != "torch._utils._rebuild_tensor_v2") unexpected(name);
            return tensor(inner, name);
        }
        if (value.kind != Kind::Call || callee(value) != "torch._utils._rebuild_tensor_v2") unexpected(name);
        const auto [bytes, type] = storage(argument(value, 0, name), name);
        const auto held = std::int64_t(bytes.size() / c10::elementSize(type));
        const auto offset = whole(argument(value, 1, name), name);
        const auto shape = whole_numbers(argument(value, 2, name), name), strides = whole_numbers(argument(value, 3, name), name);
        check_view(held, offset, shape, strides, name);
        auto flat = at::empty({held}, type);
        if (!bytes.empty()) std::memcpy(flat.mutable_data_ptr(), bytes.data(), std::size_t(held) * c10::elementSize(type));
        return flat.as_strided(shape, strides, offset).contiguous();
    }

    [[noreturn]] void unexpected(const std::string& name) const {
        throw Error(where_ + ": \"" + name +
                    "\" is neither a tensor nor a number, truth value or text; expected a flat dictionary of those");
    }

private:
    const std::string& callee(const PickleValue& call) const { return call.items.at(0)->text; }

    const PickleValue& argument(const PickleValue& call, std::size_t i, const std::string& name) const {
        const auto& arguments = *call.items.at(1);
        if (arguments.kind != Kind::Sequence || arguments.items.size() <= i) unexpected(name);
        return *arguments.items[i];
    }
    std::int64_t whole(const PickleValue& value, const std::string& name) const {
        if (value.kind != Kind::Int || value.integer < 0)
            throw Error(where_ + ": tensor \"" + name + "\" has a damaged description; save the file again");
        return value.integer;
    }
    std::vector<std::int64_t> whole_numbers(const PickleValue& value, const std::string& name) const {
        if (value.kind != Kind::Sequence) unexpected(name);
        std::vector<std::int64_t> numbers;
        for (const auto* item : value.items) numbers.push_back(whole(*item, name));
        return numbers;
    }

    /// A storage is named by ('storage', type, key, device, elements).
    std::pair<std::span<const std::byte>, at::ScalarType> storage(const PickleValue& value, const std::string& name) const {
        if (value.kind != Kind::Persistent) unexpected(name);
        const auto& id = *value.items.at(0);
        if (id.kind != Kind::Sequence || id.items.size() != 5) unexpected(name);
        const auto type = storages.find(id.items[1]->text);
        if (type == storages.end()) throw Error(where_ + ": tensor \"" + name + "\" has the unknown type " + id.items[1]->text);
        const auto entry = entries_.find(prefix_ + "data/" + id.items[2]->text);
        if (entry == entries_.end())
            throw Error(where_ + ": the values of tensor \"" + name + "\" are missing; fetch or save the file again");
        const auto elements = whole(*id.items[4], name);
        if (elements > std::int64_t(entry->second.size() / c10::elementSize(type->second)))
            throw Error(where_ + ": tensor \"" + name + "\" has fewer values than its description says; fetch or save the file again");
        return {entry->second, type->second};
    }

    /// The view must stay inside its storage and may not repeat values, so that it can't be larger than the file.
    void check_view(std::int64_t held, std::int64_t offset, const std::vector<std::int64_t>& shape,
                    const std::vector<std::int64_t>& strides, const std::string& name) const {
        std::int64_t elements = 1, last = offset;
        bool overflow = shape.size() != strides.size();
        for (std::size_t i = 0; i < shape.size() && !overflow; ++i) {
            std::int64_t step = 0;
            overflow = __builtin_mul_overflow(elements, shape[i], &elements) ||
                       __builtin_mul_overflow(std::max<std::int64_t>(shape[i] - 1, 0), strides[i], &step) ||
                       __builtin_add_overflow(last, step, &last);
        }
        if (overflow || elements > held || (elements > 0 && last >= held) || offset > held)
            throw Error(where_ + ": tensor \"" + name + "\" reaches beyond its " + std::to_string(held) +
                        " stored values; save a contiguous copy");
    }

    const Entries& entries_;
    std::string prefix_;
    const std::string& where_;
};

/// The folder all entries of the archive lie in, with its slash.
std::string prefix_of(const Entries& entries, const std::string& where) {
    const std::string pickle = "data.pkl";
    for (const auto& [name, bytes] : entries)
        if (name.ends_with("/" + pickle) && name.find('/') == name.size() - pickle.size() - 1)
            return name.substr(0, name.size() - pickle.size());
    throw Error(where + " holds no data.pkl; expected a file written by torch.save");
}

void check_globals(const Pickle& pickle, const std::string& where) {
    for (const auto& node : pickle.nodes) {
        if (node.kind == Kind::Global && !known(node.text))
            throw Error(where + " asks for " + node.text +
                        ", which has no place in a file of tensors; nothing was executed, don't load it elsewhere either "
                        "unless you trust its source");
        if (node.kind == Kind::Call && node.items[0]->kind != Kind::Global)
            throw Error(where + " calls something that is no plain name; nothing was executed");
    }
}

}  // namespace

TorchArchive read_torch_archive(const std::filesystem::path& file) {
    const std::string where = file.string() + ":";
    std::error_code failed;
    const auto size = std::filesystem::file_size(file, failed);
    if (failed) throw Error(file.string() + ": can't be read: " + failed.message());
    const auto source = std::make_shared<const TensorFile>(file, "", size);
    const auto [owner, bytes] = source->range(0, size);
    const auto entries = read_zip_directory(bytes, where);
    const auto prefix = prefix_of(entries, where);
    if (const auto order = entries.find(prefix + "byteorder");
        order != entries.end() && (order->second.empty() || char(order->second[0]) != 'l'))
        throw Error(where + " was written on a big-endian machine; load it there and save it as safetensors");

    const auto pickle = read_pickle(entries.at(prefix + "data.pkl"), where);
    check_globals(pickle, where);
    const auto& root = *pickle.root;
    const bool ordered = root.kind == Kind::Call && root.items[0]->text == "collections.OrderedDict";
    if (root.kind != Kind::Dict && !ordered) throw Error(where + " holds no dictionary; expected one of named tensors and numbers");

    TorchArchive archive;
    const Interpreter interpreter(entries, prefix, where);
    for (std::size_t i = 0; i + 1 < root.members.size(); i += 2) {
        const auto &key = *root.members[i], &value = *root.members[i + 1];
        if (key.kind != Kind::Text) throw Error(where + " has a member whose name is no text; expected a flat dictionary");
        switch (value.kind) {
            case Kind::None:
                archive.scalars[key.text] = nullptr;
                break;
            case Kind::Bool:
                archive.scalars[key.text] = value.integer != 0;
                break;
            case Kind::Int:
                archive.scalars[key.text] = value.integer;
                break;
            case Kind::Float:
                archive.scalars[key.text] = value.real;
                break;
            case Kind::Text:
                archive.scalars[key.text] = value.text;
                break;
            default:
                archive.tensors[key.text] = interpreter.tensor(value, key.text);
        }
    }
    return archive;
}

}  // namespace suture
