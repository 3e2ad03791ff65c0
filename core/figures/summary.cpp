// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/summary.h"

#include <algorithm>

#include "core/figures/internal/parts.h"

namespace suture {
namespace {

std::string shape_words(const std::vector<std::int64_t>& shape) {
    std::string words;
    for (const auto size : shape) words += (words.empty() ? "" : " × ") + grouped(size);
    return words.empty() ? "scalar" : words;
}

/// "24 of 30 layers", or "30 layers" when all are kept.
std::string part_words(const std::string& kept, const std::string& all, const std::string& what) {
    return (kept == all ? all : kept + " of " + all) + " " + what;
}

}  // namespace

std::string model_line(const Model& model) {
    const Architecture& a = model.architecture();
    return joined({model.name(), a.model_type, std::to_string(a.layers) + " layers", "hidden " + grouped(a.hidden),
                   short_count(double(model.parameters())) + " parameters", model.storage_type()});
}

std::string size_line(const SizeSummary& size) {
    const auto count = [](std::int64_t n) { return short_count(double(n)); };
    const bool pruned = size.kept < size.layers;
    return joined({part_words(std::to_string(size.kept), std::to_string(size.layers), "layers"),
                   part_words(count(size.kept_parameters), count(size.parameters), "parameters"),
                   pruned ? "about " + significant(size.estimated_speedup, 3) + " times as fast" : "",
                   "KV cache " + part_words(size_words(double(size.kept_kv_bytes_per_token)), size_words(double(size.kv_bytes_per_token)),
                                            "per token")});
}

Table model_facts(const Model& model) {
    const Architecture& a = model.architecture();
    Table table{.title = "The model", .columns = {{"fact"}, {"value"}}};
    const auto add = [&](const std::string& fact, const std::string& value) { table.rows.push_back({fact, value}); };
    add("architecture", a.class_name.empty() ? a.model_type : a.class_name);
    add("layers", std::to_string(a.layers));
    add("hidden size", grouped(a.hidden));
    add("MLP size", grouped(a.intermediate));
    add("attention heads",
        std::to_string(a.heads) + " (" + std::to_string(a.kv_heads) + " for keys and values), " + grouped(a.head_dim) + " wide");
    add("vocabulary", grouped(a.vocabulary) + (a.tied ? ", head tied to the embeddings" : ", head of its own"));
    add("parameters", grouped(model.parameters()));
    add("parameters of a layer", grouped(model.layer_parameters(0)));
    add("stored as", model.storage_type() + ", " + size_words(double(model.bytes())));
    add("KV cache", size_words(double(model.kv_cache_bytes_per_token(a.layers))) + " per token");
    return table;
}

Figure layer_sizes(const Model& model, const LayerSet& removed) {
    Figure result =
        figure("layer-sizes", "Parameters of every layer", {.title = "layer", .integers = true}, {.title = "parameters (millions)"}, "");
    Series bars{.name = "parameters", .style = Series::Style::Bars};
    for (int layer = 0; layer < model.architecture().layers; ++layer) {
        bars.x.push_back(layer);
        bars.y.push_back(double(model.layer_parameters(layer)) / 1e6);
    }
    result.series.push_back(std::move(bars));
    result.spans = removed_spans(removed);
    result.caption = joined({model.name(), "from the weights alone", removal_words(removed, model.architecture().layers)});
    return result;
}

Table largest_tensors(const Model& model, std::size_t count) {
    auto tensors = model.tensors().tensors();
    std::stable_sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) { return a.bytes > b.bytes; });
    tensors.resize(std::min(count, tensors.size()));
    Table table{.title = "Largest tensors", .columns = {{"tensor"}, {"shape"}, {"type"}, {"size (MB)"}}};
    for (const TensorInfo& tensor : tensors)
        table.rows.push_back({tensor.name, shape_words(tensor.shape), tensor.dtype, double(tensor.bytes) / 1e6});
    return table;
}

}  // namespace suture
