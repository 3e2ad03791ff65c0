// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/measure_jobs.h"

#include <algorithm>

#include "core/evaluation/token_losses.h"
#include "core/study/measures.h"

namespace suture {
namespace {

MeasuredSet measured_set(const JobInputs& inputs, const MadeVariants& made, const Key& dense_key) {
    return {made.labels, inputs.document.removed, dense_key};
}

}  // namespace

std::vector<VariantLabel> marked(const MeasuredSet& set, bool outdated, const Key& dense_key) {
    auto labels = set.variants;
    for (VariantLabel& label : labels) label.stale = outdated && (label.kind != "dense" || set.dense_key != dense_key);
    return labels;
}

std::shared_ptr<const TaskEstimate> estimate_tasks(const JobInputs& inputs) {
    constexpr std::int64_t looked_at = 20;  // enough to know how long a task's questions are
    const Document& d = inputs.document;
    const TaskChoice& choice = d.measures.tasks;
    auto estimate = std::make_shared<TaskEstimate>();
    for (const TaskDocuments& task : read_tasks(choice.folder, choice.names, choice.settings)) {
        const auto all = std::int64_t(task.questions.size());
        const auto asked = choice.settings.limit > 0 ? std::min(all, choice.settings.limit) : all;
        TaskSettings few = choice.settings;
        few.limit = std::min(asked, looked_at);
        const auto load = measure_tasks(**inputs.study, *tokenizer_of(*inputs.study), {&task, 1}, few, d.settings.compute);
        estimate->questions += asked;
        if (few.limit > 0) estimate->tokens += double(load.distinct_tokens) * double(asked) / double(few.limit);
        estimate->remarks.insert(estimate->remarks.end(), task.warnings.begin(), task.warnings.end());
    }
    return estimate;
}

std::vector<TaskScores> TaskSet::rows(const std::vector<VariantLabel>& labels) const {
    std::vector<TaskScores> rows;
    for (std::size_t v = 0; v < labels.size(); ++v)
        rows.push_back({labels[v], v < results.size() ? results[v] : std::vector<TaskResult>()});
    return rows;
}

std::shared_ptr<const TaskSet> make_task_set(const JobInputs& inputs, const Key& dense_key, Feed<TaskSet>& feed, Progress& progress) {
    const Document& d = inputs.document;
    const TaskChoice& choice = d.measures.tasks;
    progress.begin("Reading the tasks", 0, "tasks");
    const auto tasks = read_tasks(choice.folder, choice.names, choice.settings);
    const MadeVariants made = make_variants(inputs, progress);
    TaskSet set{measured_set(inputs, made, dense_key), std::vector<std::vector<TaskResult>>(made.variants.size()), int(tasks.size()), {}};
    for (const TaskDocuments& task : tasks) {  // one by one, so that what is known can be shown
        set.now = task.name;
        feed.change([&](TaskSet& shown) { shown = set; });
        const auto scored = score_tasks(*inputs.study, made.variants, {&task, 1}, choice.settings, d.settings.compute, progress);
        for (std::size_t v = 0; v < scored.size(); ++v) set.results[v].push_back(scored[v][0]);
    }
    set.now.clear();
    return std::make_shared<const TaskSet>(std::move(set));
}

std::shared_ptr<const RollingSet> make_rolling_set(const JobInputs& inputs, const Key& dense_key, Progress& progress) {
    const Document& d = inputs.document;
    progress.begin("Reading the text", 0, "documents");
    const auto text = rolling_text(**inputs.study, *tokenizer_of(*inputs.study), d.measures.rolling.file, d.measures.rolling.settings);
    const MadeVariants made = make_variants(inputs, progress);
    return std::make_shared<const RollingSet>(RollingSet{
        measured_set(inputs, made, dense_key), measure_rolling(*inputs.study, made.variants, text, d.settings.compute, progress)});
}

std::shared_ptr<const SpeedSet> make_speed_set(const JobInputs& inputs, const Key& dense_key, Progress& progress) {
    const Document& d = inputs.document;
    const MadeVariants made = make_variants(inputs, progress);
    return std::make_shared<const SpeedSet>(
        SpeedSet{measured_set(inputs, made, dense_key),
                 measure_speed(inputs.study->model(), made.variants, d.measures.speed, d.settings.compute, progress)});
}

std::shared_ptr<const DomainMatrix> make_domain_matrix(const JobInputs& inputs, Progress& progress) {
    const Document& d = inputs.document;
    std::vector<TextSource> texts;
    for (const auto& file : d.measures.domains.texts) texts.push_back({file, {}});
    JobSettings settings = d.settings;
    settings.evaluation_windows = d.measures.domains.windows;
    return std::make_shared<const DomainMatrix>(cross_domain(*inputs.study, texts, d.removed, d.repair, settings, progress));
}

std::shared_ptr<const TextSet> make_text_set(const JobInputs& inputs, const Key& dense_key, Feed<TextSet>& feed, Progress& progress) {
    const Document& d = inputs.document;
    const PromptChoice& choice = d.measures.prompt;
    const auto& model = inputs.study->model();
    const auto& tokenizer = tokenizer_of(*inputs.study);
    const auto chat = choice.chat ? ChatTemplate::open(model->folder()) : std::nullopt;
    const auto prompt = chat ? chat_ids(*tokenizer, chat->text(choice.prompt)) : prompt_ids(*tokenizer, choice.prompt);
    const MadeVariants made = make_variants(inputs, progress);
    const auto count = made.variants.size();
    TextSet set{measured_set(inputs, made, dense_key), std::vector<std::string>(count), std::vector<std::int64_t>(count), {}, {}};
    feed.change([&](TextSet& shown) { shown = set; });
    progress.begin("Loading the weights", 0, "layers");
    Generator generator(model, tokenizer, made.variants, d.settings.compute);
    progress.begin("Generating", std::int64_t(count) * choice.generation.max_tokens, "tokens");
    set.generations = generator.run(
        prompt, choice.generation,
        [&](std::size_t variant, std::int64_t, const std::string& text) {
            feed.change([&](TextSet& shown) {
                shown.texts[variant] += text;
                ++shown.tokens[variant];
            });
        },
        progress);
    for (std::size_t v = 0; v < count; ++v) {
        set.texts[v] = set.generations[v].text;
        set.tokens[v] = std::int64_t(set.generations[v].ids.size());
    }
    auto ids = prompt;
    ids.insert(ids.end(), set.generations[0].ids.begin(), set.generations[0].ids.end());
    set.losses.prompt_tokens = std::int64_t(prompt.size());
    set.losses.losses = token_losses(model, made.variants, ids, d.settings.compute, progress);
    for (const auto id : ids) set.losses.tokens.push_back(tokenizer->token_text(id));
    return std::make_shared<const TextSet>(std::move(set));
}

std::shared_ptr<const ProblemsSize> size_of_problems(const AnswerChoice& choice) {
    auto size = std::make_shared<ProblemsSize>();
    for (const Problem& problem : read_problems(choice.problems, choice.limit).list) {
        ++size->problems;
        size->bytes += std::int64_t(problem.prompt.size() + choice.instruction.size());
    }
    return size;
}

std::shared_ptr<const AnswerSet> make_answer_set(const JobInputs& inputs, const Key& dense_key, Feed<AnswerSet>& feed, Progress& progress) {
    const Document& d = inputs.document;
    const AnswerChoice& choice = d.measures.answers;
    const Problems problems = read_problems(choice.problems, choice.limit);
    const MadeVariants made = make_variants(inputs, progress);
    AnswerSet set{measured_set(inputs, made, dense_key), std::vector<std::vector<ReasoningRow>>(made.variants.size()), {}};
    feed.change([&](AnswerSet& shown) { shown = set; });
    const ReasoningSettings settings{choice.generation, choice.chat ? "auto" : "never", {}, choice.instruction};
    const OnRow on_row = [&](std::size_t variant, const ReasoningRow& row) {
        feed.change([&](AnswerSet& shown) { shown.rows[variant].push_back(row); });
    };
    set.results = answer_problems(*inputs.study, made.variants, problems, settings, d.settings.compute, on_row, progress);
    for (std::size_t v = 0; v < set.results.size(); ++v) set.rows[v] = set.results[v].rows;
    return std::make_shared<const AnswerSet>(std::move(set));
}

std::string window_words(const JobInputs& inputs, std::size_t window) {
    constexpr std::size_t shown_ids = 60;
    const auto windows = inputs.windows->evaluation(*inputs.study, inputs.document.evaluation, inputs.document.settings);
    if (window >= windows->ids.size()) return {};
    auto ids = windows->ids[window];
    if (ids.size() > shown_ids) ids.resize(shown_ids);
    if (inputs.study->tokenizer()) return inputs.study->tokenizer()->decode(ids);
    std::string text = "ids";
    for (const auto id : ids) text += " " + std::to_string(id);
    return text;
}

}  // namespace suture
