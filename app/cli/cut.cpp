// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cut.h"

#include <chrono>

#include "app/cli/cut_training.h"
#include "core/base/error.h"
#include "core/study/cost.h"

namespace suture::cli {
namespace {

bool fits_something(const std::vector<std::string>& kinds) {
    return std::any_of(kinds.begin(), kinds.end(), [](const auto& kind) { return kind == "auto" || repair_kind(kind).fitted; });
}

Cut imported(const CutOptions& options, const Study& study) {
    Cut cut;
    cut.repaired = {no_repair({}), import_scales(options.scales, *study)};
    cut.removed = cut.repaired[1].variant.removed();
    cut.repaired[0] = no_repair(cut.removed);
    cut.names = {"none", "imported"};
    cut.chosen =
        words_of_choice(cut.removed, study.model()->architecture().layers, "") + " (from " + options.scales.filename().string() + ")";
    return cut;
}

class Maker {
public:
    Maker(const CutOptions& options, const Common& common, const Study& study, Progress& progress)
        : o_(options),
          common_(common),
          study_(study),
          progress_(progress),
          layers_(study.model()->architecture().layers),
          job_(common.job) {
        job_.distillation.seed = common.seed;
    }

    Cut make() {
        read_text();
        choose();
        for (const std::string& kind : o_.kinds()) repair(kind);
        if (o_.finetune) finetune(cut_, job_, common_, study_, progress_);
        return std::move(cut_);
    }

private:
    void read_text() {
        const Criterion& criterion = criterion_named(o_.criterion);
        const bool chooses = o_.layers.empty(), fits = fits_something(o_.kinds()) || o_.finetune;
        const bool statistics = fits || (chooses && (criterion.needs.statistics || o_.choice.keep_massive));
        if (!statistics && !(chooses && criterion.needs.windows())) return;
        if (common_.text.empty())
            throw usage_error("--text FILE (or --ids FILE) is needed to " + std::string(chooses ? "choose layers" : "fit a repair"));
        cut_.calibration = study_.calibration_windows(common_.text, common_.job);
        if (o_.finetune) training_windows(cut_.calibration, job_.distillation);  // throws where there are too few
        say_before_run(common_, study_, cut_.calibration, estimate_calibration(*study_, cut_.calibration, common_.job.compute));
        if (!statistics) return;
        cut_.statistics = study_.stored_statistics(cut_.calibration, common_.job);
        if (cut_.statistics) return;
        const auto began = std::chrono::steady_clock::now();
        cut_.statistics = study_.calibrate(cut_.calibration, common_.job, progress_);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (seconds > 0.5) speed_ = calibration_operations(*study_, cut_.calibration.tokens()) / seconds;
    }

    void choose() {
        std::string label;
        if (!o_.layers.empty()) {
            cut_.removed = LayerSet::parse(o_.layers, layers_);
        } else {
            const SelectionInput input{.statistics = cut_.statistics.get(),
                                       .model = study_.model(),
                                       .windows = &cut_.calibration,
                                       .compute = common_.job.compute,
                                       .repair = o_.ranked_by(),
                                       .repair_settings = common_.job.repair,
                                       .protection = o_.choice.protection(*study_),
                                       .settings = o_.choice.settings,
                                       .progress = &progress_};
            if (o_.choice.keep_massive) common_.say(massive_words(*cut_.statistics));
            const Ranking ranking = study_.rank(input, o_.criterion, o_.remove);
            cut_.choice = {{"criterion", o_.criterion}, {"parameters", ranking.parameters}, {"protection", input.protection.to_json()}};
            if (o_.choice.keep_massive) cut_.choice["massive_activation"] = massive_json(*cut_.statistics);
            if (ranking.merged) common_.say(threshold_words(ranking));
            cut_.removed = ranking.removed;
            merged_ = ranking.merged;
            label = criterion_named(o_.criterion).label;
        }
        cut_.chosen = words_of_choice(cut_.removed, layers_, label);
    }

    void repair(const std::string& kind) {
        if (kind == "auto") return repair_by_recommendation();
        if (!repair_kind(kind).fitted) {
            Repaired none = no_repair(cut_.removed);
            if (merged_) {  // the kept layers took up the removed ones
                none.variant = *merged_;
                none.settings["merged"] = o_.criterion;
            }
            return add(std::move(none), merged_ ? "merged" : kind);
        }
        add(study_.repair(*cut_.statistics, cut_.calibration, cut_.removed, kind, common_.job, progress_),
            repair_json_key(kind, common_.job.repair));
        say_lambda();
    }

    /// Which λ a search of it took, one per seam.
    void say_lambda() const {
        const Repaired& fitted = cut_.repaired.back();
        if (!common_.job.repair.ridge_search || !repair_kind(fitted.kind).ridge) return;
        std::string line;
        char text[32];
        for (const Patch& patch : fitted.patches) {
            std::snprintf(text, sizeof text, "%s%g", line.empty() ? "" : ", ", patch.ridge);
            line += text;
        }
        common_.say(fitted.kind + ": λ " + line + " chosen on held-out windows");
    }

    void say_how_long() const {
        if (speed_ <= 0) return;
        const double seconds = recommendation_operations(*study_, cut_.removed, o_.trials, cut_.calibration.tokens()) / speed_;
        common_.say("repairs are tried on the calibration text: about " + duration_words(seconds));
    }

    void repair_by_recommendation() {
        say_how_long();
        cut_.recommendation = study_.recommend(cut_.calibration, cut_.removed, o_.trials, common_.job, progress_);
        common_.say(cut_.recommendation->reason);
        const RepairTrial& best = cut_.recommendation->recommended();
        if (cut_.recommendation->best == 0) return add(no_repair(cut_.removed), "none");
        job_.repair.massive = best.massive;
        add(study_.repair(*cut_.statistics, cut_.calibration, cut_.removed, best.kind, job_, progress_),
            repair_json_key(best.kind, job_.repair));
        say_lambda();
    }

    void add(Repaired repaired, std::string name) {
        cut_.repaired.push_back(std::move(repaired));
        cut_.names.push_back(std::move(name));
    }

    const CutOptions& o_;
    const Common& common_;
    const Study& study_;
    Progress& progress_;
    int layers_;
    JobSettings job_;  // as given; a recommendation decides about massive tokens
    Cut cut_;
    std::optional<Variant> merged_;
    double speed_ = 0;  // operations per second in the calibration; 0: it came from the cache or was too short to tell
};

}  // namespace

void CutOptions::add_to(CLI::App& app, JobSettings& job, std::vector<std::string>* lists) {
    job_ = &job;
    app.add_option("--remove", remove, "remove so many layers, chosen by --criterion")->type_name("N")->check(CLI::PositiveNumber);
    const std::string layers_help = "remove these layers, counted from 0, e.g. 3,7-9";
    if (lists) app.add_option("--layers", *lists, layers_help + "; repeat the option for more cuts")->type_name("LIST")->take_all();
    else app.add_option("--layers", layers, layers_help)->type_name("LIST");
    app.add_option("--import-patch", scales, "layers and patch from a scales.pt of the published LinearPatch scripts")->type_name("FILE");
    std::string criteria_help = "how to choose layers:";
    std::string repairs_help =
        "repairs to fit, separated by commas:\nauto: the one that does best on calibration windows held out from its fit";
    for (const Criterion* criterion : every_criterion()) criteria_help += "\n" + criterion->name + ": " + criterion->help;
    for (const RepairInfo& info : repair_kinds()) repairs_help += "\n" + info.name + ": " + info.help;
    app.add_option("--criterion", criterion, criteria_help)->capture_default_str();
    choice.add_to(app);
    app.add_option("--repair", repairs, repairs_help)->capture_default_str();
    app.add_option("--auto-kinds", trials.kinds, "with --repair auto: try these kinds only")->delimiter(',')->type_name("KIND[,KIND..]");
    app.add_flag("--massive-each", trials.massive_each,
                 "with --repair auto: try least squares with massive tokens kept, masked and weighted");
    add_settings(app, job.repair);
    app.add_flag(
        "--finetune", finetune,
        "also fine-tune every fitted repair by distillation from the dense model, starting from a fit without the validation windows");
    add_settings(app, job.distillation);
}

std::string CutOptions::ranked_by() const {
    for (const std::string& kind : kinds())
        if (kind != "auto" && repair_kind(kind).fitted) return kind;
    return "none";
}

void CutOptions::check(const std::string& command, const Study& study) const {
    if (int(remove > 0) + int(!layers.empty()) + int(!scales.empty()) != 1)
        throw usage_error(command + ": give exactly one of --remove N, --layers LIST and --import-patch FILE");
    const auto names = kinds();
    if (names.empty()) throw usage_error(command + ": --repair names no repair");
    for (const auto& kind : names) {
        if (kind != "auto") repair_kind(kind);
        if (std::count(names.begin(), names.end(), kind) > 1) throw usage_error(command + ": --repair names " + kind + " twice");
    }
    if (names.size() > 1 && std::find(names.begin(), names.end(), "auto") != names.end())
        throw usage_error(command + ": --repair auto tries the repairs itself; leave out the others, or name them with --auto-kinds");
    if ((trials.massive_each || !trials.kinds.empty()) && names != std::vector<std::string>{"auto"})
        throw usage_error(command + ": --auto-kinds and --massive-each say what --repair auto tries; give that too");
    for (const std::string& kind : trials.kinds)
        if (!repair_kind(kind).fitted) throw usage_error(command + ": --auto-kinds: no repair is always tried; name what is to be fitted");
    const bool ranked = std::find(names.begin(), names.end(), "low-rank") != names.end();
    if (job_ && ranked && job_->repair.rank < 1) throw usage_error(command + ": --rank 0: a rank of at least 1 is needed");
    if (job_ && finetune) check_training(command, names, job_->distillation);
    const Criterion& by = criterion_named(criterion);
    if (by.name == "laco" && names != std::vector<std::string>{"none"} && remove > 0)
        throw usage_error(command + ": laco merges the removed layers into kept ones, which is its own repair; leave out --repair");
    if (remove > 0 && by.needs.repair && ranked_by() == "none")
        throw usage_error(command + ": the criterion " + by.name +
                          " ranks by the first fitted repair of --repair; name one, like linearpatch");
    if (remove > 0 && job_) choice.check(study, job_->calibration, criterion, remove, ranked_by());
    if (finetune && !scales.empty())
        throw usage_error(command + ": --import-patch takes the repair as it is; leave out --finetune (the window can train an import)");
    if (finetune && !fits_something(names))
        throw usage_error(command + ": --finetune needs a repair to start from; name one with --repair");
    if (!layers.empty()) {
        const auto removed = LayerSet::parse(layers, study.model()->architecture().layers);
        for (const auto& kind : names)
            if (const std::string refusal = kind == "auto" ? "" : repair_refusal(kind, *study, removed); !refusal.empty())
                throw Error(refusal);
    }
}

Cut make_cut(const CutOptions& options, const Common& common, const Study& study, Progress& progress) {
    return options.scales.empty() ? Maker(options, common, study, progress).make() : imported(options, study);
}

std::vector<NamedVariant> named_variants(const Cut& cut) {
    std::vector<NamedVariant> named;
    const std::string without = "without " + cut.removed.text();
    for (std::size_t i = 0; i < cut.repaired.size(); ++i)
        named.push_back({cut.names[i] == "none" ? without : without + ", " + cut.names[i], cut.repaired[i].variant});
    return named;
}

std::vector<Variant> variants_of(const std::vector<NamedVariant>& named) {
    std::vector<Variant> variants;
    for (const NamedVariant& n : named) variants.push_back(n.variant);
    return variants;
}

}  // namespace suture::cli
