// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/layers.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/base/error.h"

namespace suture {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) { throw usage_error("layer list \"" + text + "\": " + why); }

std::string trimmed(const std::string& s) {
    const auto first = s.find_first_not_of(" \t");
    if (first == std::string::npos) return {};
    return s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

int parse_layer(const std::string& token, const std::string& text, int layer_count) {
    const std::string digits = trimmed(token);
    long value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) value = layer_count;  // reported below as a layer the model lacks
    else if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
        refuse(text, "\"" + digits + "\" is not a layer number; write numbers and ranges like 3,7-9");
    if (value < 0 || value >= layer_count)
        refuse(text, "the model has no layer " + digits + "; its layers are 0 to " + std::to_string(layer_count - 1));
    return int(value);
}

std::string run_text(int first, int last, const char* dash) {
    return first == last ? std::to_string(first) : std::to_string(first) + dash + std::to_string(last);
}

}  // namespace

LayerSet::LayerSet(std::vector<int> layers) : layers_(std::move(layers)) {
    std::sort(layers_.begin(), layers_.end());
    layers_.erase(std::unique(layers_.begin(), layers_.end()), layers_.end());
}

LayerSet LayerSet::range(int first, int count) {
    LayerSet set;
    for (int i = 0; i < count; ++i) set.layers_.push_back(first + i);
    return set;
}

LayerSet LayerSet::parse(const std::string& text, int layer_count) {
    if (trimmed(text).empty()) refuse(text, "it is empty; write numbers and ranges like 3,7-9");
    std::vector<int> layers;
    std::stringstream entries(text + ",");
    for (std::string entry; std::getline(entries, entry, ',');) {
        entry = trimmed(entry);
        if (entry.empty()) refuse(text, "there is nothing between two commas or at an end");
        const auto dash = entry.find('-', 1);
        const int first = parse_layer(entry.substr(0, dash), text, layer_count);
        const int last = dash == std::string::npos ? first : parse_layer(entry.substr(dash + 1), text, layer_count);
        if (last < first)
            refuse(text, "the range " + entry + " runs backwards; write " + std::to_string(last) + "-" + std::to_string(first));
        for (int layer = first; layer <= last; ++layer) {
            if (std::find(layers.begin(), layers.end(), layer) != layers.end())
                refuse(text, "layer " + std::to_string(layer) + " is named twice");
            layers.push_back(layer);
        }
    }
    if (int(layers.size()) >= layer_count) refuse(text, "that is every layer; at least one must be kept");
    return LayerSet(std::move(layers));
}

bool LayerSet::contains(int layer) const { return std::binary_search(layers_.begin(), layers_.end(), layer); }

LayerSet LayerSet::complement(int layer_count) const {
    LayerSet rest;
    for (int i = 0; i < layer_count; ++i)
        if (!contains(i)) rest.layers_.push_back(i);
    return rest;
}

LayerSet LayerSet::with(int layer) const {
    auto layers = layers_;
    layers.push_back(layer);
    return LayerSet(std::move(layers));
}

LayerSet LayerSet::without(int layer) const {
    auto layers = layers_;
    std::erase(layers, layer);
    return LayerSet(std::move(layers));
}

std::string LayerSet::text() const {
    std::string result;
    for (const Seam& run : seams_of(*this)) result += (result.empty() ? "" : ",") + run_text(run.start, run.end - 1, "-");
    return result;
}

std::string LayerSet::words() const {
    const auto runs = seams_of(*this);
    std::string result;
    for (std::size_t i = 0; i < runs.size(); ++i)
        result += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + run_text(runs[i].start, runs[i].end - 1, "–");
    return result.empty() ? "none" : result;
}

std::string Seam::words() const {
    return (removed() == 1 ? "layer " : "layers ") + run_text(start, end - 1, "–") + " (" + std::to_string(removed()) + ")";
}

std::vector<Seam> seams_of(const LayerSet& removed) {
    std::vector<Seam> seams;
    for (int layer : removed.layers()) {
        if (!seams.empty() && seams.back().end == layer) ++seams.back().end;
        else seams.push_back({layer, layer + 1});
    }
    return seams;
}

}  // namespace suture
