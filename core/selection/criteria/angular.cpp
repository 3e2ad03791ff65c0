// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/ranks.h"

namespace suture {

namespace {

Ranking rank_by_angle(const SelectionInput& input, int n) {
    const bool all = input.settings.angular == "all";
    Ranking ranking = best_block("angular", input, all ? input.statistics->angular_all : input.statistics->angular_last, n, false);
    ranking.parameters["tokens"] = input.settings.angular;
    return ranking;
}

}  // namespace

extern const Criterion criterion_angular;
const Criterion criterion_angular{
    .order = 2,
    .name = "angular",
    .label = "Angular distance",
    .help = "The block with the smallest angle between its ends at each window's last token, as a fraction of a half turn.",
    .json_key = "angular_last_token",
    .rank = rank_by_angle,
    .check = check_block,
};

}  // namespace suture
