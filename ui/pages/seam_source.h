// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages about one seam draw from, kept alive together.
#pragma once

#include <memory>

#include "core/figures/seam_view.h"
#include "ui/session/results.h"

namespace suture {

/// A SeamView and the owners of what it points at.
struct SeamLook {
    std::shared_ptr<const Statistics> statistics;
    std::shared_ptr<const Repaired> repaired;
    std::shared_ptr<const Array<float>> sample;
    SeamView view;
};

/// The value was made from other inputs than those wanted now.
inline bool outdated(const LiveBase& live) { return !live.value_key().empty() && live.value_key() != live.wanted(); }

/// Says in the captions that the statistics behind the figures are stale, when they are.
std::vector<Figure> told_stale(std::vector<Figure> figures, const Results& results);

/// Statistics to draw: of the open model, fresh or stale; null: none.
std::shared_ptr<const Statistics> drawable_statistics(const Session& session, const Results& results);

/// The seam of the document, with its patch and what that makes of the sampled tokens as soon as they are known.
class SeamSource : public QObject {
    Q_OBJECT
public:
    SeamSource(Session& session, Results& results, QObject* parent);

    /// Asks for the sampled tokens behind the patch; changed() tells when they are there.
    void want();
    SeamLook look() const;

Q_SIGNALS:
    void changed();

private:
    Key sample_key(const Patch& patch) const;

    Session& session_;
    Results& results_;
    Live<Array<float>> sample_;  // [S, C]
};

}  // namespace suture
