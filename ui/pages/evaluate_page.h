// SPDX-License-Identifier: GPL-3.0-or-later
// What did it cost, what did it bring back?
#pragma once

#include "ui/pages/page_of_views.h"

namespace suture {

/// Views: Text (perplexity), Tasks, Speed and size, Domains.
class EvaluatePage : public PageOfViews {
    Q_OBJECT
public:
    EvaluatePage(Session& session, Results& results);
};

}  // namespace suture
