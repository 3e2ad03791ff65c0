// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/measures.h"

namespace suture {
namespace {

nlohmann::json part(const nlohmann::json& json, const char* name) { return json.value(name, nlohmann::json::object()); }

/// Settings of a part that lacks them keep the part's own defaults.
template <class S>
void read(const nlohmann::json& json, S& settings) {
    auto all = settings_to_json(settings);
    all.update(part(json, "settings"));
    settings = settings_from_json<S>(all);
}

}  // namespace

nlohmann::json Measures::to_json() const {
    auto texts = nlohmann::json::array();
    for (const auto& text : domains.texts) texts.push_back(text.string());
    return {{"tasks", {{"folder", tasks.folder.string()}, {"names", tasks.names}, {"settings", settings_to_json(tasks.settings)}}},
            {"rolling", {{"file", rolling.file.string()}, {"settings", settings_to_json(rolling.settings)}}},
            {"speed", {{"settings", settings_to_json(speed)}}},
            {"domains", {{"texts", texts}, {"windows", domains.windows}}},
            {"prompt", {{"prompt", prompt.prompt}, {"chat", prompt.chat}, {"settings", settings_to_json(prompt.generation)}}},
            {"answers",
             {{"problems", answers.problems.string()},
              {"limit", answers.limit},
              {"chat", answers.chat},
              {"instruction", answers.instruction},
              {"settings", settings_to_json(answers.generation)}}},
            {"ablation", ablation.spec}};
}

Measures Measures::from_json(const nlohmann::json& json) {
    Measures m;
    const auto tasks = part(json, "tasks"), rolling = part(json, "rolling"), prompt = part(json, "prompt"), answers = part(json, "answers");
    m.tasks.folder = tasks.value("folder", std::string());
    m.tasks.names = tasks.value("names", m.tasks.names);
    read(tasks, m.tasks.settings);
    m.rolling.file = rolling.value("file", std::string());
    read(rolling, m.rolling.settings);
    read(part(json, "speed"), m.speed);
    const auto domains = part(json, "domains");
    for (const auto& text : domains.value("texts", nlohmann::json::array())) m.domains.texts.emplace_back(text.get<std::string>());
    m.domains.windows = domains.value("windows", m.domains.windows);
    m.prompt.prompt = prompt.value("prompt", std::string());
    m.prompt.chat = prompt.value("chat", m.prompt.chat);
    read(prompt, m.prompt.generation);
    m.answers.problems = answers.value("problems", std::string());
    m.answers.limit = answers.value("limit", m.answers.limit);
    m.answers.chat = answers.value("chat", m.answers.chat);
    m.answers.instruction = answers.value("instruction", std::string());
    read(answers, m.answers.generation);
    m.ablation.spec = part(json, "ablation");
    return m;
}

}  // namespace suture
