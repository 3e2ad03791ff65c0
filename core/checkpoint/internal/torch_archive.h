// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace suture {

/// What a flat dictionary saved by torch.save holds: tensors (also nn.Parameter), and numbers, truth values, texts and None.
struct TorchArchive {
    std::map<std::string, at::Tensor> tensors;
    std::map<std::string, nlohmann::json> scalars;
};

/// Reads a .pt or .pth file (a zip of data.pkl and storages) WITHOUT executing anything: only the names that tensors need are
/// known, and no Python object is ever built. Throws Error naming the file and what it holds instead: another format, a global
/// such as os.system, a nested value, a damaged entry.
TorchArchive read_torch_archive(const std::filesystem::path& file);

}  // namespace suture
