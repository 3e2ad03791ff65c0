// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/screenshots.h"

#include <QPixmap>
#include <iostream>

#include "app/window/headless_job.h"
#include "core/base/error.h"

namespace suture {
namespace {

void take(MainWindow& window, const std::filesystem::path& file) {
    const QString name = QString::fromStdString(file.string());
    if (!window.grab().save(name)) throw Error(file.string() + ": the picture can't be written; is there space and permission?");
    std::cout << file.string() << "\n";
}

}  // namespace

void take_screenshots(const Options& options, const std::filesystem::path& sample) {
    std::filesystem::create_directories(options.screenshots);
    const auto file = [&](const std::string& name) { return options.screenshots / (name + ".png"); };
    MainWindow window(std::make_shared<Store>(std::filesystem::path()), sample);  // an empty store: the first pictures are of a first run
    window.resize(1500, 950);
    window.show();
    HeadlessJob job(window, options);
    job.settle();
    take(window, file("first-run"));
    job.open(options.model.empty() ? sample : options.model);
    take(window, file("no-calibration"));
    job.calibrate();
    job.evaluate();
    for (std::size_t i = 0; i < window.pages().size(); ++i) {
        window.show_page(int(i));
        job.settle();
        take(window, file(window.pages()[i]->id().toStdString()));
    }
}

}  // namespace suture
