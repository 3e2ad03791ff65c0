// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/report.h"

#include <unistd.h>
#include <fstream>
#include <iostream>
#include <set>

#include "app/window/headless_job.h"
#include "core/base/error.h"
#include "core/study/report_json.h"
#include "ui/plots/figure_export.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

/// A folder beside the target that takes its place when all is written, and vanishes otherwise.
class FolderInTheMaking {
public:
    explicit FolderInTheMaking(fs::path target) : target_(std::move(target)), making_(sibling(".partial")) {
        if (fs::exists(target_) && !fs::exists(target_ / "results.json") && !(fs::is_directory(target_) && fs::is_empty(target_)))
            throw usage_error(target_.string() + " is there and is no report of Suture; name another folder with --report.");
        std::error_code failed;
        fs::create_directories(making_, failed);
        if (failed)
            throw Error(making_.string() + ": the folder can't be made (" + failed.message() + "); name another one with --report.");
    }
    ~FolderInTheMaking() {
        std::error_code ignored;
        fs::remove_all(making_, ignored);
    }
    const fs::path& path() const { return making_; }
    void take_place() {
        const fs::path old = sibling(".old");
        if (fs::exists(target_)) fs::rename(target_, old);
        fs::rename(making_, target_);
        fs::remove_all(old);
    }

private:
    fs::path sibling(const std::string& ending) const {
        auto whole = fs::absolute(target_).lexically_normal();
        if (!whole.has_filename()) whole = whole.parent_path();
        return whole.parent_path() / (whole.filename().string() + ending + "-" + std::to_string(getpid()));
    }
    fs::path target_, making_;
};

void write_text(const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (!out.flush()) throw Error(file.string() + ": can't be written; is there space left?");
}

/// "similarity-choices" for the page similarity and the title "Choices".
std::string file_name(const std::string& page, const std::string& title) {
    std::string name = title.starts_with(page) ? std::string() : page + "-";
    for (const char c : title) {
        if (std::isalnum(static_cast<unsigned char>(c))) name += char(std::tolower(static_cast<unsigned char>(c)));
        else if (!name.empty() && name.back() != '-') name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name;
}

void write_page(const Page& page, const fs::path& folder) {
    const std::string id = page.id().toStdString();
    for (const Figure& figure : page.figures()) {
        if (!figure.empty.empty()) continue;
        const auto stem = folder / "figures" / file_name(id, figure.id);
        for (const char* ending : {".png", ".svg", ".csv"}) save_figure(figure, QString::fromStdString(stem.string() + ending));
    }
    for (const Table& table : page.tables())
        if (!table.rows.empty()) write_text(folder / "tables" / (file_name(id, table.title) + ".csv"), table.to_csv());
}

nlohmann::json results_json(const Document& document, int layers, const EvaluationSet& set, const ExportResult& exported) {
    nlohmann::json json = cut_to_json(document.removed, layers);
    json["chosen"] = set.report["chosen"];
    json["settings"] = set.report["settings"];
    json["calibration"] = set.report.value("calibration", nlohmann::json());
    for (std::size_t i = 0; i < set.rows.size(); ++i) {
        nlohmann::json entry = set.repaired[i] ? set.repaired[i]->to_json() : nlohmann::json::object();
        entry.update(set.rows[i].evaluation->to_json());
        if (set.repaired[i]) json["variants"][variant_json_key(set.rows[i].kind, document.settings.repair)] = entry;
        else json["dense"] = entry;
    }
    json["export"] = exported.to_json();
    json["export"]["folder"] = "checkpoint";
    return json;
}

void print_summary(const Results& results, const fs::path& folder, double logit_difference) {
    std::cout << "Removes " << results.words_of_choice() << "\n\n" << evaluation_table(results.evaluation_rows()).to_text() << "\n";
    std::cout
        << "Report: " << folder.string() << "\n  figures/      every plot as PNG, SVG and CSV\n  tables/       every table as CSV\n"
        << "  results.json  all numbers with their conditions\n  checkpoint/   the repaired model; read back, its logits differ by at most "
        << logit_difference << "\n";
}

}  // namespace

void write_report(const Options& options, const fs::path& sample) {
    FolderInTheMaking folder(options.report);
    for (const char* part : {"figures", "tables"}) fs::create_directories(folder.path() / part);
    MainWindow window(std::make_shared<Store>(default_cache_folder()), sample);
    window.resize(1500, 950);
    HeadlessJob job(window, options);
    job.open(options.model.empty() ? sample : options.model);
    job.calibrate();
    job.evaluate();
    for (std::size_t i = 0; i < window.pages().size(); ++i) {
        window.show_page(int(i));
        job.settle();
        write_page(*window.pages()[i], folder.path());
    }
    job.export_to(folder.path() / "checkpoint");
    const auto exported = window.results().exported.value();
    if (!exported->equal())
        throw Error("checkpoint: read back, its logits differ from the model in memory by " +
                        std::to_string(exported->largest_logit_difference) + ".",
                    Error::Kind::Internal);
    const auto set = window.results().evaluation.value();
    write_text(folder.path() / "results.json",
               results_json(window.session().document(), window.session().layers(), *set, *exported).dump(1) + "\n");
    folder.take_place();
    print_summary(window.results(), options.report, exported->largest_logit_difference);
}

}  // namespace suture
