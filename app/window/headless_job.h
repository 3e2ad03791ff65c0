// SPDX-License-Identifier: GPL-3.0-or-later
// The whole job with its defaults, driven through the real window while nobody watches.
#pragma once

#include "app/window/options.h"
#include "ui/window/main_window.h"

namespace suture {

/// Every step waits for its result while events go on. Throws Error as the step failed, Cancelled after Ctrl-C.
class HeadlessJob : public QObject {
    Q_OBJECT
public:
    HeadlessJob(MainWindow& window, const Options& options);

    void open(const std::filesystem::path& model);
    /// Calibrates and cuts the proposed block.
    void calibrate();
    void evaluate();
    void export_to(const std::filesystem::path& folder);
    /// Waits until nothing runs and everything is drawn.
    void settle();

private:
    void finish(LiveBase& live);
    void report_progress(int id);

    MainWindow& window_;
    const Options& options_;
};

}  // namespace suture
