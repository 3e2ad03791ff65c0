// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/internal/pickle.h"

#include <bit>
#include <map>

#include "core/base/error.h"

namespace suture {
namespace {

using Kind = PickleValue::Kind;

/// The stack machine of the pickle format, restricted to instructions that describe data.
class Reader {
public:
    Reader(std::span<const std::byte> bytes, const std::string& where) : bytes_(bytes), where_(where) {}

    Pickle read() {
        for (;;) {
            const auto code = std::uint8_t(number(1));
            if (code == '.') break;
            if (!scalar(code) && !text(code) && !container(code) && !object(code) && !memo(code) && !frame(code))
                throw Error(where_ + " uses the pickle instruction " + std::to_string(code) +
                            ", which plain tensors and numbers don't need; it is not read");
        }
        pickle_.root = pop();
        return std::move(pickle_);
    }

private:
    // One line per instruction.
    // clang-format off
    bool scalar(std::uint8_t code) {
        switch (code) {
            case 'N': push({}); return true;
            case 0x88: push({.kind = Kind::Bool, .integer = 1}); return true;
            case 0x89: push({.kind = Kind::Bool, .integer = 0}); return true;
            case 'J': push({.kind = Kind::Int, .integer = std::int32_t(number(4))}); return true;
            case 'K': push({.kind = Kind::Int, .integer = std::int64_t(number(1))}); return true;
            case 'M': push({.kind = Kind::Int, .integer = std::int64_t(number(2))}); return true;
            case 0x8a: push({.kind = Kind::Int, .integer = long_integer()}); return true;
            case 'G': push({.kind = Kind::Float, .real = std::bit_cast<double>(__builtin_bswap64(number(8)))}); return true;
            default: return false;
        }
    }

    bool text(std::uint8_t code) {
        switch (code) {
            case 'X': push({.kind = Kind::Text, .text = take(number(4))}); return true;
            case 0x8c: push({.kind = Kind::Text, .text = take(number(1))}); return true;
            case 'c': {
                const auto module = line();
                push({.kind = Kind::Global, .text = module + "." + line()});
                return true;
            }
            case 0x93: {
                const auto *name = pop(), *module = pop();
                push({.kind = Kind::Global, .text = module->text + "." + name->text});
                return true;
            }
            default: return false;
        }
    }

    bool container(std::uint8_t code) {
        switch (code) {
            case '(': marks_.push_back(stack_.size()); return true;
            case ')': case ']': push({.kind = Kind::Sequence}); return true;
            case '}': push({.kind = Kind::Dict}); return true;
            case 't': push({.kind = Kind::Sequence, .items = pop_to_mark()}); return true;
            case 0x85: case 0x86: case 0x87: push({.kind = Kind::Sequence, .items = pop_last(code - 0x84u)}); return true;
            case 'a': append(pop_last(1), &PickleValue::items); return true;
            case 'e': append(pop_to_mark(), &PickleValue::items); return true;
            case 's': append(pop_last(2), &PickleValue::members); return true;
            case 'u': append(pop_to_mark(), &PickleValue::members); return true;
            default: return false;
        }
    }

    bool object(std::uint8_t code) {
        switch (code) {
            case 'R': push({.kind = Kind::Call, .items = pop_last(2)}); return true;
            case 'Q': push({.kind = Kind::Persistent, .items = pop_last(1)}); return true;
            case 'b': pop(); return true;
            default: return false;
        }
    }

    bool memo(std::uint8_t code) {
        switch (code) {
            case 'q': memo_[number(1)] = top(); return true;
            case 'r': memo_[number(4)] = top(); return true;
            case 0x94: memo_[memo_.size()] = top(); return true;
            case 'h': recall(number(1)); return true;
            case 'j': recall(number(4)); return true;
            default: return false;
        }
    }
    // clang-format on

    bool frame(std::uint8_t code) {
        if (code == 0x80 && number(1) > 5)
            throw Error(where_ + " is written in a pickle protocol newer than 5; save it again with an older one");
        if (code == 0x95) number(8);
        return code == 0x80 || code == 0x95;
    }

    [[noreturn]] void damaged() const { throw Error(where_ + " is a damaged pickle; fetch or save the file again"); }

    std::string take(std::uint64_t length) {
        if (length > bytes_.size() - at_) damaged();
        std::string result(reinterpret_cast<const char*>(bytes_.data()) + at_, length);
        at_ += length;
        return result;
    }
    std::uint64_t number(std::size_t width) {
        if (width > bytes_.size() - at_) damaged();
        std::uint64_t value = 0;
        for (std::size_t i = width; i-- > 0;) value = value << 8 | std::uint64_t(bytes_[at_ + i]);
        at_ += width;
        return value;
    }
    /// Little-endian two's complement of up to eight bytes.
    std::int64_t long_integer() {
        const auto width = number(1);
        if (width > 8) throw Error(where_ + " holds a whole number beyond 64 bits; it is not read");
        if (width == 0) return 0;
        const auto unused = 64 - 8 * width;
        return std::int64_t(number(width) << unused) >> unused;
    }
    std::string line() {
        const auto begin = at_;
        while (number(1) != '\n') {
        }
        return {reinterpret_cast<const char*>(bytes_.data()) + begin, at_ - begin - 1};
    }

    void push(PickleValue value) {
        pickle_.nodes.push_back(std::move(value));
        stack_.push_back(&pickle_.nodes.back());
    }
    /// Values below the last mark are out of reach until it is taken back.
    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
    PickleValue* top() {
        if (stack_.size() <= floor()) damaged();
        return stack_.back();
    }
    PickleValue* pop() {
        auto* value = top();
        stack_.pop_back();
        return value;
    }
    std::vector<const PickleValue*> pop_last(std::size_t count) {
        if (stack_.size() - floor() < count) damaged();
        std::vector<const PickleValue*> values(stack_.end() - std::ptrdiff_t(count), stack_.end());
        stack_.resize(stack_.size() - count);
        return values;
    }
    std::vector<const PickleValue*> pop_to_mark() {
        if (marks_.empty()) damaged();
        auto values = pop_last(stack_.size() - floor());
        marks_.pop_back();
        return values;
    }
    void append(const std::vector<const PickleValue*>& values, std::vector<const PickleValue*> PickleValue::*list) {
        if (list == &PickleValue::members && values.size() % 2 != 0) damaged();
        auto& target = top()->*list;
        target.insert(target.end(), values.begin(), values.end());
    }
    void recall(std::uint64_t key) {
        const auto it = memo_.find(key);
        if (it == memo_.end()) damaged();
        stack_.push_back(it->second);
    }

    std::span<const std::byte> bytes_;
    const std::string& where_;
    std::size_t at_ = 0;
    Pickle pickle_;
    std::vector<PickleValue*> stack_;
    std::vector<std::size_t> marks_;  // heights of the stack
    std::map<std::uint64_t, PickleValue*> memo_;
};

}  // namespace

Pickle read_pickle(std::span<const std::byte> bytes, const std::string& where) { return Reader(bytes, where).read(); }

}  // namespace suture
