// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/seam_source.h"

#include <nlohmann/json.hpp>

namespace suture {

std::vector<Figure> told_stale(std::vector<Figure> figures, const Results& results) {
    if (!outdated(results.statistics)) return figures;
    for (Figure& figure : figures)
        if (figure.empty.empty()) figure.caption = "stale: another text or other settings than those chosen now · " + figure.caption;
    return figures;
}

std::shared_ptr<const Statistics> drawable_statistics(const Session& session, const Results& results) {
    auto value = results.statistics.value();
    return value && value->layers == session.layers() ? value : nullptr;
}

SeamSource::SeamSource(Session& session, Results& results, QObject* parent)
    : QObject(parent), session_(session), results_(results), sample_(session.lanes()) {
    connect(&sample_, &LiveBase::changed, this, &SeamSource::changed, Qt::QueuedConnection);
    connect(&session, &Session::study_changed, this, [this] { sample_.clear(); });
}

Key SeamSource::sample_key(const Patch& patch) const {
    return Key::of({{"result", "patched sample"}, {"repaired", results_.repaired.value_key().hex()}, {"seam", patch.seam.start}});
}

void SeamSource::want() {
    const Patch* patch = results_.shown_patch();
    const auto statistics = results_.statistics.fresh_value();
    if (!patch || !statistics || statistics->sample.empty()) return;
    sample_.want(sample_key(*patch), tr("Patch the sampled tokens"), Lane::Light,
                 [statistics, repaired = results_.repaired.value(), patch](Progress&) {  // `repaired` owns the patch
                     return std::make_shared<const Array<float>>(patched_sample(*statistics, *patch));
                 });
}

SeamLook SeamSource::look() const {
    SeamLook look;
    look.statistics = drawable_statistics(session_, results_);
    look.view.statistics = look.statistics.get();
    look.view.seam = session_.document().shown_seam();
    const Patch* patch = results_.shown_patch();
    if (!patch || !results_.statistics.fresh()) return look;
    look.repaired = results_.repaired.value();
    look.view.patch = patch;
    if (sample_.value_key() == sample_key(*patch)) look.sample = sample_.value();
    look.view.patched_sample = look.sample.get();
    return look;
}

}  // namespace suture
