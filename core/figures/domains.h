// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Evaluate, view Domains: does a patch help on other texts, too?
#pragma once

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/study/domains.h"

namespace suture {

/// Perplexity of every patch on every text, as a multiple of that of the patch fitted on the same text: 1 on the diagonal, rows
/// are what was fitted on. `matrix` null: says what to do.
Figure domain_map(const DomainMatrix* matrix);

/// A row for the dense model, for no repair and for every patch; a column of perplexities per text, the geometric mean, and state.
Table domain_table(const DomainMatrix& matrix, bool stale);

}  // namespace suture
