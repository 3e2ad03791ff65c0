// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <fstream>

#include "app/cli/choice_options.h"
#include "core/base/error.h"
#include "core/selection/agreement.h"
#include "core/selection/check.h"
#include "core/selection/search.h"
#include "core/selection/share.h"

namespace suture::cli {
namespace {

struct Options : Common {
    std::string criteria, repair = "none";
    int remove = 0;
    ChoiceOptions choice;
    double budget_parameters = 0, budget_bytes = 0, budget_ms = 0, layers_ms = 0;
    SearchSettings search;
    std::filesystem::path evaluate, evaluate_ids, mergekit;
    bool searches = false;               ///< --search was given
    std::vector<std::string> searching;  ///< options given that only a search reads
};

/// A set of layers with a name: a criterion's choice, or the search's.
struct Choice {
    std::string name;
    LayerSet removed;
    std::optional<Variant> merged;
    nlohmann::json json = {};
    std::optional<double> agreement = std::nullopt;  ///< mean Jaccard with the other criteria
};

struct Job {
    Windows windows;
    std::shared_ptr<const Statistics> statistics;  ///< null when nothing needs them
    SelectionInput input;
};

int budgets(const Options& o) { return int(o.remove > 0) + int(o.budget_parameters > 0) + int(o.budget_bytes > 0) + int(o.budget_ms > 0); }

Budget budget_of(const Options& o, const Model& model) {
    if (o.budget_parameters > 0) return Budget::of(model, "parameters", o.budget_parameters);
    if (o.budget_bytes > 0) return Budget::of(model, "bytes", o.budget_bytes);
    if (o.budget_ms > 0) return Budget::of(model, "milliseconds", o.budget_ms, {o.layers_ms});
    return Budget::of(model, "layers", o.remove);
}

/// All that can be known to be wrong before the model is run.
void check_use(const Options& o, const Study& study) {
    const auto names = split_names(o.criteria);
    for (const auto& name : names) {
        criterion_named(name);
        if (std::count(names.begin(), names.end(), name) > 1) throw usage_error("select: --criterion names " + name + " twice");
    }
    if (names.empty() && !o.searches) throw usage_error("select: give --criterion NAME[,NAME..], --search greedy or beam, or both");
    repair_kind(o.repair);
    if (budgets(o) != 1) throw usage_error("select: give exactly one of --remove N, --budget-parameters, --budget-bytes and --budget-ms");
    if (!names.empty() && o.remove == 0) throw usage_error("select: a criterion removes a number of layers; give --remove N");
    if (!o.searches && o.remove == 0) throw usage_error("select: a budget is met by a search; give --search greedy or beam");
    if (o.budget_ms > 0 && o.layers_ms <= 0)
        throw usage_error("select: --budget-ms also needs --layers-ms, the milliseconds that all layers take together");
    if (!o.searches && !o.searching.empty())
        throw usage_error("select: " + o.searching.front() + " is a setting of the search; give --search greedy or beam too");
    check_search_settings(o.search);
    for (const auto& name : names) o.choice.check(study, o.job.calibration, name, o.remove, o.repair);
    if (o.remove > 0 && o.choice.keep_ends > 0) check_removal_count(study.model()->architecture().layers, o.remove);
    if (!o.mergekit.empty() && !o.searches && names.front() == "laco")
        throw usage_error(
            "select: --mergekit writes layers that are dropped, and laco merges them; put another criterion first, or search");
    if (!o.evaluate.empty() && !o.evaluate_ids.empty()) throw usage_error("select: give either --evaluate or --evaluate-ids, not both");
    for (const auto& file : {o.text.text, o.text.ids, o.evaluate, o.evaluate_ids})
        if (!file.empty() && !std::filesystem::exists(file)) throw Error(file.string() + ": there is no such file");
    check_can_be_written(o.mergekit);
}

void say_memory(const Options& o, const Study& study, const std::string& what, const MemoryEstimate& estimate) {
    char line[200];
    std::snprintf(line, sizeof line, "%s: about %.2f GB of memory", what.c_str(), double(estimate.resident) / 1e9);
    o.say(line);
    if (double(estimate.resident) > o.job.compute.memory * 1e9)
        throw Error(std::string(line) + ", and --memory allows " + std::to_string(o.job.compute.memory) +
                    "; allow more, or give fewer or shorter windows of " + study.model()->name());
}

/// The text, the statistics where something needs them, and what running will take.
Job prepare(const Options& o, const Study& study, Progress& progress) {
    Job job;
    job.input = {.model = study.model(),
                 .compute = o.job.compute,
                 .repair = o.repair,
                 .repair_settings = o.job.repair,
                 .protection = o.choice.protection(*study),
                 .settings = o.choice.settings,
                 .progress = &progress};
    bool statistics = o.choice.keep_massive || o.repair != "none" || o.searches, windows = statistics;
    for (const auto& name : split_names(o.criteria)) {
        const Needs& needs = criterion_named(name).needs;
        statistics = statistics || needs.statistics;
        windows = windows || statistics || needs.windows();
    }
    if (!windows) return job;
    if (o.text.empty()) throw usage_error("select: --text FILE (or --ids FILE) is needed to choose layers");
    job.windows = study.calibration_windows(o.text, o.job);
    job.input.windows = &job.windows;
    for (const auto& name : split_names(o.criteria))
        if (const auto memory = criterion_named(name).memory) say_memory(o, study, name, memory(*study, job.windows, o.job.compute));
    if (o.searches) say_memory(o, study, "search", estimate_search(*study, job.windows, o.job.compute, o.search));
    if (!statistics) return job;
    say_before_run(o, study, job.windows, estimate_calibration(*study, job.windows, o.job.compute));
    job.statistics = study.calibrate(job.windows, o.job, progress);
    job.input.statistics = job.statistics.get();
    return job;
}

nlohmann::json scores_json(const Ranking& ranking) {
    auto scores = nlohmann::json::object();
    for (const auto& [place, score] : ranking.scores)
        scores[std::to_string(place)] = std::isfinite(score) ? nlohmann::json(score) : nlohmann::json();
    nlohmann::json json{{"scores", scores},
                        {"removed", ranking.removed.layers()},
                        {"higher_is_better", ranking.higher_is_better},
                        {"blocks", ranking.blocks},
                        {"parameters", ranking.parameters}};
    if (!ranking.order.empty()) json["order"] = ranking.order;
    return json;
}

void add_score(nlohmann::json& json, const std::string& prefix, const Evaluation& e) {
    json[prefix + "nll"] = e.nll_sum() / double(e.tokens());
    json[prefix + "perplexity"] = e.perplexity();
    json["tokens"] = e.tokens();
}

/// NLL on held-out text, without repair and with it.
Table measure(const Options& o, const Study& study, const Job& job, std::vector<Choice>& choices, nlohmann::json& result,
              Progress& progress) {
    Table table{.title = "Layers to remove",
                .columns = {{"chosen by"}, {"removes layers"}, {"perplexity", 4}, {"with " + o.repair, 4}, {"agreement (Jaccard)", 3}}};
    std::vector<Variant> variants(1);
    std::vector<std::optional<std::size_t>> patched;
    const TextSource source{o.evaluate, o.evaluate_ids};
    for (const Choice& choice : choices) {
        if (source.empty()) break;
        variants.push_back(choice.merged ? *choice.merged : Variant(choice.removed));
    }
    for (const Choice& choice : choices) {
        patched.emplace_back();
        if (source.empty() || !job.statistics || o.repair == "none" || choice.merged) continue;  // a merge is its own repair
        patched.back() = variants.size();
        variants.push_back(study.repair(*job.statistics, job.windows, choice.removed, o.repair, o.job, progress).variant);
    }
    std::vector<std::shared_ptr<const Evaluation>> found;
    if (!source.empty()) {
        found = study.evaluate(variants, study.evaluation_windows(source, o.job), o.job, 0, progress);
        add_score(result["dense"], "", *found[0]);
        result["evaluation"] = found[0]->conditions;
        table.rows.push_back({"dense", "none", found[0]->perplexity(), Cell(), Cell()});
    }
    for (std::size_t i = 0; i < choices.size(); ++i) {
        std::vector<Cell> row{choices[i].name, choices[i].removed.words(), Cell(), Cell(), Cell()};
        if (choices[i].agreement) row[4] = *choices[i].agreement;
        if (!found.empty()) {
            add_score(choices[i].json, "", *found[i + 1]);
            row[2] = found[i + 1]->perplexity();
        }
        if (patched[i]) {
            add_score(choices[i].json, "patched_", *found[*patched[i]]);
            row[3] = found[*patched[i]]->perplexity();
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// Returns whether it ran to its end.
bool run_search(const Options& o, const Study& study, const Job& job, std::vector<Choice>& choices) {
    const auto told = [&](const SearchResult& now) {
        const auto& [size, set] = *now.best.rbegin();
        char line[120];
        std::snprintf(line, sizeof line, "%d removed: perplexity %.4f on the search text without ", size, set.perplexity());
        if (size > 0) o.say(line + set.removed.words());
    };
    if (repair_kind(o.repair).fitted)
        o.say("the search fits " + o.repair + " on three quarters of the windows and scores on every fourth, which no fit saw");
    if (o.remove == 0) o.say("the budget counts layers only: what a repair adds is not taken off");
    const SearchResult found = study.search(job.input, budget_of(o, *study), o.search, told);
    o.say(std::to_string(found.passes) + " layer passes; plain greedy without reuse would take " + std::to_string(found.passes_plain));
    Choice choice{.name = "search", .removed = {}, .merged = std::nullopt, .json = found.to_json()};
    if (found.chosen) choice.removed = found.chosen->removed;
    else if (!found.best.empty()) choice.removed = found.best.rbegin()->second.removed;
    choices.push_back(std::move(choice));
    return found.complete;
}

void write_yaml(const Options& o, const Study& study, const LayerSet& removed) {
    if (o.mergekit.empty()) return;
    std::ofstream file(o.mergekit);
    file << mergekit_yaml(o.model.string(), removed, study.model()->architecture().layers, study.model()->storage_type());
    if (!file.flush()) throw Error(o.mergekit.string() + ": can't be written");
}

/// Every criterion in turn; false when it was cancelled, with those kept that had answered. Throws Cancelled when none had.
bool rank(const Options& o, const Study& study, const Job& job, std::vector<Ranking>& rankings, std::vector<Choice>& choices) {
    for (const auto& name : split_names(o.criteria)) try {
            rankings.push_back(study.rank(job.input, name, o.remove));
            choices.push_back({name, rankings.back().removed, rankings.back().merged, scores_json(rankings.back())});
            if (rankings.back().merged) o.say(threshold_words(rankings.back()));
        } catch (const Cancelled&) {
            if (rankings.empty()) throw;
            return false;
        }
    return true;
}

void add_agreement(const std::vector<Ranking>& rankings, std::vector<Choice>& choices, nlohmann::json& result) {
    if (rankings.size() < 2) return;
    const Agreement found = agreement(rankings);
    result["agreement"] = found.to_json();
    for (std::size_t i = 0; i < rankings.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < rankings.size(); ++j)
            if (j != i) sum += found.removed.at(std::int64_t(i), std::int64_t(j));
        choices[i].agreement = sum / double(rankings.size() - 1);
        choices[i].json["mean_jaccard"] = *choices[i].agreement;
    }
}

/// The layers in other programs' words; a merge has none.
void hand_out(const Options& o, const Study& study, const Choice& adopted, nlohmann::json& result) {
    if (adopted.merged) return o.say("a merge is no list of layers to drop, so there is none for llama-quantize; prune --export writes it");
    result["prune_layers"] = prune_layers_list(adopted.removed);
    write_yaml(o, study, adopted.removed);
    o.say("llama-quantize --prune-layers " + prune_layers_list(adopted.removed));
}

void run(const Options& o) {
    const Study study = o.open();
    check_use(o, study);
    Progress progress = make_progress(o);
    const Job job = prepare(o, study, progress);
    nlohmann::json result{{"model", study.model()->name()}, {"settings", o.job.to_json()}, {"protection", job.input.protection.to_json()}};
    result["settings"]["selection"] = settings_to_json(o.choice.settings);
    if (job.statistics) result["calibration"] = job.statistics->conditions;
    else if (job.input.windows) result["calibration"] = job.windows.conditions();
    if (job.statistics) result["massive_activation"] = massive_json(*job.statistics);
    if (o.choice.keep_massive) o.say(massive_words(*job.statistics));
    std::vector<Ranking> rankings;
    std::vector<Choice> choices;
    bool complete = rank(o, study, job, rankings, choices);
    add_agreement(rankings, choices, result);
    complete = complete && (!o.searches || run_search(o, study, job, choices));
    result["complete"] = complete;
    Progress to_the_end;  // a cancelled search is still measured: its text is small, and what was found is to be kept
    const Table table = measure(o, study, job, choices, result, complete ? progress : to_the_end);
    result["criteria"] = nlohmann::json::object();
    for (const Choice& choice : choices) (choice.name == "search" ? result["search"] : result["criteria"][choice.name]) = choice.json;
    hand_out(o, study, choices.back().name == "search" ? choices.back() : choices.front(), result);
    o.write(result, {table});
    if (!complete) throw CancelledWithResult();
}

}  // namespace

void add_select(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("select", "Compare criteria for layers to remove, or search for the best set");
    options->add_to(*command, true);
    std::string help = "criteria to compare, separated by commas:";
    for (const Criterion* criterion : every_criterion()) help += "\n" + criterion->name + ": " + criterion->help;
    command->add_option("--criterion", options->criteria, help)->type_name("NAME[,NAME..]");
    command->add_option("--remove", options->remove, "how many layers are to go")->type_name("N");
    command
        ->add_option("--repair", options->repair,
                     "the repair that patched and a search fit, and patched_nll is measured with; a search fits it on three quarters of "
                     "the windows and scores on the others")
        ->capture_default_str();
    add_settings(*command, options->job.repair);
    options->choice.add_to(*command);
    add_settings(*command, options->search);
    command
        ->add_option("--budget-parameters", options->budget_parameters,
                     "search: remove at least so many parameters of layers; what a repair adds is not counted")
        ->check(finite_number);
    command
        ->add_option("--budget-bytes", options->budget_bytes,
                     "search: remove at least so many bytes of layers; what a repair adds is not counted")
        ->check(finite_number);
    command->add_option("--budget-ms", options->budget_ms, "search: remove at least so many milliseconds")->check(finite_number);
    command->add_option("--layers-ms", options->layers_ms, "what all layers take together, shared out by parameters")->check(finite_number);
    command->add_option("--evaluate", options->evaluate, "held-out text to measure every choice on")->type_name("FILE");
    command->add_option("--evaluate-ids", options->evaluate_ids, "in place of that text: JSON array of arrays of token ids")
        ->type_name("FILE");
    command->add_option("--evaluate-windows", options->job.evaluation_windows, "windows of the evaluation text; 0: all")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    command->add_option("--mergekit", options->mergekit, "write the choice as a mergekit YAML: the search's, else the first criterion's")
        ->type_name("FILE");
    command->callback([options, command] {
        options->searches = command->count("--search") > 0;
        for (const char* name : {"--beam", "--block", "--screen", "--exchange", "--no-seeds"})
            if (command->count(name) > 0) options->searching.push_back(name);
        run(*options);
    });
}

}  // namespace suture::cli
