// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/own_maps.h"

#include <cstring>

namespace suture {
namespace {

std::vector<float> read_floats(const ConfigReader& config, const TensorSource& tensors, const std::string& name, std::int64_t elements) {
    const TensorInfo& info = tensors.info(name);
    if (info.dtype != "F32" || info.elements() != elements)
        config.refuse("the patch tensor " + name + " should hold " + std::to_string(elements) + " values of type F32, not " +
                      std::to_string(info.elements()) + " of type " + info.dtype);
    std::vector<float> values(std::size_t(elements), 0.0F);
    std::memcpy(values.data(), tensors.bytes(name).data(), info.bytes);
    return values;
}

}  // namespace

std::map<int, std::shared_ptr<const StreamMap>> read_own_maps(const ConfigReader& config, const Architecture& a,
                                                              const TensorSource& tensors) {
    std::map<int, std::shared_ptr<const StreamMap>> maps;
    const auto section = config.object("suture");
    if (!section) return maps;
    if (section->integer("format") != 1) config.refuse("\"suture\" has a format this version does not know; it knows format 1");
    const std::int64_t c = a.hidden;
    int index = 0;
    for (const auto& json : section->json().value("patches", nlohmann::ordered_json::array())) {
        const ConfigReader entry(json, config.file());
        const auto before = int(entry.integer("before_layer"));
        if (before < 0 || before > a.layers)
            config.refuse("\"before_layer\" " + std::to_string(before) + " is no point of " + std::to_string(a.layers) + " layers");
        const std::string prefix = "suture.patches." + std::to_string(index++) + ".";
        StreamMap map{.kind = entry.text("kind", "patch")};
        if (tensors.contains(prefix + "M")) {
            map.matrix = Array<float>({c, c}, read_floats(config, tensors, prefix + "M", c * c));
            map.norm_eps = entry.number("norm_eps");
        } else if (tensors.contains(prefix + "A")) {
            const std::int64_t rank = entry.integer("rank");
            map.left = Array<float>({c, rank}, read_floats(config, tensors, prefix + "A", c * rank));
            map.right = Array<float>({rank, c}, read_floats(config, tensors, prefix + "B", c * rank));
        } else if (tensors.contains(prefix + "P")) {
            map.matrix = Array<float>({c, c}, read_floats(config, tensors, prefix + "P", c * c));
        } else {
            const std::int64_t scales = map.kind == "scalar" ? 1 : c;
            const auto d = read_floats(config, tensors, prefix + "d", scales);
            map.scale = Array<double>({scales}, std::vector<double>(d.begin(), d.end()));
        }
        if (tensors.contains(prefix + "bias")) map.bias = Array<float>({c}, read_floats(config, tensors, prefix + "bias", c));
        maps[before] = std::make_shared<const StreamMap>(std::move(map));
    }
    return maps;
}

}  // namespace suture
