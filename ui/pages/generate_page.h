// SPDX-License-Identifier: GPL-3.0-or-later
// Does it still talk?
#pragma once

#include "ui/pages/page_of_views.h"

namespace suture {

/// Views: Prompt (texts side by side), Check answers (problems with known answers).
class GeneratePage : public PageOfViews {
    Q_OBJECT
public:
    GeneratePage(Session& session, Results& results);
};

}  // namespace suture
