// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/run.h"

#include <set>

#include "core/tasks/internal/scorer.h"

namespace suture {
namespace {

/// Layer passes of all plans together, shared beginnings counted once.
std::int64_t distinct_layer_passes(const std::vector<Plan>& plans) {
    std::set<std::string> prefixes;
    for (const Plan& plan : plans)
        for (std::size_t i = 0; i < plan.size(); ++i)
            if (!plan[i].map) prefixes.insert(prefix_digest(plan, i + 1));
    return std::int64_t(prefixes.size());
}

/// A task's requests in the batches in which they will run.
struct Batches {
    std::vector<std::size_t> order;
    std::vector<std::size_t> sizes;
    std::int64_t distinct_tokens = 0;
};

Batches batches_of(const std::vector<EncodedRequest>& requests, const Model& model, const ComputeSettings& compute, std::size_t variants) {
    const Architecture& a = model.architecture();
    std::size_t longest = 1;
    for (const EncodedRequest& request : requests) longest = std::max(longest, request.input.size());
    const auto points = std::int64_t(variants) + 1;
    const auto estimate = estimate_memory(model, compute, std::int64_t(longest), std::int64_t(requests.size()), points);
    const double state_bytes = double(a.hidden * points) * sizeof(float);
    const double budget = state_bytes * double(longest) * double(estimate.windows_per_group);
    Batches batches{.order = sorted_by_input(requests), .sizes = {}};
    for (std::size_t first = 0; first < requests.size(); first += batches.sizes.back()) {
        batches.sizes.push_back(batch_size(requests, batches.order, first, state_bytes, key_value_bytes(a), budget));
        batches.distinct_tokens += prefix_tree(requests, std::span(batches.order).subspan(first, batches.sizes.back())).tokens();
    }
    return batches;
}

nlohmann::json conditions_of(const Model& model, const Variant& variant, const TaskDocuments& task, const TaskSettings& settings,
                             const ComputeSettings& compute) {
    const Encoding encoding(model, settings);
    const std::int64_t fewshot = fewshot_of(task, settings);
    nlohmann::json conditions{{"model", model.identity()},
                              {"variant", variant.to_json()},
                              {"dtype", compute.dtype},
                              {"task", task.name},
                              {"files", task.files},
                              {"files_sha256", task.digest},
                              {"fewshot", fewshot},
                              {"limit", settings.limit},
                              {"task_bos", encoding.bos ? "always" : "never"},
                              {"max_length", encoding.max_length}};
    if (fewshot > 0 && task.draw != Draw::InOrder) conditions["fewshot_seed"] = settings.fewshot_seed;
    return conditions;
}

TaskResult result_of(const TaskDocuments& task, const std::vector<PosedQuestion>& documents, const std::vector<RequestScore>& scores) {
    TaskResult result{.name = task.name,
                      .groups = task.groups,
                      .metrics = task.metrics,
                      .version = task.version,
                      .available = std::int64_t(task.questions.size()),
                      .fewshot = 0,
                      .rows = {},
                      .subtasks = {},
                      .subtask_sizes = {},
                      .conditions = nlohmann::json::object()};
    auto score = scores.begin();
    for (const PosedQuestion& document : documents) {
        TaskRow row{
            .loglikelihood = {}, .is_greedy = {}, .characters = document.characters, .bytes = document.bytes, .gold = document.gold};
        for (std::size_t c = 0; c < document.requests.size(); ++c, ++score) {
            row.loglikelihood.push_back(score->loglikelihood);
            row.is_greedy.push_back(score->is_greedy);
        }
        result.rows.push_back(std::move(row));
    }
    return result;
}

/// One task on all variants: [variant].
std::vector<TaskResult> run_task(const Decoder& decoder, std::span<const Variant> variants, const Tokenizer& tokenizer,
                                 const TaskDocuments& task, const std::string& place, const TaskSettings& settings,
                                 const ComputeSettings& compute, Progress& progress) {
    const Model& model = decoder.model();
    progress.begin("Preparing " + task.name, 0, "requests");
    const auto documents = documents_of(task, settings);
    const auto requests = encode_documents(task.name, documents, tokenizer, model, settings);
    const Batches batches = batches_of(requests, model, compute, variants.size());
    std::vector<Plan> plans;
    for (const Variant& variant : variants) plans.push_back(variant.steps(model.architecture().layers));
    std::vector<std::vector<RequestScore>> scores(plans.size(), std::vector<RequestScore>(requests.size()));
    TokenProgress tokens(progress, "Scoring " + task.name + place, batches.distinct_tokens, distinct_layer_passes(plans));
    Scorer scorer(decoder, plans, requests, scores, tokens);
    std::size_t first = 0;
    for (const std::size_t size : batches.sizes) {
        scorer.run(std::span(batches.order).subspan(first, size), task.name);
        first += size;
    }
    std::vector<TaskResult> results;
    for (std::size_t v = 0; v < variants.size(); ++v) {
        results.push_back(result_of(task, documents, scores[v]));
        results.back().fewshot = fewshot_of(task, settings);
        results.back().conditions = conditions_of(model, variants[v], task, settings, compute);
    }
    return results;
}

std::string place_among(std::size_t task, std::size_t count) {
    return count > 1 ? " (" + std::to_string(task + 1) + " of " + std::to_string(count) + ")" : "";
}

}  // namespace

TaskLoad measure_tasks(const Model& model, const Tokenizer& tokenizer, std::span<const TaskDocuments> tasks, const TaskSettings& settings,
                       const ComputeSettings& compute) {
    TaskLoad load;
    for (const TaskDocuments& task : tasks) {
        const auto documents = documents_of(task, settings);
        const auto requests = encode_documents(task.name, documents, tokenizer, model, settings);
        load.documents += std::int64_t(documents.size());
        load.requests += std::int64_t(requests.size());
        for (const EncodedRequest& request : requests) load.tokens += std::int64_t(request.input.size());
        load.distinct_tokens += batches_of(requests, model, compute, 1).distinct_tokens;
    }
    return load;
}

std::vector<std::vector<TaskResult>> run_tasks(std::shared_ptr<const Model> model, std::span<const Variant> variants,
                                               const Tokenizer& tokenizer, std::span<const TaskDocuments> tasks,
                                               const TaskSettings& settings, const ComputeSettings& compute, Progress& progress) {
    Store nowhere{std::filesystem::path()};
    return run_tasks(nowhere, std::move(model), variants, tokenizer, tasks, settings, compute, progress);
}

std::vector<std::vector<TaskResult>> run_tasks(Store& store, std::shared_ptr<const Model> model, std::span<const Variant> variants,
                                               const Tokenizer& tokenizer, std::span<const TaskDocuments> tasks,
                                               const TaskSettings& settings, const ComputeSettings& compute, Progress& progress) {
    const c10::InferenceMode no_gradients;
    const Decoder decoder(model, compute);
    std::vector<std::vector<TaskResult>> results(variants.size());
    for (std::size_t t = 0; t < tasks.size(); ++t) {
        std::vector<Variant> missing;
        std::vector<std::size_t> places;
        for (std::size_t v = 0; v < variants.size(); ++v) {
            const auto artefact = store.find(task_key(*model, variants[v], tasks[t], settings, compute));
            results[v].push_back(artefact ? TaskResult::from_artefact(*artefact) : TaskResult());
            if (artefact) {
                results[v].back().groups = tasks[t].groups;  // asked for now, perhaps not then
                continue;
            }
            missing.push_back(variants[v]);
            places.push_back(v);
        }
        if (missing.empty()) continue;
        auto fresh = run_task(decoder, missing, tokenizer, tasks[t], place_among(t, tasks.size()), settings, compute, progress);
        for (std::size_t i = 0; i < fresh.size(); ++i) {
            store.put(task_key(*model, missing[i], tasks[t], settings, compute), fresh[i].to_artefact());
            results[places[i]].back() = std::move(fresh[i]);
        }
    }
    return results;
}

Key task_key(const Model& model, const Variant& variant, const TaskDocuments& task, const TaskSettings& settings,
             const ComputeSettings& compute) {
    auto conditions = conditions_of(model, variant, task, settings, compute);
    conditions["what"] = "task";
    conditions["model"] = model.fingerprint();
    return Key::of(conditions);
}

}  // namespace suture
