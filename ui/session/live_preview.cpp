// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/live_preview.h"

#include "core/figures/words.h"

namespace suture {
namespace {

constexpr int pause_milliseconds = 100;  // a drag over the strip is one change
constexpr int watch_milliseconds = 50;

QString with_interval(const Evaluation& evaluation) {
    const auto interval = evaluation.interval();
    QString text = QString::fromStdString(significant(evaluation.perplexity(), 3));
    if (interval)
        text += QStringLiteral(" (%1 – %2)")
                    .arg(QString::fromStdString(significant(interval->low, 3)), QString::fromStdString(significant(interval->high, 3)));
    return text;
}

}  // namespace

LivePreview::LivePreview(Session& session, Results& results, QObject* parent) : QObject(parent), session_(session), results_(results) {
    pause_.setSingleShot(true);
    pause_.setInterval(pause_milliseconds);
    watch_.setInterval(watch_milliseconds);
    connect(&pause_, &QTimer::timeout, this, &LivePreview::follow);
    connect(&watch_, &QTimer::timeout, this, &LivePreview::look);
    const auto later = [this] {
        if (running() && running_ != wanted()) {  // dropped at once; the next one waits for the end of the changes
            interest_.drop();
            running_ = {};
        }
        if (on_) pause_.start();
        Q_EMIT changed();
    };
    connect(&session_, &Session::document_changed, this, later);
    connect(&results_, &Results::changed, this, later);
    connect(&session_, &Session::study_changed, this, [this] { slices_ = std::make_shared<PreviewSlices>(); });
    connect(&session_.lanes(), &Lanes::job_added, this, &LivePreview::give_way);
    connect(&session_.lanes(), &Lanes::job_changed, this, [this](int) {
        if (on_ && !running() && !pause_.isActive() && !session_.lanes().foreground()) pause_.start();
    });
}

void LivePreview::set_on(bool on) {
    if (on == on_) return;
    on_ = on;
    interest_.drop();
    running_ = done_ = {};
    if (on) pause_.start();
    else pause_.stop();
    Q_EMIT changed();
}

Key LivePreview::slices_key() const {
    const Document& d = session_.document();
    return Key::of({{"model", results_.dense_key().hex()},
                    {"calibration", text_stamp(d.calibration)},
                    {"evaluation", text_stamp(d.evaluation)},
                    {"windows", settings_to_json(d.settings.windows)},
                    {"compute", settings_to_json(d.settings.compute)}});
}

Key LivePreview::wanted() const {
    const Document& d = session_.document();
    if (!on_ || !session_.study() || d.removed.empty() || (d.evaluation.empty() && d.calibration.empty())) return {};
    const bool patched = results_.repaired.fresh();
    return Key::of({{"slices", slices_key().hex()},
                    {"removed", d.removed.layers()},
                    {"repaired", patched ? results_.repaired.value_key().hex() : std::string()}});
}

bool LivePreview::waits_for_repair() const {
    if (results_.repaired.fresh() || results_.repaired.state() == LiveBase::State::Failed) return false;
    return results_.repaired.running() || results_.statistics.running();
}

bool LivePreview::settled() const {
    const Key key = wanted();
    return !running() && !pause_.isActive() && (key.empty() || key == done_ || waits_for_repair());
}

void LivePreview::follow() {
    const Key key = wanted();
    if (running() && running_ == key) return;
    interest_.drop();
    running_ = {};
    if (key.empty() || key == done_ || session_.lanes().foreground() || waits_for_repair()) return;
    start(key);
}

void LivePreview::give_way(int job) {
    if (!running() || session_.lanes().job(job)->lane == Lane::Preview) return;
    interest_.drop();
    running_ = {};
}

void LivePreview::start(const Key& key) {
    if (feed_key_ != key) feed_ = std::make_shared<Feed<PreviewNumbers>>();
    feed_key_ = running_ = key;
    problem_.clear();
    interest_ = session_.lanes().submit(
        key, tr("Preview"), Lane::Preview,
        [inputs = results_.inputs(), slices = slices_, slices_key = slices_key(), feed = feed_](Progress& progress) {
            return make_preview(inputs, slices_key, *slices, *feed, progress);
        },
        [this, key](const Outcome& outcome) { finish(key, outcome); });
    watch_.start();
}

void LivePreview::finish(const Key& key, const Outcome& outcome) {
    interest_.drop();
    running_ = {};
    done_ = key;  // also when it failed or a person stopped it: the next change tries again
    problem_ = outcome.message;
    look();
}

void LivePreview::look() {
    if (!running()) watch_.stop();
    Q_EMIT changed();
}

std::shared_ptr<const PreviewNumbers> LivePreview::numbers() const {
    if (!feed_ || feed_->version() == 0 || feed_key_ != wanted()) return nullptr;
    return std::make_shared<const PreviewNumbers>(feed_->value());
}

QString LivePreview::words() const {
    if (!on_ || !session_.study() || session_.document().removed.empty()) return {};
    const auto shown = numbers();
    if (!shown) return problem_.isEmpty() ? (settled() ? QString() : tr("preview: measuring …")) : tr("no preview");
    const QString tokens = tr("preview, %1 tokens: ").arg(QString::fromStdString(grouped(shown->tokens)));
    if (!shown->patched) return tokens + tr("unpatched ") + with_interval(*shown->unpatched);
    if (!shown->unpatched) return tokens + with_interval(*shown->patched);
    return tokens + with_interval(*shown->patched) +
           tr("; unpatched %1").arg(QString::fromStdString(significant(shown->unpatched->perplexity(), 3)));
}

QString LivePreview::explanation() const {
    if (!problem_.isEmpty()) return problem_;
    const auto shown = numbers();
    if (!shown) return {};
    QString text = tr("Perplexity on %1 tokens of %2").arg(shown->tokens).arg(QString::fromStdString(shown->text));
    if (!shown->repair.empty()) text += tr("\nRepair: %1").arg(QString::fromStdString(shown->repair));
    if (shown->dense) text += tr("\nDense model: %1").arg(QString::fromStdString(significant(shown->dense->perplexity(), 3)));
    return text + tr("\n95 % intervals over windows; the evaluation is the number to report");
}

}  // namespace suture
