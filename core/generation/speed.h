// SPDX-License-Identifier: GPL-3.0-or-later
// How fast and how large variants of one model are.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/base/setting.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/model/variant.h"

namespace suture {

struct SpeedSettings {
    std::int64_t prompt_tokens = 128;  ///< read at once
    std::int64_t decode_tokens = 32;   ///< read one by one behind them
    std::int64_t repeats = 9;          ///< rounds that count; one more warms up

    static const std::vector<Setting<SpeedSettings>>& fields();
};

/// Durations of one thing measured several times, seconds.
struct Timing {
    std::vector<double> samples;
    double quantile(double q) const;  ///< linear between neighbours, 0 … 1
    double median() const { return quantile(0.5); }
};

/// What a variant occupies, as an exported folder has it.
struct VariantSize {
    int layers = 0;
    std::int64_t parameters = 0;          ///< elements of all tensors, repairs included
    std::uint64_t bytes = 0;              ///< of those tensors; repairs are stored as float32
    std::int64_t kv_bytes_per_token = 0;  ///< keys and values of all layers at two bytes a value
    bool operator==(const VariantSize&) const = default;
};
VariantSize variant_size(const Model& model, const Variant& variant);

struct VariantSpeed {
    Timing prefill;  ///< of the whole prompt
    Timing decode;   ///< per token
    VariantSize size;
};

struct SpeedComparison {
    std::vector<VariantSpeed> variants;  ///< in the order given; the first is what the others are compared with
    nlohmann::json conditions;           ///< model, variants, settings, dtype, threads, whether weights stay in memory

    double prefill_speedup(std::size_t variant) const;  ///< ratio of medians, first over this
    double decode_speedup(std::size_t variant) const;
    /// {variants: [{prefill_seconds: {median, low, high, samples}, decode_seconds_per_token: {…}, prefill_speedup, decode_speedup,
    /// layers, parameters, bytes, kv_bytes_per_token}], conditions}; low and high are the quartiles.
    nlohmann::json to_json() const;
};

/// Variants take turns within every round, in one order and then in the other, so that whatever else the machine does meets all of
/// them. The first variant should be the dense model. Never from a store: a duration holds for its moment only. Throws Cancelled.
SpeedComparison measure_speed(std::shared_ptr<const Model> model, std::span<const Variant> variants, const SpeedSettings& settings,
                              const ComputeSettings& compute, Progress& progress);

}  // namespace suture
