// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/reasoning.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/generation/answer.h"

namespace suture {
namespace {

nlohmann::json row_to_json(const ReasoningRow& row) {
    nlohmann::json json{{"prompt", row.problem.prompt},
                        {"expected", row.problem.answer},
                        {"generation", row.generation.to_json()},
                        {"answer", nullptr},
                        {"correct", row.correct}};
    if (row.answer) json["answer"] = *row.answer;
    return json;
}

ReasoningRow row_from_json(const nlohmann::json& json) {
    ReasoningRow row{{json.at("prompt"), json.at("expected")}, Generation::from_json(json.at("generation")), {}, json.at("correct")};
    if (!json.at("answer").is_null()) row.answer = json.at("answer").get<std::string>();
    return row;
}

ReasoningRow checked(const Problem& problem, const Generation& generation) {
    ReasoningRow row{problem, generation, final_answer(generation.text), false};
    row.correct = row.answer && *row.answer == expected_answer(problem.answer);
    return row;
}

nlohmann::json inputs(const Variant& variant, const Problems& problems, const ReasoningSettings& settings, const ComputeSettings& compute) {
    return {{"variant", variant.to_json()},  {"problems", problems.source}, {"problems_sha256", problems.digest},
            {"count", problems.list.size()}, {"dtype", compute.dtype},      {"settings", settings.to_json()}};
}

}  // namespace

nlohmann::json ReasoningSettings::to_json() const {
    auto json = settings_to_json(generation);
    json.update({{"chat", chat}, {"system", system}, {"instruction", instruction}});
    return json;
}

double ReasoningResult::accuracy() const { return double(std::ranges::count(rows, true, &ReasoningRow::correct)) / double(rows.size()); }

double ReasoningResult::accuracy_stderr() const {
    const double n = double(rows.size()), p = accuracy();
    return n > 1 ? std::sqrt(p * (1 - p) / (n - 1)) : 0;  // sample variance of zeros and ones: n·p·(1-p)/(n-1)
}

std::int64_t ReasoningResult::cut_off() const {
    return std::ranges::count_if(rows, [](const ReasoningRow& row) { return !row.generation.ended; });
}

nlohmann::json ReasoningResult::to_json() const {
    auto list = nlohmann::json::array();
    for (const auto& row : rows) list.push_back(row_to_json(row));
    return {{"accuracy", accuracy()},  {"accuracy_stderr", accuracy_stderr()},
            {"problems", rows.size()}, {"cut_off", cut_off()},
            {"rows", std::move(list)}, {"conditions", conditions}};
}

Artefact ReasoningResult::to_artefact() const { return {.meta = to_json(), .doubles = {}, .floats = {}, .integers = {}}; }

ReasoningResult ReasoningResult::from_artefact(const Artefact& artefact) {
    ReasoningResult result;
    for (const auto& row : artefact.meta.at("rows")) result.rows.push_back(row_from_json(row));
    result.conditions = artefact.meta.at("conditions");
    return result;
}

std::string reasoning_prompt(const Problem& problem, const std::optional<ChatTemplate>& chat, const ReasoningSettings& settings) {
    const std::string prompt = problem.prompt + (settings.instruction.empty() ? "" : " " + settings.instruction);
    return chat ? chat->text(prompt, settings.system) : prompt;
}

std::vector<ReasoningResult> run_reasoning(std::shared_ptr<const Model> model, std::shared_ptr<const Tokenizer> tokenizer,
                                           std::span<const Variant> variants, const Problems& problems, const ReasoningSettings& settings,
                                           const ComputeSettings& compute, const OnRow& on_row, Progress& progress) {
    if (settings.chat != "auto" && settings.chat != "never") throw usage_error("--chat " + settings.chat + ": give auto or never.");
    if (!tokenizer) throw Error(model->folder().string() + ": a reasoning task needs a tokenizer, and the folder has none");
    check(settings.generation);
    const auto chat = settings.chat == "auto" ? ChatTemplate::open(model->folder()) : std::nullopt;
    Generator generator(model, tokenizer, {variants.begin(), variants.end()}, compute);
    std::vector<ReasoningResult> results(variants.size());
    for (std::size_t v = 0; v < variants.size(); ++v) {
        results[v].conditions = inputs(variants[v], problems, settings, compute);
        results[v].conditions.update({{"model", model->identity()}, {"chat_form", chat ? chat->name() : "none"}});
    }
    const auto count = std::int64_t(problems.list.size());
    progress.begin("Reasoning", count * std::int64_t(variants.size()) * settings.generation.max_tokens, "tokens");
    for (std::int64_t i = 0; i < count; ++i) {
        const Problem& problem = problems.list[std::size_t(i)];
        const std::string prompt = reasoning_prompt(problem, chat, settings);
        GenerationSettings own = settings.generation;
        own.seed += i;
        const auto generations =
            generator.run(chat ? chat_ids(*tokenizer, prompt) : prompt_ids(*tokenizer, prompt), own, nullptr, progress);
        for (std::size_t v = 0; v < generations.size(); ++v) {
            results[v].rows.push_back(checked(problem, generations[v]));
            if (on_row) on_row(v, results[v].rows.back());
        }
    }
    return results;
}

Key reasoning_key(const Model& model, const Variant& variant, const Problems& problems, const ReasoningSettings& settings,
                  const ComputeSettings& compute) {
    return Key::of({{"what", "reasoning"}, {"model", model.fingerprint()}, {"inputs", inputs(variant, problems, settings, compute)}});
}

}  // namespace suture
