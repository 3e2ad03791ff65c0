// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/arc.h"

namespace suture {

extern const Task task_arc_easy;
const Task task_arc_easy{
    .order = 0,
    .name = "arc_easy",
    .label = "ARC-Easy",
    .help = "Grade-school science questions that simple methods answer (2,376).",
    .metrics = {"acc", "acc_norm"},
    .read = [](const TaskSource& source) { return read_arc(source, "Easy"); },
};

}  // namespace suture
