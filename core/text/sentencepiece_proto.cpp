// SPDX-License-Identifier: GPL-3.0-or-later
// ModelProto holds normalizer_spec as field 3; in it precompiled_charsmap is field 2, add_dummy_prefix 3 and
// remove_extra_whitespaces 4 (true when absent).
#include "core/text/internal/sentencepiece_proto.h"

#include <cstdint>
#include <optional>

namespace suture {
namespace {

/// Walks the fields of one serialised protocol buffer message.
class Fields {
public:
    explicit Fields(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t number = 0, value = 0;  ///< of the present field; `value` for integers
    std::string_view content;             ///< for strings and messages

    /// False at the end, and where the bytes make no sense.
    bool next() {
        if (bytes_.empty()) return false;
        const auto tag = integer();
        number = tag >> 3;
        switch (tag & 7) {
            case 0:
                value = integer();
                return true;
            case 1:
                return take(8);
            case 2:
                return take(integer());
            case 5:
                return take(4);
            default:
                return false;
        }
    }

private:
    std::uint64_t integer() {
        std::uint64_t result = 0;
        for (int shift = 0; !bytes_.empty() && shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_.front());
            bytes_.remove_prefix(1);
            result |= std::uint64_t(byte & 0x7F) << shift;
            if (byte < 0x80) break;
        }
        return result;
    }
    bool take(std::uint64_t size) {
        if (size > bytes_.size()) return false;
        content = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return true;
    }
    std::string_view bytes_;
};

}  // namespace

std::string without_dummy_prefix(const std::string& model) {
    // A message that comes twice is merged, later values win: normalizer_spec { add_dummy_prefix: false }.
    return model + std::string("\x1A\x02\x18\x00", 4);
}

bool normalises_nothing(std::string_view model) {
    bool identity = true, removes_spaces = true;
    for (Fields fields(model); fields.next();) {
        if (fields.number != 3) continue;
        for (Fields spec(fields.content); spec.next();) {
            if (spec.number == 2) identity = identity && spec.content.empty();
            if (spec.number == 4) removes_spaces = spec.value != 0;
        }
    }
    return identity && !removes_spaces;
}

}  // namespace suture
