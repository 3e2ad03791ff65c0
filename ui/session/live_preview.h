// SPDX-License-Identifier: GPL-3.0-or-later
// The perplexity of the chosen layers on a small held-out slice, measured in the background after every change.
#pragma once

#include <QTimer>

#include "ui/session/preview_job.h"

namespace suture {

/// Gives way to every other job: it stops when one begins and goes on, from what it has, when all have ended.
class LivePreview : public QObject {
    Q_OBJECT
public:
    LivePreview(Session& session, Results& results, QObject* parent = nullptr);

    bool on() const { return on_; }
    /// Off: nothing is measured and nothing is told.
    void set_on(bool on);
    /// What is known of the layers chosen now; nothing yet: null.
    std::shared_ptr<const PreviewNumbers> numbers() const;
    /// A measurement runs now.
    bool running() const { return interest_.job() != 0; }
    /// Nothing runs, and nothing will before the next change.
    bool settled() const;
    /// "preview, 512 tokens: 61.2 (55.0 – 68.1); unpatched 80.1"; why there is none; or empty.
    QString words() const;
    /// What the numbers rest on.
    QString explanation() const;

Q_SIGNALS:
    void changed();

private:
    Key slices_key() const;
    /// All that the numbers depend on; empty: nothing can be measured.
    Key wanted() const;
    bool waits_for_repair() const;
    void follow();
    void give_way(int job);
    void start(const Key& key);
    void finish(const Key& key, const Outcome& outcome);
    void look();

    Session& session_;
    Results& results_;
    std::shared_ptr<PreviewSlices> slices_ = std::make_shared<PreviewSlices>();
    std::shared_ptr<Feed<PreviewNumbers>> feed_;
    Key feed_key_, running_, done_;
    QString problem_;
    QTimer pause_, watch_;
    Interest interest_;
    bool on_ = true;
};

}  // namespace suture
