// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/seam_view.h"

namespace suture {

Array<float> patched_sample(const Statistics& statistics, const Patch& patch) {
    if (statistics.sample.empty()) return {};
    const auto given = statistics.sample.row(patch.seam.start);  // [S·C]
    return apply_to_rows(*patch.map, Array<float>({statistics.sample.size(1), statistics.sample.size(2)}, {given.begin(), given.end()}));
}

bool scales_channels(const StreamMap& map, Basis basis) {
    if (!map.matrix.empty() || !map.bias.empty()) return false;
    return map.scale.data.size() == 1 || map.hadamard == (basis == Basis::Hadamard);  // c·I is the same in both
}

}  // namespace suture
