// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tasks/internal/task_files.h"

namespace suture {

/// A Winograd schema, white space collapsed.
struct Schema {
    std::string before, pronoun, behind;
    std::vector<std::string> options;  ///< two
    int gold = 0;
};

/// wsc273/WSCollection.xml, else the same as WSCollection.csv.
std::vector<Schema> read_wsc_collection(TaskFiles& files);

}  // namespace suture
