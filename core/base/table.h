// SPDX-License-Identifier: GPL-3.0-or-later
// A table that prints to the terminal, to CSV, Markdown and LaTeX, and into an item model.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace suture {

/// Empty, a text, a whole number or a measured number.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

struct Table {
    struct Column {
        std::string title;  ///< with its unit, e.g. "perplexity" or "size (GB)"
        int decimals = 3;   ///< for measured numbers
    };
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    /// What each number rests on, [row][column]: the window tells it at the cell. Rows or cells that are missing have nothing to tell.
    std::vector<std::vector<std::string>> notes = {};

    /// The cell as shown: numbers with the column's decimals, "–" for an empty cell.
    std::string text(std::size_t row, std::size_t column) const;
    /// True when the column holds numbers, which align to the right.
    bool numeric(std::size_t column) const;

    std::string to_text() const;      ///< aligned columns for a terminal
    std::string to_csv() const;       ///< RFC 4180, numbers with full precision
    std::string to_markdown() const;  ///< with a header line
    std::string to_latex() const;     ///< a tabular with booktabs' rules; texts are escaped
    /// Empty where there is nothing to tell.
    std::string note(std::size_t row, std::size_t column) const;
};

}  // namespace suture
