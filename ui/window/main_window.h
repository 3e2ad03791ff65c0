// SPDX-License-Identifier: GPL-3.0-or-later
// The window: context line, layer strip, pages, status line, and what connects them.
#pragma once

#include <QMainWindow>
#include <filesystem>
#include <memory>

#include "ui/pages/page.h"
#include "ui/session/live_preview.h"
#include "ui/session/results.h"
#include "ui/session/session.h"

class QSplitter;
class QStackedWidget;

namespace suture {

class Banner;
class CalibrateBar;
class ContextLine;
class FirstRun;
class JobsPanel;
class PageArea;
class StatusLine;
class StripPanel;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `sample`: the folder of the bundled model with its texts.
    MainWindow(std::shared_ptr<Store> store, std::filesystem::path sample, QWidget* parent = nullptr);
    ~MainWindow() override;

    Session& session() { return session_; }
    Results& results() { return results_; }
    LivePreview& preview() { return preview_; }
    const std::vector<Page*>& pages() const;
    void show_page(int index);

    void open_model(const std::filesystem::path& folder, const TextSource& calibration = {}, const TextSource& evaluation = {});
    void open_sample();
    void ask_for_model();
    void ask_for_calibration_text();
    void ask_for_evaluation_text();
    /// A scales.pt of the published LinearPatch scripts.
    void ask_for_scales();
    /// Shows the Export page, where the folder is chosen.
    void show_export();
    /// Shows the Evaluate page and starts the evaluation.
    void evaluate();
    void toggle_jobs();
    /// Draws everything from the document and the results as they are now, without waiting for the event loop.
    void refresh();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* make_work();
    void connect_all();
    void restore();
    void show_study();
    /// Takes the banner away when what failed is tried again, or no longer wanted.
    void follow_failure(const LiveBase& live);
    void ask_for_text(const QString& title, TextSource Document::*which);

    std::filesystem::path sample_;
    Session session_;
    Results results_;
    LivePreview preview_;
    const LiveBase* failed_ = nullptr;  // what the banner tells of
    ContextLine* context_;
    Banner* banner_;
    QStackedWidget* body_;
    FirstRun* first_run_;
    QSplitter* work_;
    StripPanel* strip_;
    CalibrateBar* calibrate_;
    PageArea* pages_;
    JobsPanel* jobs_;
    StatusLine* status_;
};

}  // namespace suture
