// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/rope_config.h"

#include <algorithm>
#include <array>

namespace suture {
namespace {

constexpr std::array known_types{"default", "linear", "dynamic", "llama3", "yarn"};

std::string rope_type(const ConfigReader& config, const std::optional<ConfigReader>& scaling) {
    if (!scaling) return "default";
    const std::string newer = scaling->text("rope_type", ""), older = scaling->text("type", "");
    if (!newer.empty() && !older.empty() && newer != older)
        config.refuse("the rotary scaling names two types, rope_type \"" + newer + "\" and type \"" + older + "\"");
    const std::string type = !newer.empty() ? newer : !older.empty() ? older : "default";
    if (std::find(known_types.begin(), known_types.end(), type) == known_types.end())
        config.refuse("rotary type \"" + type + "\" is not supported; supported are default, linear, dynamic, llama3 and yarn");
    return type;
}

}  // namespace

Rope read_rope(const ConfigReader& config, std::int64_t head_dim, double default_theta) {
    const auto parameters = config.object("rope_parameters");
    const auto scaling = parameters ? parameters : config.object("rope_scaling");
    const ConfigReader& own = scaling ? *scaling : config;
    Rope rope;
    rope.type = rope_type(config, scaling);
    rope.theta =
        parameters && parameters->has("rope_theta") ? parameters->number("rope_theta") : config.number("rope_theta", default_theta);
    // Odd products truncate: int(16 · 0.4) = 6.
    const double partial = own.number("partial_rotary_factor", config.number("partial_rotary_factor", 1.0));
    rope.dim = std::int64_t(double(head_dim) * partial);
    if (rope.dim < 2 || rope.dim > head_dim || rope.dim % 2 != 0)
        config.refuse("partial_rotary_factor " + std::to_string(partial) + " gives " + std::to_string(rope.dim) +
                      " rotated components of " + std::to_string(head_dim) + "; an even number of at least 2 was expected");
    rope.max_positions = config.integer("max_position_embeddings", 2048);
    rope.original_max_positions =
        own.integer("original_max_position_embeddings", config.integer("original_max_position_embeddings", rope.max_positions));
    if (rope.type == "default") return rope;
    rope.factor = own.number("factor");
    if (rope.factor <= 0) config.refuse("the rotary factor must be above 0, not " + std::to_string(rope.factor));
    if (rope.type == "llama3") {
        rope.low_freq_factor = own.number("low_freq_factor");
        rope.high_freq_factor = own.number("high_freq_factor");
    }
    if (rope.type == "yarn") {
        if (own.has("mscale") || own.has("mscale_all_dim")) config.refuse("yarn with mscale is not supported");
        rope.beta_fast = own.number("beta_fast", 32);
        rope.beta_slow = own.number("beta_slow", 1);
        if (own.has("attention_factor")) rope.attention_factor = own.number("attention_factor");
    }
    return rope;
}

}  // namespace suture
