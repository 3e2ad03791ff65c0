// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/common.h"
#include "core/base/error.h"

namespace suture::cli {
namespace {

std::string tokenizer_of(const std::filesystem::path& folder) {
    if (!Tokenizer::present(folder)) return "none";
    try {
        return Tokenizer::open(folder)->description();
    } catch (const Error& error) {
        return std::string("not usable: ") + error.what();
    }
}

std::string shown(const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : value.is_null() ? "–" : value.dump();
}

void run(const Common& common) {
    const auto facts = inspect_model(common.model, tokenizer_of(common.model));
    Table table{.title = "Checkpoint", .columns = {{"fact"}, {"value"}}};
    for (const auto& [name, value] : facts.items())
        if (name != "warnings") table.rows.push_back({name, shown(value)});
    for (const auto& warning : facts.value("warnings", nlohmann::json::array())) common.say("note: " + warning.get<std::string>());
    common.write(facts, {table});
}

}  // namespace

void add_inspect(CLI::App& app) {
    auto common = std::make_shared<Common>();
    CLI::App* command = app.add_subcommand("inspect", "What a checkpoint is, and whether Suture can work on it");
    common->add_to(*command, false);
    command->callback([common] { run(*common); });
}

}  // namespace suture::cli
