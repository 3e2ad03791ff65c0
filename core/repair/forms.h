// SPDX-License-Identifier: GPL-3.0-or-later
// In which form a repaired model is written down for others.
#pragma once

#include <string>

#include "core/repair/repair.h"

namespace suture {

/// patched: the map as tensors of its own, run by code that travels along; stock: nothing but the family's own tensors;
/// rotated: the stream turned by the Hadamard matrix, so that LinearPatch is one vector of C factors.
enum class Form { Patched, Stock, Rotated };

/// "patched", "stock", "rotated"; "auto": stock where the kind allows it. Throws a usage Error naming the known ones.
Form form_named(const std::string& name, const Repaired& repaired);
std::string form_name(Form form);

/// Why `repaired` has no such form in this model, in one sentence that names the repair or the family; empty: it has.
std::string form_refusal(const Model& model, const Repaired& repaired, Form form);

/// The same repair as the form will hold it. Stock: a scalar goes into what every layer behind its seam adds to the stream
/// (o and down projection divided by c, cumulatively; the final norm absorbs c, embeddings and head stay), and every value is
/// rounded to the type in which the checkpoint stores it. Others: unchanged. Throws Error with form_refusal()'s sentence.
Repaired in_form(const Model& model, const Repaired& repaired, Form form);

}  // namespace suture
