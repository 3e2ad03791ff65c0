// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace suture {

/// A node of what a pickle describes. Nothing in it is alive: a call is only the name of what would be called and its arguments.
struct PickleValue {
    enum class Kind { None, Bool, Int, Float, Text, Sequence, Dict, Global, Call, Persistent };
    Kind kind = Kind::None;
    std::int64_t integer = 0;                 ///< Int, and Bool as 0 or 1
    double real = 0;                          ///< Float
    std::string text;                         ///< Text; Global: "module.name"
    std::vector<const PickleValue*> items;    ///< Sequence (tuple or list); Call: callee, then the tuple of arguments; Persistent: the id
    std::vector<const PickleValue*> members;  ///< Dict, and a Call that made a dictionary: key, value, key, value, …
};

/// The nodes own themselves here: they may refer to each other in circles.
struct Pickle {
    std::deque<PickleValue> nodes;
    const PickleValue* root = nullptr;
};

/// Reads protocols 2 to 5 as far as data need them. State set on objects (BUILD) is dropped. Throws Error beginning with `where` for
/// an instruction outside that and for damaged text. Time and memory stay proportional to the length of `bytes`.
Pickle read_pickle(std::span<const std::byte> bytes, const std::string& where);

}  // namespace suture
