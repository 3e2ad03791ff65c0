// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/colour_maps.h"

#include <algorithm>

#include "ui/theme/colours.h"

namespace suture {

const ColourMap& sequential_map() {
    static const ColourMap map{"#440154", "#482878", "#3e4989", "#31688e", "#26828e",
                               "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"};
    return map;
}

const ColourMap& diverging_map(Theme theme) {
    static const ColourMap light{"#08306b", "#1f66ac", "#5aa2cf", "#b5d5e9", "#f8f8f8", "#f8cdb0", "#ea8b52", "#c9500e", "#7f2704"};
    static const ColourMap dark{"#cfe6fb", "#86c1f2", "#3f8fd0", "#2b567c", "#22262b", "#7a4326", "#cc6a2c", "#f3a067", "#ffdcc2"};
    return theme == Theme::Dark ? dark : light;
}

QColor colour_at(const ColourMap& map, double t) {
    const double position = std::clamp(t, 0.0, 1.0) * double(map.size() - 1);
    const auto below = std::min(std::size_t(position), map.size() - 2);
    return blended(map[below], map[below + 1], position - double(below));
}

}  // namespace suture
