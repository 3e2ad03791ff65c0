// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/checkpoint/config_file.h"
#include "core/study/ablation.h"

namespace suture {
namespace {

template <class S>
bool is_of_type(const nlohmann::json& value, const Setting<S>& field) {
    if (std::holds_alternative<std::int64_t S::*>(field.member)) return value.is_number_integer();
    if (std::holds_alternative<double S::*>(field.member)) return value.is_number();
    if (std::holds_alternative<bool S::*>(field.member)) return value.is_boolean();
    return value.is_string() && (field.choices.empty() ||
                                 std::find(field.choices.begin(), field.choices.end(), value.get<std::string>()) != field.choices.end());
}

/// What is wrong with one group of settings, in a sentence; empty: nothing.
template <class S>
std::string group_problem(const nlohmann::json& json, const std::string& group) {
    if (!json.contains(group)) return {};
    if (!json[group].is_object()) return "\"settings\": \"" + group + "\" should be an object of settings";
    for (const auto& [key, value] : json[group].items()) {
        const auto& fields = S::fields();
        const auto field = std::find_if(fields.begin(), fields.end(), [&, &name = key](const auto& f) { return f.json_name() == name; });
        if (field == fields.end()) return "\"settings\": \"" + key + "\" is no setting of \"" + group + "\"";
        if (!is_of_type(value, *field))
            return "\"settings\": \"" + group + "\": \"" + key + "\" can't be " + value.dump() + "; " + field->help;
    }
    return {};
}

/// Of "settings" as a whole.
std::string settings_problem(const nlohmann::json& json) {
    static const std::set<std::string> known{"windows", "evaluation_windows", "calibration", "repair", "distillation", "compute", "export"};
    if (!json.is_object()) return "\"settings\" should be an object";
    for (const auto& [key, value] : json.items())
        if (!known.contains(key))
            return "\"settings\": \"" + key +
                   "\" is unknown; known are windows, evaluation_windows, calibration, repair, distillation, compute and export";
    if (json.contains("evaluation_windows") &&
        !(json["evaluation_windows"].is_number_integer() && json["evaluation_windows"].get<std::int64_t>() >= 0))
        return "\"settings\": \"evaluation_windows\" should be a whole number of 0 or more";
    for (const std::string& problem :
         {group_problem<WindowSettings>(json, "windows"), group_problem<CalibrationSettings>(json, "calibration"),
          group_problem<RepairSettings>(json, "repair"), group_problem<DistilSettings>(json, "distillation"),
          group_problem<ComputeSettings>(json, "compute"), group_problem<ExportSettings>(json, "export")})
        if (!problem.empty()) return problem;
    return {};
}

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
        const nlohmann::json settings = json_.value("settings", nlohmann::json::object());
        if (const std::string problem = settings_problem(settings); !problem.empty()) refuse(problem);
        spec.settings = JobSettings::from_json(settings);
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
            if (!entry["name"].is_string() || !entry[ids ? "ids" : "text"].is_string() ||
                !entry.value("windows", nlohmann::json(0)).is_number_integer())
                refuse("an entry of \"" + key + "\" should hold texts, and \"windows\" a whole number: " + entry.dump());
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
            if (std::count(spec.repairs.begin(), spec.repairs.end(), name) > 1) refuse("\"repairs\" names " + name + " twice");
        if (spec.ranked_by() == "none" && std::find(spec.criteria.begin(), spec.criteria.end(), "patched") != spec.criteria.end())
            refuse("\"criteria\": patched ranks by a repair, and \"repairs\" names none that is fitted");
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

std::string AblationSpec::ranked_by() const {
    for (const std::string& repair : repairs)
        if (repair_kind(kind_of_repair(repair)).fitted) return kind_of_repair(repair);
    return "none";
}

std::string kind_of_repair(const std::string& repair) { return fine_tunes(repair) ? repair.substr(0, repair.size() - 3) : repair; }

}  // namespace suture
