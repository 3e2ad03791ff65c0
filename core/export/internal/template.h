// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace suture {

/// modeling_suture.py for a family: resources/export/modeling_suture.py.in with its names filled in.
std::string modelling_file(const std::string& model_type, const std::string& class_prefix);

/// The program's version, e.g. "0.1.0".
extern const char* const suture_version;

}  // namespace suture
