// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and conditions as people read them, in captions, the context line and labels.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/layers.h"
#include "core/calibration/statistics.h"

namespace suture {

/// 3400 → "3,400".
std::string grouped(std::int64_t number);
/// Three significant digits: 134515008 → "135 M", 1235814400 → "1.24 B", 45200 → "45.2 k", 260 → "260".
std::string short_count(double number);
/// Decimal units: 269060552 → "0.27 GB", 3400000 → "3.4 MB", 18400 → "18.4 kB", 900 → "900 bytes". GB from a tenth of one on.
std::string size_words(double bytes);
/// `digits` significant digits, never an exponent: 0.89754 → "0.8975" with 4, 1234.5 → "1235". "no value" for NaN.
std::string significant(double number, int digits);

/// "removes layers 13–18 (6 of 30)"; "removes nothing".
std::string removal_words(const LayerSet& removed, int layers);
/// "layers 13–18", "layer 3", "no layers".
std::string layer_words(const LayerSet& layers);
/// "layer 13", or "final norm" for the point behind the last layer.
std::string point_words(std::int64_t point, int layers);

/// "wiki.txt, 32 × 512 tokens, no BOS" from the conditions of statistics or of an evaluation; what is unknown is left out.
/// Tokens that were left out of the sums (skip_first, mask) are told.
std::string conditions_words(const nlohmann::json& conditions);
/// "calibrated: wiki.txt, 32 × 512 tokens"; "not calibrated" for null.
std::string calibration_words(const Statistics* statistics);

}  // namespace suture
