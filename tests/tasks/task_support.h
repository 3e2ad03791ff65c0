// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>

#include "core/tasks/run.h"
#include "tests/support/data.h"

namespace suture::test {

/// A data folder made of the files given.
class TaskFolder : public TemporaryFolder {
public:
    void write(const std::string& name, const std::string& content) const {
        const auto file = path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << content;
    }
};

inline TaskDocuments read_one(const std::filesystem::path& folder, const std::string& name, const TaskSettings& settings = {}) {
    return read_tasks(folder, {name}, settings).at(0);
}

/// {gold, requests} of every line of a request file.
struct Expected {
    int gold = 0;
    std::vector<Request> requests;
    std::vector<std::int64_t> norm_len;
};

inline std::vector<Expected> expected_requests(const std::filesystem::path& file) {
    std::vector<Expected> list;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const auto json = nlohmann::json::parse(line);
        Expected expected{json["gold"], {}, json.value("norm_len", std::vector<std::int64_t>())};
        for (const auto& request : json["requests"]) expected.requests.push_back({request[0], request[1]});
        list.push_back(std::move(expected));
    }
    return list;
}

/// A result of hand-made rows.
inline TaskResult hand_made(const std::string& name, std::vector<TaskRow> rows, std::vector<std::string> metrics = {"acc"}) {
    TaskResult result;
    result.name = name;
    result.metrics = std::move(metrics);
    result.rows = std::move(rows);
    return result;
}

}  // namespace suture::test
