// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tasks/internal/task_files.h"

namespace suture {

/// One of the two ARC sets, `set` is "Easy" or "Challenge": lines {question: {stem, choices: [{text, label}]}, answerKey}.
std::vector<TaskDocuments> read_arc(const TaskSource& source, const std::string& set);

}  // namespace suture
