// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <iostream>
#include <iterator>

#include "app/cli/cut.h"
#include "core/base/error.h"
#include "core/generation/chat_template.h"
#include "core/generation/reasoning.h"

namespace suture::cli {
namespace {

struct Options : Common {
    CutOptions cut;
    std::string prompt, system, instruction;
    std::filesystem::path prompt_file, check_file;
    std::int64_t limit = 0;
    bool chat = false;
    GenerationSettings generation;
};

std::string prompt_of(const Options& options) {
    if (options.prompt_file.empty()) return options.prompt;
    std::ifstream file(options.prompt_file, std::ios::binary);
    if (!file || std::filesystem::is_directory(options.prompt_file)) throw Error(options.prompt_file.string() + ": can't be read");
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::int64_t> ids_of(const Options& options, const Study& study) {
    const std::string prompt = prompt_of(options);
    if (!options.chat) return prompt_ids(*study.tokenizer(), prompt);
    const auto chat = ChatTemplate::open(study.model()->folder());
    if (!chat) throw usage_error(study.model()->folder().string() + ": the checkpoint has no chat template; leave out --chat");
    return chat_ids(*study.tokenizer(), chat->text(prompt, options.system));
}

/// The dense model, and every repair of the cut where one was asked for.
std::vector<NamedVariant> all_variants(const Options& options, const Study& study, Progress& progress) {
    std::vector<NamedVariant> named{{"dense", Variant()}};
    if (!options.cut.wanted()) return named;
    options.cut.check("generate", study);
    for (NamedVariant& variant : named_variants(make_cut(options.cut, options, study, progress))) named.push_back(std::move(variant));
    return named;
}

void write_text(const Options& options, const Study& study, const std::vector<NamedVariant>& named) {
    const auto variants = variants_of(named);
    const auto prompt = ids_of(options, study);
    warn_of_length(options, study, "prompt and new tokens may come to", std::int64_t(prompt.size()) + options.generation.max_tokens);
    const bool stream = variants.size() == 1 && options.json.empty();
    Common quiet = options;
    quiet.quiet = options.quiet || stream;  // a progress line would run into the text
    Progress progress = make_progress(quiet);
    Generator generator(study.model(), study.tokenizer(), variants, options.job.compute);
    if (!generator.resident()) options.say("note: the layers do not fit --memory together, so they are read anew for every token");
    progress.begin("Generating", std::int64_t(variants.size()) * options.generation.max_tokens, "tokens");
    const auto results = generator.run(
        prompt, options.generation,
        [&](std::size_t, std::int64_t, const std::string& text) {
            if (stream) std::cout << text << std::flush;
        },
        progress);
    auto json = nlohmann::json::array();
    Table table{.title = "Generation", .columns = {{"variant"}, {"new tokens"}, {"ended"}, {"prefill (s)", 3}, {"tokens per second", 1}}};
    for (std::size_t v = 0; v < results.size(); ++v) {
        json.push_back(results[v].to_json());
        json.back().update({{"name", named[v].name}, {"removed", variants[v].removed().layers()}});
        table.rows.push_back({named[v].name, std::int64_t(results[v].ids.size()), results[v].ended ? "by itself" : "by the limit",
                              results[v].prefill_seconds, results[v].tokens_per_second()});
        if (!stream && options.json != "-") std::cout << "— " << named[v].name << "\n" << results[v].text << "\n\n";
    }
    if (stream) std::cout << "\n\n";
    options.write({{"variants", std::move(json)},
                   {"settings", settings_to_json(options.generation)},
                   {"model", study.model()->identity()},
                   {"dtype", options.job.compute.dtype}},
                  {table});
}

void check_answers(const Options& options, const Study& study, const std::vector<NamedVariant>& named) {
    const auto variants = variants_of(named);
    const Problems problems = read_problems(options.check_file, options.limit);
    const ReasoningSettings settings{options.generation, options.chat ? "auto" : "never", options.system, options.instruction};
    Progress progress = make_progress(options);
    const auto results =
        run_reasoning(study.model(), study.tokenizer(), variants, problems, settings, options.job.compute, nullptr, progress);
    auto json = nlohmann::json::array();
    Table table{.title = "Answers to " + problems.source,
                .columns = {{"variant"}, {"correct"}, {"problems"}, {"accuracy", 4}, {"standard error", 4}, {"cut off by the limit"}}};
    for (std::size_t v = 0; v < results.size(); ++v) {
        json.push_back(results[v].to_json());
        json.back()["name"] = named[v].name;
        table.rows.push_back({named[v].name, std::int64_t(std::llround(results[v].accuracy() * double(results[v].rows.size()))),
                              std::int64_t(results[v].rows.size()), results[v].accuracy(), results[v].accuracy_stderr(),
                              results[v].cut_off()});
    }
    options.write({{"variants", std::move(json)}}, {table});
}

void run(const Options& options, const CLI::App& command) {
    if (command.count("--prompt") + command.count("--prompt-file") + command.count("--check") != 1)
        throw usage_error("generate: give exactly one of --prompt TEXT, --prompt-file FILE and --check FILE");
    if (options.check_file.empty()) refuse_without(command, {"--limit", "--instruction"}, "--check");
    if (!options.chat && options.check_file.empty()) refuse_without(command, {"--system"}, "--chat");
    if (!options.cut.wanted())
        refuse_without(command, {"--repair", "--criterion", "--finetune", "--auto-kinds", "--massive-each"},
                       "a cut (--remove N, --layers LIST or --import-patch FILE)");
    check(options.generation);
    const Study study = options.open();
    if (!study.tokenizer()) throw Error(study.tokenizer_problem());
    Progress progress = make_progress(options);
    const auto named = all_variants(options, study, progress);
    if (options.check_file.empty()) write_text(options, study, named);
    else check_answers(options, study, named);
}

}  // namespace

void add_generate(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("generate", "Text behind a prompt, or answers to problems, dense and pruned side by side");
    options->add_to(*command, true);
    command->add_option("--prompt", options->prompt, "text to continue")->type_name("TEXT");
    command->add_option("--prompt-file", options->prompt_file, "file with that text")->type_name("FILE");
    command->add_option("--check", options->check_file, "problems to answer: a .jsonl file of {\"prompt\": …, \"answer\": …}")
        ->type_name("FILE");
    command->add_option("--limit", options->limit, "with --check: only the first problems; 0 for all")->check(finite_number);
    command->add_option("--instruction", options->instruction, "with --check: text added behind every prompt")->type_name("TEXT");
    options->cut.add_to(*command, options->job);
    command->add_flag("--chat", options->chat, "as a user's message in the checkpoint's chat template");
    command->add_option("--system", options->system, "with --chat: system message in place of the template's own")->type_name("TEXT");
    add_settings(*command, options->generation, {"seed"});
    command->callback([options, command] {
        options->generation.seed = options->seed;
        run(*options, *command);
    });
}

}  // namespace suture::cli
