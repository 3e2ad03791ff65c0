// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/wsc_collection.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/tasks/internal/strings.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

/// The collection declares ISO-8859-1.
std::string utf8_of_latin1(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) append_code_point(text, static_cast<unsigned char>(c));
    return text;
}

/// What stands inside each <tag>…</tag>, in order. Elements of the collection hold no attributes.
std::vector<std::string> inside(std::string_view xml, const std::string& tag) {
    const std::string open = "<" + tag + ">", close = "</" + tag + ">";
    std::vector<std::string> list;
    for (std::size_t at = xml.find(open); at != xml.npos; at = xml.find(open, at)) {
        at += open.size();
        const std::size_t end = xml.find(close, at);
        if (end == xml.npos) break;
        list.emplace_back(xml.substr(at, end - at));
        at = end;
    }
    return list;
}

std::string plain(std::string_view xml) {
    std::string text = collapse_space(xml);
    const std::array<std::array<const char*, 2>, 5> entities{
        {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}}};
    for (const auto& [name, character] : entities) text = replace_all(text, name, character);
    return text;
}

Schema schema_of_xml(const std::string& xml, const std::string& where) {
    const auto one = [&](const std::string& part, const char* tag) {
        const auto found = inside(part, tag);
        if (found.empty()) throw Error(where + ": <" + tag + "> is missing");
        return found[0];
    };
    const std::string text = one(xml, "text");  // <quote> has a <pron> of its own
    Schema schema{
        .before = plain(one(text, "txt1")), .pronoun = plain(one(text, "pron")), .behind = plain(one(text, "txt2")), .options = {}};
    for (const std::string& answer : inside(one(xml, "answers"), "answer")) schema.options.push_back(plain(answer));
    if (schema.options.size() != 2) throw Error(where + ": two answers were expected, " + std::to_string(schema.options.size()) + " found");
    schema.gold = one(xml, "correctAnswer").find('B') != std::string::npos ? 1 : 0;
    return schema;
}

std::vector<Schema> read_csv(TaskFiles& files, const std::filesystem::path& file) {
    const auto rows = files.csv(file);
    const std::array<const char*, 6> names{"txt1", "pron", "txt2", "answer_0", "answer_1", "label"};
    std::array<std::size_t, 6> columns{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto at = rows.empty() ? 0 : std::size_t(std::find(rows[0].begin(), rows[0].end(), names[i]) - rows[0].begin());
        if (rows.empty() || at == rows[0].size()) throw Error(file.string() + ": the column " + names[i] + " is missing");
        columns[i] = at;
    }
    std::vector<Schema> schemas;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        if (rows[r].size() != rows[0].size()) throw Error(file.string() + ", row " + std::to_string(r) + ": a field is missing");
        const auto field = [&](std::size_t i) { return collapse_space(rows[r][columns[i]]); };
        schemas.push_back({field(0), field(1), field(2), {field(3), field(4)}, field(5) == "1" ? 1 : 0});
    }
    return schemas;
}

}  // namespace

std::vector<Schema> read_wsc_collection(TaskFiles& files) {
    const auto file = files.find({"wsc273/WSCollection.xml", "wsc273/WSCollection.csv"});
    if (file.extension() == ".csv") return read_csv(files, file);
    std::string xml = files.bytes(file);
    if (invalid_utf8(xml) || xml.find("ISO-8859-1") != xml.npos) xml = utf8_of_latin1(xml);
    std::vector<Schema> schemas;
    for (const std::string& schema : inside(xml, "schema"))
        schemas.push_back(schema_of_xml(schema, file.string() + ", schema " + std::to_string(schemas.size() + 1)));
    return schemas;
}

}  // namespace suture
