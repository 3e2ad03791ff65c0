// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of tokens that were written down, every token counted.
#pragma once

#include "core/text/windows.h"

namespace suture::test {

inline Windows windows_of(std::vector<std::vector<std::int64_t>> ids) {
    Windows windows;
    windows.ids = std::move(ids);
    windows.source = "hand-made";
    for (const auto& window : windows.ids) windows.counted.emplace_back(window.size(), true);
    return windows;
}

/// Windows of a walk through the vocabulary that visits much of it; no two begin alike.
inline Windows walking_windows(std::int64_t vocabulary, int count, int tokens) {
    std::vector<std::vector<std::int64_t>> ids(static_cast<std::size_t>(count));
    std::int64_t id = 1;
    for (std::size_t w = 0; w < ids.size(); ++w)
        for (int t = 0; t < tokens; ++t) ids[w].push_back(id = (id * 7 + 3 + std::int64_t(w)) % vocabulary);
    return windows_of(std::move(ids));
}

}  // namespace suture::test
