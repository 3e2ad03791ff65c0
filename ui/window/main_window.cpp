// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QCloseEvent>
#include <QMimeData>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/window/actions.h"
#include "ui/window/banner.h"
#include "ui/window/calibrate_bar.h"
#include "ui/window/context_line.h"
#include "ui/window/first_run.h"
#include "ui/window/jobs_panel.h"
#include "ui/window/page_area.h"
#include "ui/window/recent_models.h"
#include "ui/window/status_line.h"
#include "ui/window/strip_panel.h"

namespace suture {

MainWindow::MainWindow(std::shared_ptr<Store> store, std::filesystem::path sample, QWidget* parent)
    : QMainWindow(parent),
      sample_(std::move(sample)),
      session_(std::move(store), sample_),
      results_(session_),
      preview_(session_, results_) {
    setObjectName(QStringLiteral("window"));
    setAcceptDrops(true);
    auto* central = new QWidget(this);
    context_ = new ContextLine(session_, results_, central);
    banner_ = new Banner(central);
    body_ = new QStackedWidget(central);
    first_run_ = new FirstRun(body_);
    body_->addWidget(first_run_);
    body_->addWidget(make_work());
    jobs_ = new JobsPanel(session_.lanes(), central);
    jobs_->hide();
    status_ = new StatusLine(session_.lanes(), central);
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{context_, banner_}) column->addWidget(part);
    column->addWidget(body_, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{jobs_, status_}) column->addWidget(part);
    setCentralWidget(central);
    fill_menus(*this, *menuBar());
    connect_all();
    restore();
    refresh();
}

MainWindow::~MainWindow() {
    session_.lanes().shut_down();
    delete takeCentralWidget();  // the pages use session and results to the end
}

QWidget* MainWindow::make_work() {
    work_ = new QSplitter(Qt::Horizontal, body_);
    work_->setObjectName(QStringLiteral("work"));
    work_->setChildrenCollapsible(false);
    strip_ = new StripPanel(session_, results_, preview_, work_);
    auto* right = new QWidget(work_);
    calibrate_ = new CalibrateBar(session_, results_, right);
    pages_ = new PageArea(session_, results_, right);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(calibrate_);
    column->addWidget(pages_, 1);
    work_->addWidget(strip_);
    work_->addWidget(right);
    work_->setStretchFactor(0, 0);
    work_->setStretchFactor(1, 1);
    work_->setSizes({250, 1250});
    return work_;
}

void MainWindow::connect_all() {
    connect(&results_, &Results::changed, this, &MainWindow::refresh);
    connect(&results_, &Results::failed, banner_, &Banner::show_error);
    for (LiveBase* live :
         std::initializer_list<LiveBase*>{&session_.opening(), &results_.forecast, &results_.statistics, &results_.repaired,
                                          &results_.evaluation, &results_.exported, &results_.scales, &results_.finetuning.live})
        connect(live, &LiveBase::changed, this, [this, live] { follow_failure(*live); });
    connect(&session_, &Session::study_changed, this, &MainWindow::show_study);
    connect(strip_, &StripPanel::hovered, pages_, &PageArea::show_hovered);
    connect(status_, &StatusLine::clicked, this, &MainWindow::toggle_jobs);
    connect(first_run_, &FirstRun::open_requested, this, &MainWindow::ask_for_model);
    connect(first_run_, &FirstRun::sample_requested, this, &MainWindow::open_sample);
    connect(first_run_, &FirstRun::recent_requested, this, [this](const QString& folder) { open_model(folder.toStdString()); });
}

void MainWindow::restore() {
    resize(1500, 950);
    restoreGeometry(QSettings().value(QStringLiteral("window/geometry")).toByteArray());
    work_->restoreState(QSettings().value(QStringLiteral("window/splitter")).toByteArray());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/splitter"), work_->saveState());
    session_.lanes().cancel_all();
    event->accept();
}

void MainWindow::follow_failure(const LiveBase& live) {
    if (live.state() == LiveBase::State::Failed) {
        failed_ = &live;
    } else if (failed_ == &live) {
        failed_ = nullptr;
        banner_->dismiss();
    }
}

void MainWindow::show_study() {
    remember_model(session_.document().model);
    failed_ = nullptr;
    banner_->dismiss();
    for (const auto& warning : session_.study()->model()->warnings()) banner_->show_error(QString::fromStdString(warning), {});
    if (!session_.study()->tokenizer_problem().empty())
        banner_->show_error(QString::fromStdString(session_.study()->tokenizer_problem()), {});
}

void MainWindow::refresh() {
    const auto& study = session_.study();
    setWindowTitle(study ? QString::fromStdString(study->model()->name()) + tr(" – Suture") : tr("Suture"));
    context_->refresh();
    body_->setCurrentWidget(study ? static_cast<QWidget*>(work_) : first_run_);
    if (!study) {
        first_run_->refresh();
        return;
    }
    strip_->refresh();
    calibrate_->refresh();
    pages_->refresh();
}

const std::vector<Page*>& MainWindow::pages() const { return pages_->pages(); }

void MainWindow::show_page(int index) { pages_->show_page(index); }

void MainWindow::show_export() { pages_->show_page(QStringLiteral("export")); }

void MainWindow::evaluate() {
    pages_->show_page(QStringLiteral("evaluate"));
    results_.evaluate();
}

void MainWindow::toggle_jobs() { jobs_->setVisible(!jobs_->isVisible()); }

}  // namespace suture
