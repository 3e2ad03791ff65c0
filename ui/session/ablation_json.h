// SPDX-License-Identifier: GPL-3.0-or-later
// The specification of an ablation as the window has it: JSON that core reads as it reads a file.
#pragma once

#include "core/study/ablation.h"
#include "ui/session/session.h"

namespace suture {

/// What the document says of an ablation; where it says nothing, the model, texts, layers, criterion and settings chosen in the window.
nlohmann::json ablation_json(const Document& document, int layers);

/// ablation_json() read. Throws Error with a sentence for people.
AblationSpec ablation_spec(const Document& document, int layers);

/// Changes the document's specification as one undo step; `edit` gets it as ablation_json() has it, and what it did not touch still
/// follows the window.
void change_ablation(Session& session, const QString& step, const std::function<void(nlohmann::json&)>& edit);

/// How a text is called in the tables: like its file, or like its folder where that is one corpus in two parts.
std::string text_name(const std::filesystem::path& file);

}  // namespace suture
