// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/internal/zip_directory.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/base/error.h"

namespace suture {
namespace {

using Bytes = std::span<const std::byte>;

// Signatures and lengths of the fixed parts of the records, as in the ZIP format's specification.
constexpr std::uint64_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50, end64_mark = 0x06064b50,
                        locator_mark = 0x07064b50;
constexpr std::size_t local_length = 30, central_length = 46, end_length = 22, end64_length = 56, locator_length = 20;
constexpr std::uint64_t in_extra = 0xFFFFFFFF;  // the 64-bit value stands in the extra field

class Archive {
public:
    Archive(Bytes file, const std::string& where) : file_(file), where_(where) {}

    Bytes part(std::uint64_t offset, std::uint64_t length) const {
        if (offset > file_.size() || length > file_.size() - offset) damaged();
        return file_.subspan(offset, length);
    }
    std::uint64_t number(std::uint64_t offset, std::size_t width) const {
        std::uint64_t value = 0;
        const auto bytes = part(offset, width);
        for (std::size_t i = width; i-- > 0;) value = value << 8 | std::uint64_t(bytes[i]);
        return value;
    }
    std::string text(std::uint64_t offset, std::uint64_t length) const {
        const auto bytes = part(offset, length);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    void expect(std::uint64_t offset, std::uint64_t mark) const {
        if (number(offset, 4) != mark) damaged();
    }
    [[noreturn]] void damaged() const { throw Error(where_ + " is a damaged zip archive; fetch it again"); }

    /// The last record of the archive; only a comment of at most 65,535 bytes may follow it.
    std::uint64_t end_record() const {
        if (file_.size() >= end_length)
            for (std::size_t back = 0; back <= std::min<std::size_t>(file_.size() - end_length, 65535); ++back)
                if (number(file_.size() - end_length - back, 4) == end_mark) return file_.size() - end_length - back;
        throw Error(where_ + " is not a zip archive as torch.save has written since PyTorch 1.6; load it there and save it again");
    }

private:
    Bytes file_;
    const std::string& where_;
};

struct Directory {
    std::uint64_t offset = 0, entries = 0;
};

Directory find_directory(const Archive& zip) {
    const auto end = zip.end_record();
    if (end >= locator_length && zip.number(end - locator_length, 4) == locator_mark) {
        const auto end64 = zip.number(end - locator_length + 8, 8);
        zip.part(end64, end64_length);
        zip.expect(end64, end64_mark);
        return {zip.number(end64 + 48, 8), zip.number(end64 + 32, 8)};
    }
    return {zip.number(end + 16, 4), zip.number(end + 10, 2)};
}

struct Entry {
    std::uint64_t method, packed, bytes, local;
};

/// Replaces sizes that didn't fit 32 bits by those of the ZIP64 extra field, which holds only these, in this order.
void read_extra(const Archive& zip, std::uint64_t at, std::uint64_t end, Entry& entry) {
    while (at + 4 <= end) {
        const auto id = zip.number(at, 2), length = zip.number(at + 2, 2);
        at += 4;
        if (id == 1) {
            auto value = at;
            for (auto* field : {&entry.bytes, &entry.packed, &entry.local})
                if (*field == in_extra) *field = zip.number(value, 8), value += 8;
            if (value > at + length) zip.damaged();
        }
        at += length;
    }
}

Bytes stored_bytes(const Archive& zip, const Entry& entry) {
    zip.part(entry.local, local_length);
    zip.expect(entry.local, local_mark);
    const auto begin = entry.local + local_length + zip.number(entry.local + 26, 2) + zip.number(entry.local + 28, 2);
    return zip.part(begin, entry.bytes);
}

}  // namespace

std::map<std::string, Bytes> read_zip_directory(Bytes file, const std::string& where) {
    const Archive zip(file, where);
    const auto directory = find_directory(zip);
    std::map<std::string, Bytes> entries;
    auto at = directory.offset;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        zip.part(at, central_length);
        zip.expect(at, central_mark);
        Entry entry{zip.number(at + 10, 2), zip.number(at + 20, 4), zip.number(at + 24, 4), zip.number(at + 42, 4)};
        const auto name_length = zip.number(at + 28, 2), extra_length = zip.number(at + 30, 2), comment_length = zip.number(at + 32, 2);
        const auto name = zip.text(at + central_length, name_length);
        const auto extra = at + central_length + name_length;
        read_extra(zip, extra, extra + extra_length, entry);
        at = extra + extra_length + comment_length;
        if (entry.method != 0 || entry.packed != entry.bytes)
            throw Error(where + " holds the compressed entry \"" + name +
                        "\"; expected a file as torch.save writes it, load and save it there again");
        if (!entries.emplace(name, stored_bytes(zip, entry)).second)
            throw Error(where + " holds the entry \"" + name + "\" twice; only one of them can be meant, save the file again");
    }
    return entries;
}

}  // namespace suture
