// SPDX-License-Identifier: GPL-3.0-or-later
// What many figures share: sentences for missing data, captions, spans.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/figures/seam_view.h"
#include "core/figures/words.h"

namespace suture {

inline std::string missing(const Statistics* statistics) {
    return statistics ? "" : "Calibrate on a text to see this: the model has to run over it once.";
}

inline std::string missing(const SeamView& view) {
    if (const auto sentence = missing(view.statistics); !sentence.empty()) return sentence;
    return view.seam ? "" : "Choose layers to remove in the strip on the left.";
}

/// A figure with its names and, when something is missing, the sentence that says so.
inline Figure figure(const std::string& id, const std::string& title, const Axis& x, const Axis& y, const std::string& empty) {
    Figure result;
    result.id = id;
    result.title = title;
    result.x = x;
    result.y = y;
    result.empty = empty;
    return result;
}

/// Parts of a caption, empty ones left out, separated by dots in the middle.
inline std::string joined(const std::vector<std::string>& parts) {
    std::string result;
    for (const std::string& part : parts)
        if (!part.empty()) result += (result.empty() ? "" : " · ") + part;
    return result;
}

/// A measured number, or an empty cell for NaN.
inline Cell measured(double value) {
    Cell cell;
    if (!std::isnan(value)) cell = value;
    return cell;
}

inline std::vector<Span> removed_spans(const LayerSet& removed) {
    std::vector<Span> spans;
    for (const Seam& seam : seams_of(removed)) spans.push_back({double(seam.start), double(seam.end - 1), Role::Removed, "removed"});
    return spans;
}

/// "at the seam of layers 13–18 (6)"
inline std::string seam_words(const SeamView& view) { return view.seam ? "at the seam of " + view.seam->words() : ""; }

}  // namespace suture
