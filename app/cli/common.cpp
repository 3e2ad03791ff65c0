// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/common.h"

#include <unistd.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "core/base/error.h"

namespace suture::cli {
namespace {

std::stop_source& interrupt() {
    static std::stop_source source;
    return source;
}

volatile std::sig_atomic_t interrupted = 0;
bool went_on = false;
void on_interrupt(int) { interrupted = 1; }

std::string time_left(double seconds) { return seconds < 0 ? "" : " · " + duration_words(seconds) + " left"; }

void show(const ProgressReport& report) {
    char line[256];
    std::snprintf(line, sizeof line, "\r\033[K%s · %lld of %lld %s · %.0f %s/s%s", report.stage.c_str(),
                  static_cast<long long>(report.done), static_cast<long long>(report.total), report.unit.c_str(), report.rate(),
                  report.unit.c_str(), time_left(report.seconds_left()).c_str());
    std::cerr << line << (report.done >= report.total ? "\r\033[K" : "") << std::flush;
}

void write_file(const std::filesystem::path& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    file << content;
    if (!file.flush()) throw Error(path.string() + ": can't be written");
}

/// "Best 4 of 16 to remove" → "best-4-of-16-to-remove"
std::string file_name(const std::string& title) {
    std::string name;
    for (const char c : title)
        if (std::isalnum(static_cast<unsigned char>(c))) name += char(std::tolower(static_cast<unsigned char>(c)));
        else if (!name.empty() && name.back() != '-') name += '-';
    return name.empty() ? "table" : name.substr(0, name.find_last_not_of('-') + 1);
}

}  // namespace

void Common::add_to(CLI::App& app, bool with_text) {
    app.add_option("model", model, "folder with config.json and safetensors files")->required();
    app.add_option("--json", json, "write the result as JSON to this file; - for standard output")->type_name("FILE");
    app.add_option("--csv", csv, "also write every table as a CSV file into this folder")->type_name("DIR");
    app.add_flag("--quiet", quiet, "no progress and no remarks on standard error");
    if (!with_text) return;
    app.add_option("--text", text.text, "text file to read windows of tokens from")->type_name("FILE");
    app.add_option("--ids", text.ids, "in place of a text: JSON array of arrays of token ids, one window each")->type_name("FILE");
    add_settings(app, job.windows);
    add_settings(app, job.compute);
    add_settings(app, job.calibration);
    app.add_option("--seed", seed, "seed of everything random")->capture_default_str();
    app.add_option("--cache", cache, "folder for results that are kept, or none")->type_name("DIR");
}

std::shared_ptr<Store> Common::store() const {
    if (cache == "none") return std::make_shared<Store>(std::filesystem::path());
    return std::make_shared<Store>(cache.empty() ? default_cache_folder() : std::filesystem::path(cache));
}

Study Common::open() const {
    if (!text.text.empty() && !text.ids.empty()) throw usage_error("give either --text or --ids, not both");
    check_can_be_written(json);
    check_can_hold(csv);
    return Study(model, store());
}

void Common::say(const std::string& line) const {
    if (!quiet) std::cerr << line << "\n";
}

void Common::write(const nlohmann::json& result, const std::vector<Table>& tables) const {
    if (!csv.empty()) std::filesystem::create_directories(csv);
    for (const Table& table : tables)
        if (!csv.empty()) write_file(csv / (file_name(table.title) + ".csv"), table.to_csv());
    if (json == "-") {
        std::cout << result.dump(1) << "\n";
        if (!std::cout.flush()) throw Error("standard output can't be written");
        return;
    }
    if (!json.empty()) {
        write_file(json, result.dump(1) + "\n");
    }
    for (const Table& table : tables) std::cout << table.to_text() << "\n";
    if (!std::cout.flush()) throw Error("standard output can't be written");
}

void catch_interrupts() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
}

Progress make_progress(const Common& common) {
    const bool visible = !common.quiet && isatty(STDERR_FILENO) != 0;
    auto last = std::make_shared<double>(-1);
    // The listener runs at every step, so it is also where a signal becomes a cancellation: a handler may do no more than set a flag.
    return Progress(interrupt().get_token(), [visible, last](const ProgressReport& report) {
        if (interrupted) interrupt().request_stop();
        if (!visible || (report.done > 0 && report.done < report.total && report.seconds - *last < 0.1)) return;
        *last = report.seconds;
        show(report);
    });
}

Progress go_on_after_interrupt(const Common& common) {
    interrupted = 0;
    interrupt() = std::stop_source();
    went_on = true;
    return make_progress(common);
}

bool went_on_after_interrupt() { return went_on; }

void warn_of_same_text(const Common& common, const TextSource& calibration, const TextSource& evaluation) {
    const auto file = [](const TextSource& source) { return source.ids.empty() ? source.text : source.ids; };
    std::error_code unknown;
    if (calibration.empty() || evaluation.empty() || !std::filesystem::equivalent(file(calibration), file(evaluation), unknown)) return;
    common.say("note: " + file(evaluation).string() +
               " is calibrated on and evaluated on; a fit looks better on its own text than on others");
}

void warn_of_length(const Common& common, const Study& study, const std::string& what, std::int64_t tokens) {
    const std::int64_t limit = study.model()->architecture().rope.max_positions;
    if (limit <= 0 || tokens <= limit) return;
    common.say("note: " + what + " " + std::to_string(tokens) + " tokens, and config.json's max_position_embeddings is " +
               std::to_string(limit) + "; what a model gives beyond it means little");
}

void refuse_without(const CLI::App& command, const std::vector<std::string>& options, const std::string& needed) {
    for (const std::string& option : options)
        if (command.count(option) > 0)
            throw usage_error(command.get_name() + ": " + option + " has no effect without " + needed + "; give it too, or leave " +
                              option + " out");
}

void check_can_be_written(const std::filesystem::path& file) {
    if (const auto folder = file.parent_path(); !folder.empty() && !std::filesystem::is_directory(folder))
        throw Error(file.string() + ": the folder does not exist, so the result could not be written there");
    if (std::filesystem::is_directory(file)) throw Error(file.string() + ": is a folder; name a file to write the result to");
}

void check_can_hold(const std::filesystem::path& folder) {
    if (!folder.empty() && std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
        throw Error(folder.string() + ": is no folder; --csv names a folder to write the tables into");
}

const CLI::Validator finite_number(
    [](std::string& text) -> std::string {
        double value = 0;
        if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value) || value < 0)
            return "\"" + text + "\" is no number of 0 or more";
        return {};
    },
    "", "");

std::int64_t longest_window(const Windows& windows) {
    std::size_t longest = 0;
    for (const auto& ids : windows.ids) longest = std::max(longest, ids.size());
    return std::int64_t(longest);
}

void say_before_run(const Common& common, const Study& study, const Windows& windows, const MemoryEstimate& estimate) {
    for (const auto& warning : study.model()->warnings()) common.say("note: " + warning);
    for (const auto& warning : windows.warnings) common.say("note: " + warning);
    warn_of_length(common, study, "a window has", longest_window(windows));
    if (windows.bos && common.job.windows.bos == "auto")
        common.say("note: one BOS stands in front of every window, as this family needs; --bos never leaves it out");
    char line[240];
    if (double(estimate.resident) > common.job.compute.memory * 1e9) {
        std::snprintf(
            line, sizeof line,
            "about %.2f GB of memory are needed even for one window at a time, and --memory allows %g; allow more or take shorter windows",
            double(estimate.resident) / 1e9, common.job.compute.memory);
        throw Error(line);
    }
    std::snprintf(line, sizeof line, "%zu windows, %lld tokens; about %.1f GB of memory and %.1f GB of mapped weights", windows.ids.size(),
                  static_cast<long long>(windows.tokens()), double(estimate.resident) / 1e9, double(estimate.mapped) / 1e9);
    common.say(line);
}

std::string duration_words(double seconds) {
    char text[64];
    if (seconds < 90) std::snprintf(text, sizeof text, "%.0f s", seconds);
    else std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
    return text;
}

std::vector<std::string> split_names(const std::string& text) {
    std::vector<std::string> names;
    std::stringstream entries(text);
    for (std::string entry; std::getline(entries, entry, ',');)
        if (const auto begin = entry.find_first_not_of(" \t\n"); begin != std::string::npos)
            names.push_back(entry.substr(begin, entry.find_last_not_of(" \t\n") + 1 - begin));
    return names;
}

std::vector<int> parse_counts(const std::string& text) {
    std::vector<int> counts;
    for (const std::string& entry : split_names(text)) {
        int value = 0;
        const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), value);
        if (error != std::errc() || end != entry.data() + entry.size())
            throw usage_error("--remove: \"" + entry + "\" is no number of layers; write numbers like 4 or 3,6,9");
        counts.push_back(value);
    }
    return counts;
}

}  // namespace suture::cli
