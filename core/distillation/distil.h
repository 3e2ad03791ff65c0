// SPDX-License-Identifier: GPL-3.0-or-later
// Fine-tuning of a repair by distillation: the dense model teaches the repaired one on the same text (LinearPatch's "+FT").
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/repair/repair.h"
#include "core/store/store.h"

namespace suture {

struct DistilSettings {
    std::string train = "auto";    ///< what is trained: "matrix" P in full, "scale" d only, "low-rank" two factors, "down" the edited down
                                   ///< projections, "layers" all projections from the layer in front of the first seam on; "auto" what
                                   ///< the repair is made of
    std::string start = "fitted";  ///< "fitted": the repair as it is; "identity" or "random" (identity and noise) maps in its place
    std::string target = "tail";   ///< teacher distribution: "renormalised" over its top K; "tail" top K and one bucket for all others
    std::int64_t top_k = 64;
    double learning_rate = 3e-4;  ///< at its peak: warm-up over 5 % of the run, then a cosine down to a twentieth
    double decay = 0.01;          ///< AdamW's decoupled decay, towards the start value
    double clip = 1;              ///< gradient norm
    std::int64_t epochs = 1;
    std::int64_t batch = 4;            ///< windows per step
    double minutes = 10;               ///< of training at most; 0: no limit
    std::int64_t validation = 8;       ///< windows at the end of the text that are validated on
    std::int64_t validate_every = 10;  ///< steps
    std::int64_t patience = 0;         ///< validations without a new best before it stops; 0: never
    std::int64_t seed = 0;

    static const std::vector<Setting<DistilSettings>>& fields();
};

struct DistilPoint {
    std::int64_t step = 0, tokens = 0;
    double seconds = 0, learning_rate = 0;
    double training = 0;    ///< mean KL per token over the steps since the last point, nats
    double validation = 0;  ///< mean KL per token, nats
};

struct Distilled {
    Repaired repaired;               ///< the best weights seen
    std::vector<DistilPoint> curve;  ///< the first point is the start
    std::size_t best = 0;            ///< its place in the curve
    std::string ended;               ///< why it stopped, one clause: "all windows seen", "10 minutes are over", "diverged at step …", …
    bool cancelled = false, diverged = false;
    std::int64_t parameters = 0;  ///< trained
    nlohmann::json to_json() const;
};

/// What a run will take, known before it starts. Bytes.
struct DistilCost {
    std::uint64_t teacher = 0;  ///< on disk: top-K log-probabilities and ids of every token
    std::uint64_t states = 0;   ///< in memory: the stream in front of the first trained step
    std::uint64_t weights = 0;  ///< in memory: what is trained, its gradient, two moments, its start and its best value
    std::uint64_t working = 0;  ///< in memory: a step's activations, the layers behind the first seam, the head, the teacher's rows; about
    std::int64_t parameters = 0;
    std::uint64_t memory() const { return states + weights + working; }
};
DistilCost distil_cost(const Model& model, const Repaired& start, const Windows& windows, const DistilSettings& settings);

/// The windows that steps are made of: all but the last `validation` ones. Throws Error when none would be left.
Windows training_windows(const Windows& windows, const DistilSettings& settings);

/// Why `start` can't be trained like this, in one sentence: too few windows, or the memory limit. Empty: it can.
std::string training_problem(const Model& model, const Repaired& start, const Windows& windows, const DistilSettings& settings,
                             const ComputeSettings& compute);

/// Trains `start` on all windows but the last `validation` ones. Stopping it keeps the best weights so far: Cancelled is not thrown
/// once training has begun. The teacher's distributions are looked for and kept in `store`. `watch` gets every point of the curve.
/// Throws Error when nothing can be trained or there is a training_problem().
Distilled distil(std::shared_ptr<const Model> model, const Repaired& start, const Windows& windows, const DistilSettings& settings,
                 const ComputeSettings& compute, Store& store, Progress& progress,
                 const std::function<void(const DistilPoint&)>& watch = nullptr);

}  // namespace suture
