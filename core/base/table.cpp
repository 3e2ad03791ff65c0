// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/table.h"

#include <algorithm>
#include <cstdio>

namespace suture {
namespace {

std::string number(double value, const char* format, int precision) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, precision, value);
    return buffer;
}

std::string csv_quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csv_cell(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return csv_quoted(*text);
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
    if (const auto* value = std::get_if<double>(&cell)) return number(*value, "%.*g", 9);
    return {};
}

/// Columns on the screen: continuation bytes of UTF-8 take none.
std::size_t width(const std::string& text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t to, bool right) {
    const std::string space(to > width(text) ? to - width(text) : 0, ' ');
    return right ? space + text : text + space;
}

std::string latex_escaped(const std::string& text) {
    std::string result;
    for (const char c : text) switch (c) {
            case '\\':
                result += "\\textbackslash{}";
                break;
            case '~':
                result += "\\textasciitilde{}";
                break;
            case '^':
                result += "\\textasciicircum{}";
                break;
            case '&':
            case '%':
            case '_':
            case '#':
            case '$':
            case '{':
            case '}':
                result += '\\';
                [[fallthrough]];
            default:
                result += c;
        }
    return result;
}

std::string without_trailing_space(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

}  // namespace

std::string Table::text(std::size_t row, std::size_t column) const {
    const Cell& cell = rows[row][column];
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
    if (const auto* value = std::get_if<double>(&cell)) return number(*value, "%.*f", columns[column].decimals);
    return "–";
}

bool Table::numeric(std::size_t column) const {
    const auto is_text = [&](const auto& row) { return std::holds_alternative<std::string>(row[column]); };
    return !rows.empty() && std::none_of(rows.begin(), rows.end(), is_text);
}

std::string Table::to_text() const {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        widths.push_back(width(columns[c].title));
        for (std::size_t r = 0; r < rows.size(); ++r) widths[c] = std::max(widths[c], width(text(r, c)));
    }
    std::string result = title.empty() ? "" : title + "\n";
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) line += padded(columns[c].title, widths[c], numeric(c)) + "  ";
    result += without_trailing_space(line);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        line.clear();
        for (std::size_t c = 0; c < columns.size(); ++c) line += padded(text(r, c), widths[c], numeric(c)) + "  ";
        result += without_trailing_space(line);
    }
    return result;
}

std::string Table::to_csv() const {
    std::string result;
    for (std::size_t c = 0; c < columns.size(); ++c) result += (c ? "," : "") + csv_quoted(columns[c].title);
    result += "\r\n";
    for (const auto& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c) result += (c ? "," : "") + csv_cell(row[c]);
        result += "\r\n";
    }
    return result;
}

std::string Table::to_markdown() const {
    std::string head = "|", rule = "|";
    for (std::size_t c = 0; c < columns.size(); ++c) {
        head += " " + columns[c].title + " |";
        rule += numeric(c) ? " ---: |" : " --- |";
    }
    std::string result = head + "\n" + rule + "\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        result += "|";
        for (std::size_t c = 0; c < columns.size(); ++c) result += " " + text(r, c) + " |";
        result += "\n";
    }
    return result;
}

std::string Table::to_latex() const {
    const auto line = [&](const auto& text_of) {
        std::string cells;
        for (std::size_t c = 0; c < columns.size(); ++c) cells += (c ? " & " : "") + latex_escaped(text_of(c));
        return cells + " \\\\\n";
    };
    std::string alignment;
    for (std::size_t c = 0; c < columns.size(); ++c) alignment += numeric(c) ? 'r' : 'l';
    std::string result = "% needs \\usepackage{booktabs}\n\\begin{tabular}{" + alignment + "}\n\\toprule\n";
    result += line([&](std::size_t c) { return columns[c].title; }) + "\\midrule\n";
    for (std::size_t r = 0; r < rows.size(); ++r) result += line([&](std::size_t c) { return text(r, c); });
    return result + "\\bottomrule\n\\end{tabular}\n";
}

std::string Table::note(std::size_t row, std::size_t column) const {
    return row < notes.size() && column < notes[row].size() ? notes[row][column] : std::string();
}

}  // namespace suture
