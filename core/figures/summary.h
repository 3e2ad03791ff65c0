// SPDX-License-Identifier: GPL-3.0-or-later
// The context line, and what can be told of a model from its weights alone.
#pragma once

#include <cstddef>
#include <string>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/figures/words.h"
#include "core/model/model.h"
#include "core/study/study.h"

namespace suture {

/// "SmolLM2-135M · llama · 30 layers · hidden 576 · 135 M parameters · bfloat16".
std::string model_line(const Model& model);

/// "24 of 30 layers · 113 M of 135 M parameters · about 1.19 × as fast · KV cache 18.4 of 23 kB per token".
std::string size_line(const SizeSummary& size);

/// Architecture, layers, sizes, heads, vocabulary, parameters, bytes: fact and value.
Table model_facts(const Model& model);

/// Parameters of each decoder layer as bars; `removed` layers are spans. Needs no calibration.
Figure layer_sizes(const Model& model, const LayerSet& removed);

/// The `count` biggest tensors: name, shape, type, size in MB.
Table largest_tensors(const Model& model, std::size_t count);

}  // namespace suture
