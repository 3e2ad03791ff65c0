// SPDX-License-Identifier: GPL-3.0-or-later
// P as a picture, made off the window's thread: at 4096 channels it has 16 million entries.
#pragma once

#include "core/base/figure.h"
#include "core/repair/repair.h"

namespace suture {

struct PatchPictures {
    Figure whole, without_diagonal;
};

/// Both heat maps of a patch for a stream of `hidden` channels.
PatchPictures make_patch_pictures(const Patch& patch, std::int64_t hidden);

}  // namespace suture
