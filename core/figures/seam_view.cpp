// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/seam_view.h"

#include "core/figures/words.h"

namespace suture {

Array<float> patched_sample(const Statistics& statistics, const Patch& patch) {
    if (statistics.sample.empty() || !patch.map) return {};
    const auto given = statistics.sample.row(patch.seam.start);  // [S·C]
    return apply_to_rows(*patch.map, Array<float>({statistics.sample.size(1), statistics.sample.size(2)}, {given.begin(), given.end()}));
}

bool scales_channels(const Patch& patch, Basis basis) {
    if (!patch.map || patch.map->scale.empty() || !patch.map->bias.empty()) return false;
    return patch.map->scale.data.size() == 1 || patch.map->hadamard == (basis == Basis::Hadamard);  // c·I is the same in both
}

std::string edit_note(const Patch* patch) {
    if (!patch || patch->map) return {};
    return "no patched curve: " + repair_kind(patch->kind).label + " changes " + layer_words(LayerSet(patch->edited)) +
           ", and what the stream becomes is not in the statistics";
}

}  // namespace suture
