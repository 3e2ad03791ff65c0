// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include "core/base/error.h"
#include "core/checkpoint/config_file.h"
#include "core/study/ablation.h"

namespace suture {
namespace {

class Reader {
public:
    Reader(const std::filesystem::path& name, nlohmann::json json) : file_(name), json_(std::move(json)) {}

    AblationSpec read() const {
        static const std::set<std::string> known{"models",   "calibration", "evaluation",          "remove",  "layers",
                                                 "criteria", "repairs",     "calibration_windows", "settings"};
        for (const auto& [key, value] : json_.items())
            if (!known.contains(key))
                refuse("\"" + key +
                       "\" is no member of an ablation; known are models, calibration, evaluation, remove, layers, criteria, repairs, "
                       "calibration_windows and settings");
        AblationSpec spec;
        for (const auto& folder : strings("models")) spec.models.push_back(beside(folder));
        spec.calibration = texts("calibration");
        spec.evaluation = texts("evaluation");
        spec.remove = numbers<int>("remove");
        spec.layers = strings("layers");
        spec.criteria = strings("criteria");
        spec.repairs = strings("repairs");
        spec.calibration_windows = numbers<std::int64_t>("calibration_windows");
        spec.settings = JobSettings::from_json(json_.value("settings", nlohmann::json::object()));
        check(spec);
        return spec;
    }

private:
    [[noreturn]] void refuse(const std::string& sentence) const { throw Error(file_.string() + ": " + sentence); }
    std::filesystem::path beside(const std::filesystem::path& path) const {
        return path.is_absolute() ? path : (file_.parent_path() / path).lexically_normal();
    }

    nlohmann::json list(const std::string& key) const {
        if (!json_.contains(key)) return nlohmann::json::array();
        if (!json_[key].is_array()) refuse("\"" + key + "\" should be a list");
        return json_[key];
    }
    std::vector<std::string> strings(const std::string& key) const {
        std::vector<std::string> values;
        for (const auto& entry : list(key)) {
            if (!entry.is_string()) refuse("\"" + key + "\" should hold texts only, and holds " + entry.dump());
            values.push_back(entry.get<std::string>());
        }
        return values;
    }
    template <class T>
    std::vector<T> numbers(const std::string& key) const {
        std::vector<T> values;
        for (const auto& entry : list(key)) {
            if (!entry.is_number_integer() || entry.get<std::int64_t>() < 1)
                refuse("\"" + key + "\" should hold whole numbers of at least 1, and holds " + entry.dump());
            values.push_back(entry.get<T>());
        }
        return values;
    }
    std::vector<NamedText> texts(const std::string& key) const {
        std::vector<NamedText> result;
        for (const auto& entry : list(key)) {
            if (!entry.is_object() || !entry.contains("name") || entry.contains("text") == entry.contains("ids"))
                refuse("every entry of \"" + key + "\" needs a \"name\" and either a \"text\" or \"ids\"");
            const bool ids = entry.contains("ids");
            const auto path = beside(entry[ids ? "ids" : "text"].get<std::string>());
            if (!std::filesystem::exists(path)) throw Error(path.string() + ": there is no such file");
            result.push_back({entry["name"].get<std::string>(),
                              {ids ? std::filesystem::path() : path, ids ? path : std::filesystem::path()},
                              entry.value("windows", std::int64_t{0})});
        }
        return result;
    }

    void check(const AblationSpec& spec) const {
        if (spec.models.empty()) refuse("\"models\" names no model folder");
        if (spec.calibration.empty()) refuse("\"calibration\" names no text");
        if (spec.evaluation.empty()) refuse("\"evaluation\" names no text");
        if (spec.repairs.empty()) refuse("\"repairs\" names no repair");
        if (spec.remove.empty() && spec.layers.empty()) refuse("neither \"remove\" nor \"layers\" says what to remove");
        if (!spec.remove.empty() && spec.criteria.empty()) refuse("\"remove\" needs \"criteria\" to choose by");
        for (const auto& name : spec.criteria) criterion_named(name);
        for (const auto& name : spec.repairs)
            if (!repair_kind(kind_of_repair(name)).fitted && fine_tunes(name))
                refuse("\"" + name + "\" has nothing to fine-tune; name a repair that is fitted");
        for (const auto* texts : {&spec.calibration, &spec.evaluation}) {
            std::set<std::string> names;
            for (const NamedText& text : *texts)
                if (!names.insert(text.name).second)
                    refuse("two texts of \"" + std::string(texts == &spec.evaluation ? "evaluation" : "calibration") + "\" are called \"" +
                           text.name + "\"; give each its own name");
        }
    }

    std::filesystem::path file_;
    nlohmann::json json_;
};

nlohmann::ordered_json texts_json(const std::vector<NamedText>& texts) {
    auto list = nlohmann::ordered_json::array();
    for (const NamedText& text : texts) {
        const bool ids = !text.source.ids.empty();
        list.push_back({{"name", text.name}, {ids ? "ids" : "text", (ids ? text.source.ids : text.source.text).string()}});
        if (text.windows > 0) list.back()["windows"] = text.windows;
    }
    return list;
}

}  // namespace

AblationSpec AblationSpec::read(const std::filesystem::path& file) { return Reader(file, read_json_file(file)).read(); }

AblationSpec AblationSpec::from_json(const nlohmann::json& json, const std::filesystem::path& name) { return Reader(name, json).read(); }

nlohmann::ordered_json AblationSpec::to_json() const {
    auto folders = nlohmann::ordered_json::array();
    for (const auto& folder : models) folders.push_back(folder.string());
    nlohmann::ordered_json json{{"models", folders}, {"calibration", texts_json(calibration)}, {"evaluation", texts_json(evaluation)}};
    if (!remove.empty()) json["remove"] = remove;
    if (!layers.empty()) json["layers"] = layers;
    if (!criteria.empty()) json["criteria"] = criteria;
    json["repairs"] = repairs;
    if (!calibration_windows.empty()) json["calibration_windows"] = calibration_windows;
    json["settings"] = settings.to_json();
    return json;
}

std::vector<std::int64_t> AblationSpec::windows_of(const NamedText& text) const {
    if (!calibration_windows.empty()) return calibration_windows;
    return {text.windows > 0 ? text.windows : settings.windows.windows};
}

std::int64_t AblationSpec::rows() const {
    std::size_t calibrations = 0;
    for (const NamedText& text : calibration) calibrations += windows_of(text).size();
    const std::size_t choices = layers.size() + remove.size() * criteria.size();
    return std::int64_t(models.size() * (1 + calibrations * choices * repairs.size()));
}

std::string kind_of_repair(const std::string& repair) { return fine_tunes(repair) ? repair.substr(0, repair.size() - 3) : repair; }

}  // namespace suture
