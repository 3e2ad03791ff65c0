// SPDX-License-Identifier: GPL-3.0-or-later
// Where test data lies: tests/data is always there; the larger reference collection may be absent.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace suture::test {

/// A file or folder of tests/data.
inline std::filesystem::path data(const std::string& relative) { return std::filesystem::path(SUTURE_TEST_DATA) / relative; }

/// A file or folder of the reference collection: $SUTURE_SHARED, else a folder "shared" beside the checkout.
/// Empty when it is not there; then the test skips with SUTURE_NEEDS.
inline std::filesystem::path shared(const std::string& relative) {
    const char* given = std::getenv("SUTURE_SHARED");
    const std::filesystem::path root = given ? std::filesystem::path(given) : std::filesystem::path(SUTURE_SOURCE) / ".." / "shared";
    const auto path = root / "data" / relative;
    return std::filesystem::exists(path) ? path : std::filesystem::path();
}

inline nlohmann::json read_json(const std::filesystem::path& file) { return nlohmann::json::parse(std::ifstream(file)); }

inline std::string read_file(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A folder of its own for one test, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder() {
        auto pattern = (std::filesystem::temp_directory_path() / "suture-test-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// |a - b| / max(|b|, floor)
inline double relative_difference(double a, double b, double floor = 1e-30) { return std::abs(a - b) / std::max(std::abs(b), floor); }

}  // namespace suture::test

#define SUTURE_NEEDS(path) \
    if ((path).empty()) QSKIP("the reference collection is not beside this checkout")
