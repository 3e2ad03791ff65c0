// SPDX-License-Identifier: GPL-3.0-or-later
// What the job behind the live preview does: a small held-out slice, and what the chosen layers cost on it.
#pragma once

#include "core/selection/preview.h"
#include "ui/session/feed.h"
#include "ui/session/recipe_jobs.h"

namespace suture {

/// Numbers of one selection on one slice; those not yet measured are null.
struct PreviewNumbers {
    LayerSet removed;
    std::string repair;  ///< in words; empty: none
    std::string text;    ///< which text the slice is of, in words
    std::int64_t tokens = 0;
    std::shared_ptr<const Evaluation> patched, unpatched, dense;
};

/// Windows that calibration has not seen: of the evaluation text, else of the calibration text behind those used, else its last ones.
struct HeldOut {
    Windows windows;
    std::string words;  ///< "evaluation.txt", "calibration.txt, behind the calibrated windows" …
};
HeldOut held_out_windows(const JobInputs& inputs, std::int64_t tokens);

/// The slices with their states, kept from one selection to the next. For one job at a time.
class PreviewSlices {
public:
    struct Slice {
        std::int64_t tokens = 0;  ///< asked for
        std::string text;
        std::unique_ptr<Preview> preview;
    };
    /// `key` names model, texts and settings; slices of another key are forgotten.
    const Slice& of(const Key& key, const JobInputs& inputs, std::int64_t tokens);

private:
    Key key_;
    std::vector<Slice> slices_;
};

/// 512 tokens with the repair, then without; then both on 2,048. inputs.repaired: null while there is no fit, so that only the
/// unpatched model is measured.
std::shared_ptr<const PreviewNumbers> make_preview(const JobInputs& inputs, const Key& slices_key, PreviewSlices& slices,
                                                   Feed<PreviewNumbers>& feed, Progress& progress);

}  // namespace suture
