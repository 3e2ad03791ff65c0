// SPDX-License-Identifier: GPL-3.0-or-later
// The results that several pages show, each following the document.
#pragma once

#include <QTimer>
#include <map>
#include <memory>

#include "core/figures/evaluation.h"
#include "ui/session/finetuning.h"
#include "ui/session/repaired_cache.h"
#include "ui/session/session.h"
#include "ui/session/windows_cache.h"

namespace suture {

struct JobInputs;

/// Known before the model is run over the calibration text.
struct Forecast {
    std::shared_ptr<const Statistics> stored;  ///< from an earlier calibration under the same conditions; null: none
    std::int64_t windows = 0, tokens = 0;
    double seconds = 0;  ///< about how long a calibration takes
    MemoryEstimate memory;
    std::vector<std::string> remarks;  ///< sentences about text and tokenizer
};

/// Dense, pruned and repaired side by side, in that order.
struct EvaluationSet {
    std::vector<EvaluationRow> rows;
    std::vector<std::shared_ptr<const Repaired>> repaired;  ///< per row; null for the dense model
    LayerSet removed;
    Key text_key;           ///< model, text and window settings: all that the dense row depends on
    nlohmann::json report;  ///< {chosen, settings, calibration, conditions, results}, as export takes it
};

/// Only `statistics`, `evaluation` and `exported` are started by a person; the others follow by themselves.
class Results : public QObject {
    Q_OBJECT
public:
    explicit Results(Session& session, QObject* parent = nullptr);

    Live<Forecast> forecast;         ///< of a calibration with the text and settings chosen
    Live<Statistics> statistics;     ///< stale when text or settings changed since
    Live<Repaired> repaired;         ///< the repair in force at document().removed: fine-tuned, imported, or document().repair as fitted
    Live<EvaluationSet> evaluation;  ///< of document().repairs
    Live<ExportResult> exported;
    Live<Repaired> scales;  ///< what document().scales holds
    FineTuning finetuning;  ///< of the repair before it is in force; goes stale with that repair

    /// Starts the pass over the calibration text.
    void calibrate();
    /// Starts dense, pruned and every kind of document().repairs over the evaluation text; calibrates first where a repair needs it.
    void evaluate();
    /// Trains the repair on the calibration text; what comes out is in force while document().finetuned.
    void finetune();
    /// Reads a scales.pt of the published scripts, removes its layers and puts its patch in force.
    void import_scales(const std::filesystem::path& file);
    /// Removes layers by a plan in which kept layers took them up, and puts it in force. `by`: whose plan, in words.
    void adopt_merge(const Variant& merged, const std::string& by);
    /// Writes the repair in force at document().removed to document().export_folder.
    void export_model();
    /// Removes the criterion's best block of document().block_length layers; needs fresh statistics.
    void choose_best_block();
    /// Changes n and criterion of the best block. A cut that was the best block stays the best block.
    void set_block(int length, const std::string& criterion);
    /// document().removed is what choose_best_block() would choose.
    bool is_best_block() const;

    /// Why a button is disabled, as a sentence; empty: it is not.
    QString why_not_calibrate() const;
    QString why_not_evaluate() const;
    QString why_not_export() const;
    QString why_not_finetune() const;
    /// Why document().repair can't repair this cut of this model, as a sentence; empty: it can.
    QString refusal() const;

    /// What is in force instead of document().repair as fitted: a patch from a file, or a merge; null: nothing is.
    std::shared_ptr<const Repaired> imported() const;
    std::shared_ptr<const Repaired> finetuned() const;
    /// What fine-tuning trains: what was imported, or document().repair, here as fitted on all windows; null: not known yet.
    std::shared_ptr<const Repaired> untrained() const;
    /// "LinearPatch, fine-tuned": the repair in force in words.
    std::string repair_label() const;
    /// The name of the repair in force among EvaluationRow::kind.
    std::string repair_row() const;

    /// The patch at the shown seam; null unless `repaired` is fresh and has one. Valid while repaired.value() is held.
    const Patch* shown_patch() const;
    /// Rows for the Evaluate page: those of the last evaluation, marked stale when their conditions have changed.
    std::vector<EvaluationRow> evaluation_rows() const;
    /// How the layers were chosen, in words: "layers 7–10 (4 of 16), best by Cosine block".
    std::string words_of_choice() const;

    /// What a page's own job may use, as things are now.
    JobInputs inputs() const;
    /// Names what is measured side by side: the dense model and document().repairs at document().removed.
    Key variants_key() const;
    /// Names the dense model as it is computed.
    Key dense_key() const;

Q_SIGNALS:
    /// The document or any of the shared results; several changes in a row are told once.
    void changed();
    /// A job that a person started, or one they wait for, ended with an error.
    void failed(QString message, QString details);

private:
    std::vector<LiveBase*> all();
    void watch(LiveBase& live);
    void forget();
    void follow();
    void want_forecast();
    void take_forecast();
    void want_repaired();
    void take_scales();
    void propose_cut();
    std::optional<LayerSet> best_block(const Document& document) const;
    Key statistics_key() const;
    Key repaired_key() const;
    Key untrained_key() const;
    Key finetuning_key() const;
    Key scales_key(const std::filesystem::path& file) const;
    /// Adds what is measured beside document().repairs.
    void add_extra(nlohmann::json& inputs) const;
    Key evaluation_key() const;
    Key evaluation_text_key() const;
    Key export_key() const;

    Session& session_;
    std::shared_ptr<WindowsCache> windows_;
    std::shared_ptr<RepairedCache> fitted_;
    QTimer changed_;
    std::filesystem::path importing_;                                // the file a person asked for, until it is read
    std::map<std::string, std::shared_ptr<const Repaired>> merges_;  // adopted ones, as Document::merge names them
    bool cut_proposed_ = false;                                      // since the model was opened
};

}  // namespace suture
