// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/patch_pictures.h"

#include "core/figures/patch.h"

namespace suture {

PatchPictures make_patch_pictures(const Patch& patch, std::int64_t hidden) {
    if (!patch.map) return {patch_matrix(&patch, nullptr, false), patch_matrix(&patch, nullptr, true)};
    const Array<float> matrix = dense_matrix(*patch.map, hidden);  // [C, C]
    return {patch_matrix(&patch, &matrix, false), patch_matrix(&patch, &matrix, true)};
}

}  // namespace suture
