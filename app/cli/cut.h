// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers go and what takes their place: the options that several subcommands share, and carrying them out.
#pragma once

#include "app/cli/choice_options.h"

namespace suture::cli {

struct CutOptions {
    int remove = 0;
    std::string layers, criterion = "cosine", repairs = "none";
    ChoiceOptions choice;  ///< of --criterion
    std::filesystem::path scales;
    bool finetune = false;
    TrialSettings trials;  ///< of "auto"

    /// Adds the options; the repairs' and fine-tuning's settings go into `job`. Where `lists` is given, --layers may be repeated and
    /// fills that in place of `layers`.
    void add_to(CLI::App& app, JobSettings& job, std::vector<std::string>* lists = nullptr);
    /// Whether a cut was asked for at all.
    bool wanted() const { return remove > 0 || !layers.empty() || !scales.empty(); }
    /// "auto" stands for the recommended kind.
    std::vector<std::string> kinds() const { return split_names(repairs); }
    /// The repair by which the criterion patched ranks: the first that is fitted; "none" when there is none.
    std::string ranked_by() const;
    /// All that can be known to be wrong before the model is run. Throws a usage Error or Error; `command` begins the sentence.
    void check(const std::string& command, const Study& study) const;

private:
    const JobSettings* job_ = nullptr;  ///< what add_to() was given
};

struct Cut {
    LayerSet removed;
    std::string chosen;                            ///< how, in words
    nlohmann::json choice;                         ///< {criterion, parameters, protection} of --remove, for the recipe; else null
    std::shared_ptr<const Statistics> statistics;  ///< null when nothing needed them
    Windows calibration;                           ///< empty when no text was needed
    std::vector<Repaired> repaired;
    std::vector<std::string> names;  ///< of `repaired`: the keys of JSON "variants"
    std::optional<Recommendation> recommendation;
};

/// Chooses, fits and, where asked for, fine-tunes.
Cut make_cut(const CutOptions& options, const Common& common, const Study& study, Progress& progress);

struct NamedVariant {
    std::string name;
    Variant variant;
};

/// What the cut gave, named for people: "without 3-5", "without 3-5, linearpatch_ratio_of_sums".
std::vector<NamedVariant> named_variants(const Cut& cut);
std::vector<Variant> variants_of(const std::vector<NamedVariant>& named);

}  // namespace suture::cli
