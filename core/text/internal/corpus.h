// SPDX-License-Identifier: GPL-3.0-or-later
// The forms in which corpora are handed around, as the texts that people measure on.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/internal/text_file.h"
#include "core/text/windows.h"

namespace suture {

/// A .jsonl file: one JSON object per line.
bool is_json_lines(const std::filesystem::path& file);
/// The texts of `field`, one per line of `text`; empty lines are passed over. Throws Error naming `file` and the line that is no
/// JSON object, lacks the field or holds no text there.
std::vector<std::string> json_lines_field(std::string_view text, const std::string& field, const std::filesystem::path& file);

/// A raw WikiText file as joining the rows of the published data set by "\n\n" gives it: a row is a line with its line feed, a
/// line of white space is an empty row.
std::string joined_wikitext_rows(std::string_view text);
/// A Penn Treebank file the same way: a row is a line without white space at its ends.
std::string joined_ptb_rows(std::string_view text);

/// The text that `settings` make of a file: a .jsonl file's `text_field` joined by "\n\n", else the lines as `text_rows` says, else
/// the bytes as they are. The digest is the file's. `warnings` gets a sentence where a setting has nothing to act on.
TextFile read_corpus(const std::filesystem::path& file, const WindowSettings& settings, std::vector<std::string>& warnings);

}  // namespace suture
