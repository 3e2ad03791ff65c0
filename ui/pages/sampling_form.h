// SPDX-License-Identifier: GPL-3.0-or-later
// The form rows of both views that generate.
#pragma once

#include <memory>

#include "core/generation/sampling.h"
#include "ui/pages/settings_form.h"

namespace suture {

inline std::unique_ptr<SettingsForm<GenerationSettings>> make_sampling_form(ControlPanel& panel,
                                                                            SettingsForm<GenerationSettings>::Changed changed) {
    panel.add_heading(QObject::tr("Sampling"));
    return std::make_unique<SettingsForm<GenerationSettings>>(
        panel,
        std::vector<FormField>{{"max-tokens", QObject::tr("&New tokens"), 1, 100000},
                               {"temperature", QObject::tr("Tem&perature"), 0, 10, QObject::tr("greedy")},
                               {"top-k", QObject::tr("Top &k"), 0, 1000000, QObject::tr("all")},
                               {"top-p", QObject::tr("&Top p"), 0.01, 1},
                               {"seed", QObject::tr("S&eed"), 0, 2000000000}},
        std::move(changed));
}

}  // namespace suture
