// SPDX-License-Identifier: GPL-3.0-or-later
// The house as the source tree shows it: arrows between rooms, the fence around libtorch, sizes.
#include <QtTest/QtTest>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "tests/support/data.h"
#include "tests/support/suites.h"

namespace {

namespace fs = std::filesystem;

/// The rooms of core from the ground up: each may include itself and those before it.
const std::vector<std::string> rooms{"base",       "tensor", "checkpoint", "store",     "text",   "model", "calibration", "evaluation", "repair", "distillation", "tasks",  "generation", "selection", "export", "study", "figures"};

struct Source {
    std::string path;  ///< below the root, e.g. core/base/key.h
    int lines = 0;
    std::vector<std::string> includes;  ///< what stands between the quotes or brackets
};

const std::vector<Source>& sources() {
    static const std::vector<Source> all = [] {
        std::vector<Source> found;
        const fs::path root = SUTURE_SOURCE;
        for (const char* part : {"core", "ui", "app"})
            for (const auto& entry : fs::recursive_directory_iterator(root / part)) {
                if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
                Source source{fs::relative(entry.path(), root).string(), 0, {}};
                std::ifstream file(entry.path());
                static const std::regex include("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
                std::smatch match;
                for (std::string line; std::getline(file, line); ++source.lines)
                    if (std::regex_search(line, match, include)) source.includes.push_back(match[1]);
                found.push_back(std::move(source));
            }
        return found;
    }();
    return all;
}

std::string part_of(const std::string& path) { return path.substr(0, path.find('/')); }

std::string room_of(const std::string& path) {
    if (part_of(path) != "core") return {};
    const auto begin = path.find('/') + 1;
    return path.substr(begin, path.find('/', begin) - begin);
}

std::ptrdiff_t floor_of(const std::string& room) { return std::find(rooms.begin(), rooms.end(), room) - rooms.begin(); }

bool is_torch(const std::string& include) {
    return include.starts_with("torch/") || include.starts_with("ATen/") || include.starts_with("c10/") || include.starts_with("caffe2/");
}
bool is_qt(const std::string& include) {
    return include == "qcustomplot.h" ||
           (include.size() > 1 && include[0] == 'Q' && std::isupper(static_cast<unsigned char>(include[1]))) || include.starts_with("Qt");
}
bool is_internal(const std::string& path) { return path.find("/internal/") != std::string::npos; }

}  // namespace

class TestHouse : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void arrows_go_down() {
        QVERIFY(sources().size() > 50);
        for (const Source& source : sources())
            for (const std::string& include : source.includes) {
                const std::string from = part_of(source.path), to = part_of(include), what = source.path + " includes " + include;
                if (to == "app") QVERIFY2(from == "app", what.c_str());
                if (to == "ui") QVERIFY2(from == "ui" || source.path.starts_with("app/window/"), what.c_str());
                if (to == "core" && from != "core") QVERIFY2(!is_internal(include), what.c_str());
                if (to == "core" && from == "core") {
                    QVERIFY2(floor_of(room_of(include)) < std::ptrdiff_t(rooms.size()), what.c_str());
                    QVERIFY2(floor_of(room_of(include)) <= floor_of(room_of(source.path)), what.c_str());
                }
            }
    }

    void torch_stays_behind_the_fence() {
        for (const Source& source : sources())
            for (const std::string& include : source.includes)
                if (is_torch(include) || include == "core/tensor/internal/torch.h") {
                    const bool allowed = part_of(source.path) == "core" && (source.path.ends_with(".cpp") || is_internal(source.path));
                    QVERIFY2(allowed, (source.path + " includes " + include).c_str());
                }
    }

    void public_headers_include_no_internal_ones() {
        for (const Source& source : sources())
            if (part_of(source.path) == "core" && source.path.ends_with(".h") && !is_internal(source.path))
                for (const std::string& include : source.includes)
                    QVERIFY2(!is_internal(include), (source.path + " includes " + include).c_str());
    }

    void no_qt_in_core_or_terminal() {
        for (const Source& source : sources())
            if (part_of(source.path) == "core" || source.path.starts_with("app/cli/"))
                for (const std::string& include : source.includes)
                    QVERIFY2(!is_qt(include), (source.path + " includes " + include).c_str());
    }

    void files_stay_small() {
        std::vector<int> lines;
        for (const Source& source : sources()) {
            QVERIFY2(source.lines <= 400, qPrintable(QString("%1 has %2 lines").arg(source.path.c_str()).arg(source.lines)));
            lines.push_back(source.lines);
        }
        std::nth_element(lines.begin(), lines.begin() + std::ptrdiff_t(lines.size() / 2), lines.end());
        QVERIFY2(lines[lines.size() / 2] <= 110, qPrintable(QString("the median file has %1 lines").arg(lines[lines.size() / 2])));
    }
};

SUTURE_SUITE(TestHouse)
#include "test_house.moc"
