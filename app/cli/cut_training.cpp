// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cut_training.h"

#include <cmath>

#include "core/base/error.h"
#include "core/distillation/trainable.h"
#include "core/study/report_json.h"

namespace suture::cli {
namespace {

void say_point(const Common& common, const DistilPoint& p) {
    char line[200], training[32] = "–";  // nothing was trained yet
    if (!std::isnan(p.training)) std::snprintf(training, sizeof training, "%.4f", p.training);
    std::snprintf(line, sizeof line, "step %lld · %.0f s · training %s · validation %.4f nats", static_cast<long long>(p.step), p.seconds,
                  training, p.validation);
    common.say(line);
}

class Trainer {
public:
    Trainer(Cut& cut, const JobSettings& job, const Common& common, const Study& study, Progress& progress)
        : cut_(cut), job_(job), common_(common), study_(study), progress_(progress) {
        for (std::size_t i = 0; i < cut.repaired.size(); ++i)
            if (cut.repaired[i].kind != "none") fitted_.push_back(i);
    }

    void run() {
        if (fitted_.empty()) common_.say("nothing was fitted, so nothing is fine-tuned");
        for (const std::size_t i : fitted_)  // all before the first, which takes minutes
            if (const auto problem = training_problem(*study_, cut_.repaired[i], cut_.calibration, job_.distillation, job_.compute);
                !problem.empty())
                throw Error(problem);
        for (const std::size_t i : fitted_) {
            if (train(i)) continue;
            for (const std::size_t left : fitted_)
                if (left > last_) common_.say(cut_.names[left] + " was not fine-tuned");
            common_.say("the command goes on with what was trained; another interrupt cancels it");
            progress_ = go_on_after_interrupt(common_);
            return;
        }
    }

private:
    /// False when it was interrupted.
    bool train(std::size_t i) {
        say_cost(i);
        Distilled distilled;
        try {
            distilled = study_.finetune(cut_.removed, cut_.repaired[i].kind, cut_.calibration, job_, progress_,
                                        [&](const DistilPoint& point) { say_point(common_, point); });
        } catch (const Cancelled&) {  // before its first step
            if (i == fitted_.front()) throw;
            return false;
        }
        last_ = i;
        common_.say("fine-tuning ended: " + distilled.ended);
        if (distilled.best == 0) {
            common_.say("nothing better than its start was found; " + cut_.names[i] + " stays as fitted on all windows");
            Repaired fitted = cut_.repaired[i];
            fitted.settings["finetuned"] = distilled.repaired.settings["finetuned"];
            distilled.repaired = std::move(fitted);
        }
        cut_.names.push_back(finetuned_name(cut_.names[i]));
        cut_.repaired.push_back(std::move(distilled.repaired));
        return !distilled.cancelled;
    }

    void say_cost(std::size_t i) const {
        const DistilCost cost = distil_cost(*study_, cut_.repaired[i], cut_.calibration, job_.distillation);
        const auto validation = job_.distillation.validation;
        char line[240];
        std::snprintf(line, sizeof line,
                      "fine-tuning %s, fitted anew without the %s for validation: %.2f M parameters; %.0f MB of the teacher's answers on "
                      "disk, about %.1f GB in memory",
                      cut_.names[i].c_str(), validation == 1 ? "window" : (std::to_string(validation) + " windows").c_str(),
                      double(cost.parameters) / 1e6, double(cost.teacher) / 1e6, double(cost.memory()) / 1e9);
        common_.say(line);
    }

    Cut& cut_;
    const JobSettings& job_;
    const Common& common_;
    const Study& study_;
    Progress& progress_;
    std::vector<std::size_t> fitted_;  // places in cut_.repaired
    std::size_t last_ = 0;             // the last of them that was trained
};

}  // namespace

void check_training(const std::string& command, const std::vector<std::string>& kinds, const DistilSettings& settings) {
    check_settings(settings);
    for (const std::string& kind : kinds) {
        if (kind == "auto" || !repair_kind(kind).fitted) continue;
        if (const std::string refusal = training_refusal(kind, settings.train); !refusal.empty())
            throw usage_error(command + ": " + refusal);
        if (repair_kind(kind).edits && settings.start != "fitted")
            throw usage_error(command + ": --ft-start " + settings.start + " stands in for a map, and " + kind + " has none; leave it out");
    }
}

void finetune(Cut& cut, const JobSettings& job, const Common& common, const Study& study, Progress& progress) {
    Trainer(cut, job, common, study, progress).run();
}

}  // namespace suture::cli
