// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/arc.h"

namespace suture {

extern const Task task_arc_challenge;
const Task task_arc_challenge{
    .order = 1,
    .name = "arc_challenge",
    .label = "ARC-Challenge",
    .help = "Grade-school science questions that retrieval and word co-occurrence get wrong (1,172).",
    .metrics = {"acc", "acc_norm"},
    .read = [](const TaskSource& source) { return read_arc(source, "Challenge"); },
};

}  // namespace suture
