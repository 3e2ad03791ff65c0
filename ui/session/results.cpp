// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/results.h"

#include <QSettings>
#include <thread>

#include "core/base/error.h"
#include "ui/session/selection_jobs.h"

namespace suture {
namespace {

/// Matrix products of different sizes run at different speeds, so models of other sizes tell little.
QString speed_setting(const Model& model) {
    return QStringLiteral("measured/operations_per_second_hidden_%1").arg(model.architecture().hidden);
}

double expected_speed(const Model& model) {
    constexpr double per_core = 60e9;
    return QSettings().value(speed_setting(model), per_core * std::max(1U, std::thread::hardware_concurrency())).toDouble();
}

/// Learns how fast this machine is; a short run tells nothing.
void remember_speed(const Model& model, double operations, double seconds) {
    if (seconds > 0.5) QSettings().setValue(speed_setting(model), operations / seconds);
}

}  // namespace

Results::Results(Session& session, QObject* parent)
    : QObject(parent),
      forecast(session.lanes()),
      statistics(session.lanes()),
      repaired(session.lanes()),
      evaluation(session.lanes()),
      exported(session.lanes()),
      scales(session.lanes()),
      finetuning(session.lanes()),
      session_(session),
      windows_(std::make_shared<WindowsCache>()),
      fitted_(std::make_shared<RepairedCache>()) {
    changed_.setSingleShot(true);
    connect(&changed_, &QTimer::timeout, this, &Results::changed);
    for (LiveBase* live : all()) watch(*live);
    watch(session_.opening());
    connect(&forecast, &LiveBase::changed, this, &Results::take_forecast);
    connect(&statistics, &LiveBase::changed, this, &Results::propose_cut);
    connect(&statistics, &LiveBase::changed, this, &Results::want_repaired);
    connect(&scales, &LiveBase::changed, this, &Results::take_scales);
    connect(&finetuning.live, &LiveBase::changed, this, &Results::follow);
    connect(&session_, &Session::study_changed, this, &Results::forget);
    connect(&session_, &Session::document_changed, this, &Results::follow);
}

std::vector<LiveBase*> Results::all() { return {&forecast, &statistics, &repaired, &evaluation, &exported, &scales, &finetuning.live}; }

void Results::watch(LiveBase& live) {
    connect(&live, &LiveBase::changed, this, [this, &live, before = live.state()]() mutable {
        if (live.state() == LiveBase::State::Failed && before != LiveBase::State::Failed) Q_EMIT failed(live.message(), live.details());
        before = live.state();
        changed_.start(0);
    });
}

void Results::forget() {
    for (LiveBase* live : all()) live->clear();
    finetuning.clear();
    importing_.clear();
    merges_.clear();
    cut_proposed_ = false;
}

void Results::follow() {
    changed_.start(0);
    if (!session_.study()) return;
    const Document& d = session_.document();
    statistics.expect(statistics_key());
    if (!d.scales.empty() && importing_.empty()) scales.expect(scales_key(d.scales));
    finetuning.expect(finetuning_key());
    evaluation.expect(evaluation_key());
    exported.expect(export_key());
    want_forecast();
    want_repaired();
}

JobInputs Results::inputs() const {
    return {session_.study(),
            session_.document(),
            windows_,
            statistics.fresh_value(),
            imported() || finetuned() ? nullptr : repaired.fresh_value(),
            words_of_choice(),
            fitted_,
            session_.study() ? statistics_key() : Key(),
            imported(),
            finetuned()};
}

void Results::want_forecast() {
    if (session_.document().calibration.empty()) {
        forecast.clear();
        return;
    }
    forecast.want(statistics_key(), tr("Look at the calibration text"), Lane::Light,
                  [inputs = inputs(), speed = expected_speed(**session_.study())](Progress&) { return make_forecast(inputs, speed); });
}

void Results::take_forecast() {
    if (const auto value = forecast.fresh_value(); value && value->stored) statistics.offer(forecast.value_key(), value->stored);
}

void Results::calibrate() {
    if (!why_not_calibrate().isEmpty()) return;
    statistics.allow_again();
    const auto known = forecast.fresh_value();
    const double operations = known && !known->stored ? calibration_operations(**session_.study(), known->tokens) : 0;
    statistics.want(statistics_key(), tr("Calibrate"), Lane::Heavy, [inputs = inputs(), operations](Progress& progress) {
        const auto began = std::chrono::steady_clock::now();
        auto made = make_statistics(inputs, progress);
        if (operations > 0)
            remember_speed(**inputs.study, operations, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
        return made;
    });
}

void Results::propose_cut() {
    if (cut_proposed_ || !statistics.fresh()) return;
    cut_proposed_ = true;
    if (session_.document().removed.empty()) choose_best_block();
}

void Results::choose_best_block() {
    if (const auto block = best_block(session_.document())) session_.remove_layers(*block);
}

std::optional<LayerSet> Results::best_block(const Document& document) const {
    const auto value = statistics.fresh_value();
    if (!value) return std::nullopt;
    try {
        return rank_layers(selection_input(document, value.get()), document.criterion, document.block_length).removed;
    } catch (const Error&) {  // no such block in a model this short
        return std::nullopt;
    }
}

void Results::set_block(int length, const std::string& criterion) {
    Document after = session_.document();
    after.block_length = length;
    after.criterion = criterion;
    if (is_best_block())
        if (const auto block = best_block(after)) after.removed = *block;
    session_.change(std::move(after), tr("Best block of %1").arg(length), QStringLiteral("choose"));
}

bool Results::is_best_block() const { return best_block(session_.document()) == session_.document().removed; }

void Results::evaluate() {
    if (!why_not_evaluate().isEmpty()) return;
    evaluation.allow_again();
    evaluation.want(evaluation_key(), tr("Evaluate"), Lane::Heavy, [inputs = inputs(), text = evaluation_text_key()](Progress& progress) {
        return make_evaluation(inputs, text, progress);
    });
}

void Results::export_model() {
    if (!why_not_export().isEmpty()) return;
    exported.clear();  // a person asks for the files, even if the same were written before
    const auto measured = evaluation.fresh_value();
    exported.want(export_key(), tr("Export"), Lane::Heavy,
                  [inputs = inputs(), report = measured ? measured->report : nlohmann::json()](Progress& progress) {
                      return make_export(inputs, report, progress);
                  });
}

std::vector<EvaluationRow> Results::evaluation_rows() const {
    const auto set = evaluation.value();
    if (!set) return {};
    auto rows = set->rows;
    const bool stale = evaluation.value_key() != evaluation.wanted();
    for (auto& row : rows) row.stale = stale && (row.kind != "dense" || set->text_key != evaluation_text_key());
    return rows;
}

std::string Results::words_of_choice() const {
    const Document& d = session_.document();
    if (d.removed.empty() || !session_.study()) return {};
    return suture::words_of_choice(d.removed, session_.layers(), is_best_block() ? criterion_named(d.criterion).label : std::string());
}

}  // namespace suture
