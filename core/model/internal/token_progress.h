// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"

namespace suture {

/// Reports a pass in tokens although the work is done layer by layer: a token counts once all its `passes` layer passes are done.
class TokenProgress {
public:
    TokenProgress(Progress& progress, std::string stage, std::int64_t tokens, std::int64_t passes)
        : progress_(progress), passes_(passes > 0 ? passes : 1) {
        progress_.begin(std::move(stage), tokens, "tokens");
    }
    /// One layer pass over `tokens` tokens is done. Throws Cancelled.
    void layer_done(std::int64_t tokens) {
        owed_ += tokens;
        progress_.step(owed_ / passes_);
        owed_ %= passes_;
    }

private:
    Progress& progress_;
    std::int64_t passes_, owed_ = 0;
};

}  // namespace suture
