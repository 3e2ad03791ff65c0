// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include "core/base/error.h"
#include "core/checkpoint/internal/torch_archive.h"
#include "core/repair/internal/patch_error.h"
#include "core/repair/repair.h"

namespace suture {
namespace {

template <class T>
T scalar(const TorchArchive& archive, const std::string& name, const std::filesystem::path& file) {
    const auto it = archive.scalars.find(name);
    if (it == archive.scalars.end()) throw Error(file.string() + ": the entry \"" + name + "\" of a LinearPatch scales file is missing");
    return it->second.get<T>();
}

std::vector<float> tensor(const TorchArchive& archive, const std::string& name, std::int64_t elements, const std::filesystem::path& file) {
    const auto it = archive.tensors.find(name);
    if (it == archive.tensors.end()) throw Error(file.string() + ": the entry \"" + name + "\" of a LinearPatch scales file is missing");
    const auto flat = it->second.to(at::kFloat).flatten().contiguous();
    if (flat.numel() != elements)
        throw Error(file.string() + ": \"" + name + "\" has " + std::to_string(flat.numel()) + " values, the model needs " +
                    std::to_string(elements));
    return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + elements};
}

}  // namespace

Repaired import_scales(const std::filesystem::path& file, const Model& model) {
    const std::int64_t c = model.architecture().hidden;
    const TorchArchive archive = read_torch_archive(file);
    const int start = scalar<int>(archive, "start_l", file), end = scalar<int>(archive, "end_l", file);
    if (start < 0 || start >= end || end > model.architecture().layers || end - start >= model.architecture().layers)
        throw Error(file.string() + ": it removes layers " + std::to_string(start) + " to " + std::to_string(end - 1) +
                    ", the model has layers 0 to " + std::to_string(model.architecture().layers - 1));
    StreamMap map;
    if (scalar<bool>(archive, "rotate", file)) {
        // The scripts' H differs from ours where the size is no power of two, so their matrix counts, not their d.
        map.kind = "linearpatch";
        map.matrix = Array<float>({c, c}, tensor(archive, "symmetric_weight", c * c, file));
    } else {
        map.kind = "channel";
        const auto d = tensor(archive, "scale_params", c, file);
        map.scale = Array<double>({c}, std::vector<double>(d.begin(), d.end()));
    }
    Patch patch{.seam = {start, end}, .kind = map.kind, .map = std::make_shared<const StreamMap>(std::move(map))};
    patch.error_median = patch.error_frobenius = std::numeric_limits<double>::quiet_NaN();  // their calibration text is not known here
    describe_matrix(patch, c);
    Repaired repaired = no_repair(LayerSet::range(start, end - start));
    repaired.kind = patch.kind;
    repaired.settings["imported"] = file.filename().string();
    repaired.variant = repaired.variant.with_map(end, patch.map);
    repaired.patches.push_back(std::move(patch));
    return repaired;
}

}  // namespace suture
