// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/internal/decoder.h"
#include "core/store/store.h"
#include "core/text/windows.h"

namespace suture {

/// The dense model's K most probable next tokens at every position of every window.
struct Teacher {
    std::vector<at::Tensor> log_p;  // [T, K] float32 per window, falling
    std::vector<at::Tensor> index;  // [T, K] int64
};

/// From the store, or by one pass of the dense model over the windows. Throws Cancelled.
Teacher teach(const Decoder& decoder, const Windows& windows, std::int64_t top_k, const ComputeSettings& compute, Store& store,
              Progress& progress);

}  // namespace suture
