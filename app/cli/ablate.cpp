// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <set>

#include "app/cli/common.h"
#include "core/base/error.h"
#include "core/study/ablation.h"

namespace suture::cli {
namespace {

struct Options : Common {
    std::filesystem::path spec, markdown, latex;
};

void write_text(const std::filesystem::path& path, const std::string& content) {
    if (path.empty()) return;
    std::ofstream file(path, std::ios::binary);
    file << content;
    if (!file.flush()) throw Error(path.string() + ": can't be written");
}

void write(const Options& options, const Ablation& ablation) {
    std::vector<Table> tables{ablation.table(), ablation.wins()};
    if (Table domains = ablation.domains(); !domains.rows.empty()) tables.push_back(std::move(domains));
    std::string markdown, latex;
    for (const Table& table : tables) {
        markdown += (markdown.empty() ? "" : "\n") + table.to_markdown();
        latex += (latex.empty() ? "" : "\n") + table.to_latex();
    }
    write_text(options.markdown, markdown);
    write_text(options.latex, latex);
    options.write(ablation.to_json(), tables);
}

/// The same remark as for --text, said in the words of the specification.
void note_raw_json_lines(const Options& options, const AblationSpec& spec) {
    if (!spec.settings.windows.text_field.empty()) return;
    std::set<std::string> told;
    for (const auto* texts : {&spec.calibration, &spec.evaluation})
        for (const NamedText& text : *texts)
            if (text.source.text.extension() == ".jsonl" && told.insert(text.source.text.string()).second)
                options.say("note: " + text.source.text.filename().string() +
                            " is read as it stands, JSON included; \"settings\": {\"windows\": {\"text_field\": NAME}} takes the texts of "
                            "one field");
}

void run(const Options& options) {
    const AblationSpec spec = AblationSpec::read(options.spec);
    for (const std::filesystem::path& file : {options.markdown, options.latex, std::filesystem::path(options.json)})
        check_can_be_written(file);
    for (const NamedText& calibration : spec.calibration)
        for (const NamedText& evaluation : spec.evaluation) warn_of_same_text(options, calibration.source, evaluation.source);
    note_raw_json_lines(options, spec);
    const auto store = options.store();
    plan_ablation(spec, store);  // hours should not end at the last model's folder
    options.say(std::to_string(spec.rows()) + " rows, each on " + std::to_string(spec.evaluation.size()) + " texts");
    Progress progress = make_progress(options);
    Ablation so_far{.settings = spec.settings.to_json()};
    for (const NamedText& text : spec.evaluation) so_far.evaluation.push_back(text.name);
    const auto watch = [&](const AblationRow& row) {
        so_far.rows.push_back(row);
        std::string line = row.model + " · " + (row.removed.empty() ? "dense" : "without " + row.removed.words() + " · " + row.repair);
        if (row.windows > 0)
            line += " · " + row.calibration + ", " + std::to_string(row.windows) + (row.windows == 1 ? " window" : " windows");
        for (const auto& [text, value] : row.perplexity) line += " · " + text + " " + std::to_string(value);
        options.say(row.refusal.empty() ? line : line + " · " + row.refusal);
    };
    try {
        write(options, run_ablation(spec, store, progress, watch));
    } catch (const Cancelled&) {  // hours of rows are worth keeping
        write(options, so_far);
        throw CancelledWithResult();
    }
}

}  // namespace

void add_ablate(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("ablate", "Many cuts and repairs measured against each other, as a JSON file asks for");
    command
        ->add_option("spec", options->spec,
                     "JSON file: models, calibration and evaluation texts, layers, criteria, repairs (docs/repairs.md)")
        ->required();
    command->add_option("--markdown", options->markdown, "also write the tables as Markdown to this file")->type_name("FILE");
    command->add_option("--latex", options->latex, "also write the tables as LaTeX to this file")->type_name("FILE");
    command->add_option("--json", options->json, "write the result as JSON to this file; - for standard output")->type_name("FILE");
    command->add_option("--csv", options->csv, "also write every table as a CSV file into this folder")->type_name("DIR");
    command->add_option("--cache", options->cache, "folder for results that are kept, or none")->type_name("DIR");
    command->add_flag("--quiet", options->quiet, "no progress and no remarks on standard error");
    command->callback([options] { run(*options); });
}

}  // namespace suture::cli
