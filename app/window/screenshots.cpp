// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/screenshots.h"

#include <QPixmap>
#include <QPushButton>
#include <QTemporaryDir>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include "app/window/headless_job.h"
#include "core/base/error.h"
#include "ui/pages/ablation_page.h"
#include "ui/pages/ablation_slices.h"
#include "ui/pages/page_of_views.h"

namespace suture {
namespace {

void take(MainWindow& window, const std::filesystem::path& file) {
    const QString name = QString::fromStdString(file.string());
    if (!window.grab().save(name)) throw Error(file.string() + ": the picture can't be written; is there space and permission?");
    std::cout << file.string() << "\n";
}

/// What the pictures of measurements show: small, so that they take moments.
Measures small_measures(const Document& document, const std::filesystem::path& questions) {
    Measures m;
    m.tasks.names = {"jsonl:" + questions.string()};
    m.speed = {.prompt_tokens = 64, .decode_tokens = 16, .repeats = 5};
    m.rolling.file = document.evaluation.text;
    m.rolling.settings.documents = "file";
    m.rolling.settings.spacing = "as-is";
    for (const auto& text : {document.calibration.text, document.evaluation.text})
        if (!text.empty()) m.domains.texts.push_back(text);
    m.domains.windows = 8;
    m.prompt.prompt = "In the beginning God created the heaven and the earth. And the earth was";
    m.prompt.generation.max_tokens = 48;
    return m;
}

/// Cloze questions about the evaluation text: which of four words goes on after a dozen? The wrong ones stand at the same place of
/// the next paragraphs.
void write_questions(const std::filesystem::path& file, const std::filesystem::path& text) {
    constexpr std::size_t context_words = 12, choices = 4, questions = 60;
    std::ifstream in(text);
    std::vector<std::pair<std::string, std::string>> beginnings;  // a paragraph's first words, and the one behind them
    for (std::string line; std::getline(in, line) && beginnings.size() < questions;) {
        std::istringstream words(line);
        std::string context, word;
        for (std::size_t w = 0; w < context_words && words >> word; ++w) context += (w ? " " : "") + word;
        if (words >> word) beginnings.emplace_back(context, word);
    }
    std::ofstream out(file);
    for (std::size_t q = 0; q < beginnings.size(); ++q) {
        std::vector<std::string> words;
        for (std::size_t c = 0; c < choices; ++c) words.push_back(beginnings[(q + c) % beginnings.size()].second);
        out << nlohmann::json{{"context", beginnings[q].first}, {"choices", words}, {"gold", 0}}.dump() << "\n";
    }
}

/// A small ablation: what calibrates is the first half of each text, what measures the second one.
nlohmann::json small_ablation(const Document& document, const std::filesystem::path& folder) {
    nlohmann::json spec{{"remove", {2, 4, 6}},
                        {"calibration_windows", {2, 8}},
                        {"repairs", {"none", "linearpatch", "ridge", "refit"}}};
    spec["calibration"] = spec["evaluation"] = nlohmann::json::array();
    for (const auto& text : {document.calibration.text, document.evaluation.text}) {
        std::ifstream in(text);
        const std::string whole(std::istreambuf_iterator<char>(in), {}), name = text.stem().string();
        const auto middle = whole.find('\n', whole.size() / 2) + 1;  // no match: 0, so the first half is empty
        const auto first = folder / (name + " 1.txt"), second = folder / (name + " 2.txt");
        std::ofstream(first) << whole.substr(0, middle);
        std::ofstream(second) << whole.substr(middle);
        spec["calibration"].push_back({{"name", name}, {"text", first.string()}});
        spec["evaluation"].push_back({{"name", name}, {"text", second.string()}, {"windows", 2}});
    }
    return spec;
}

/// Runs the ablation and takes it along windows; the picture along layers is left to the caller.
void take_ablation(MainWindow& window, HeadlessJob& job, AblationPage& page, const std::filesystem::path& file) {
    auto* button = page.controls()->findChild<QPushButton*>(QStringLiteral("ablation.button"));
    if (button && button->isEnabled()) button->click();
    job.settle();
    page.slices().set_along_windows(true);
    job.settle();
    take(window, file);
    page.slices().set_along_windows(false);
    job.settle();
}

/// Presses the button of every measurement that can be made, and takes a picture of every view but the first.
void take_views(MainWindow& window, HeadlessJob& job, PageOfViews& page,
                const std::function<std::filesystem::path(const std::string&)>& file) {
    for (int i = 0; i < page.views(); ++i) {
        page.show_view(i);
        job.settle();
        const auto buttons = page.view(i)->controls()->findChildren<QPushButton*>();
        const auto starts = [](const QPushButton* button) { return button->objectName().endsWith(QStringLiteral(".button")); };
        const auto button = std::find_if(buttons.begin(), buttons.end(), starts);
        if (button != buttons.end() && (*button)->isEnabled()) (*button)->click();
        job.settle();
        if (i > 0) take(window, file(page.view(i)->objectName().replace(QLatin1Char('.'), QLatin1Char('-')).toStdString()));
    }
    page.show_view(0);
    job.settle();
}

/// Asks every criterion, searches a little and measures what they propose, all on a little text.
void fill_selection(MainWindow& window, HeadlessJob& job, Page& page) {
    Document little = window.session().document();
    little.selection.windows = 1;
    little.settings.evaluation_windows = 8;
    window.session().change(std::move(little), QObject::tr("A little text"));
    job.settle();
    for (const char* name : {"selection.criteria.all", "selection.search.button", "selection.measure.button"}) {
        auto* button = page.controls()->findChild<QPushButton*>(QLatin1String(name));
        if (button && button->isEnabled()) button->click();
        job.settle();
    }
}

/// The perplexity below the strip, which every picture shows.
void show_preview(HeadlessJob& job, LivePreview& preview) {
    preview.set_on(true);
    do job.settle();
    while (!preview.settled());
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
    const QTemporaryDir questions;
    const auto own = std::filesystem::path(questions.path().toStdString()) / "next words.jsonl";
    write_questions(own, window.session().document().evaluation.text);
    Document chosen = window.session().document();
    chosen.measures = small_measures(chosen, own);
    chosen.measures.ablation.spec = small_ablation(chosen, questions.path().toStdString());
    chosen.settings.distillation.minutes = 0.15;
    chosen.settings.distillation.validate_every = 2;
    window.session().change(std::move(chosen), QObject::tr("Measurements"));
    job.settle();
    show_preview(job, window.preview());
    for (std::size_t i = 0; i < window.pages().size(); ++i) {
        window.show_page(int(i));
        job.settle();
        const bool fill = window.pages()[i]->id() == QLatin1String("selection");
        if (fill) fill_selection(window, job, *window.pages()[i]);
        if (auto* ablation = qobject_cast<AblationPage*>(window.pages()[i]))
            take_ablation(window, job, *ablation, file("ablation-windows"));
        if (auto* views = qobject_cast<PageOfViews*>(window.pages()[i])) take_views(window, job, *views, file);
        take(window, file(window.pages()[i]->id().toStdString()));
        if (window.pages()[i]->id() == QLatin1String("repair")) job.evaluate();  // the fine-tuned repair as well
        if (fill) window.session().undo_stack().undo();
    }
}

}  // namespace suture
