// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/statistics.h"

#include <cmath>
#include <numeric>

namespace suture {
namespace {

/// Calls visit(name, array) for every array member, so that writing and reading can't differ.
template <class S, class Visit>
void for_each_array(S& s, Visit&& visit) {
    visit("cosine_token", s.cosine_token);
    visit("cosine_token_axis", s.cosine_token_axis);
    visit("angular_last", s.angular_last);
    visit("angular_all", s.angular_all);
    visit("channel_abs", s.channel_abs);
    visit("window_tokens", s.window_tokens);
    visit("peak", s.peak);
    visit("token_l2", s.token_l2);
    visit("token_abs", s.token_abs);
    visit("square", s.square);
    visit("product", s.product);
    visit("sample", s.sample);
}

template <class S, class Visit>
void for_each_list(S& s, Visit&& visit) {
    visit("sample_tokens", s.sample_tokens);
    visit("window_begin", s.window_begin);
    visit("ids", s.ids);
    visit("counted", s.counted);
}

std::map<std::string, Array<double>>& bucket(Artefact& a, const Array<double>&) { return a.doubles; }
std::map<std::string, Array<float>>& bucket(Artefact& a, const Array<float>&) { return a.floats; }
const std::map<std::string, Array<double>>& bucket(const Artefact& a, const Array<double>&) { return a.doubles; }
const std::map<std::string, Array<float>>& bucket(const Artefact& a, const Array<float>&) { return a.floats; }

}  // namespace

const std::vector<Setting<CalibrationSettings>>& CalibrationSettings::fields() {
    static const std::vector<Setting<CalibrationSettings>> list{
        {"extreme-token", "Extreme token above", "times the point's median L2 norm in the window", &CalibrationSettings::extreme_token},
        {"extreme-channel", "Extreme channel above", "times the median channel's mean |x|", &CalibrationSettings::extreme_channel},
        {"sample", "Sampled tokens", "tokens whose states are kept at all points", &CalibrationSettings::sample},
    };
    return list;
}

std::int64_t Statistics::counted_tokens() const { return std::accumulate(counted.begin(), counted.end(), std::int64_t{0}); }

std::vector<double> Statistics::mean_abs(int basis, int point) const {
    std::vector<double> sum(std::size_t(hidden), 0.0);
    const double tokens_counted = double(counted_tokens());
    for (std::int64_t w = 0; w < windows(); ++w) {
        const auto row = channel_abs.row(basis, point, w);
        for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += row[c] / tokens_counted;
    }
    return sum;
}

double Statistics::mean_l2(int point) const {
    double sum = 0;
    const auto row = token_l2.row(point);
    for (std::size_t t = 0; t < row.size(); ++t)
        if (counted[t]) sum += double(row[t]);
    return sum / double(counted_tokens());
}

double Statistics::incoherence(int basis, int point) const {
    const auto row = square.row(basis, point);
    const double frobenius = std::sqrt(std::accumulate(row.begin(), row.end(), 0.0));
    return peak.at(basis, point) * std::sqrt(double(counted_tokens()) * double(hidden)) / frobenius;
}

std::vector<double> Statistics::block_influence() const {
    std::vector<double> result;
    for (int l = 0; l < layers; ++l) result.push_back(1 - cosine_token.at(l, l + 1));
    return result;
}

Artefact Statistics::to_artefact() const {
    Artefact artefact;
    for_each_array(*this, [&](const char* name, const auto& array) {
        if (!array.empty()) bucket(artefact, array)[name] = array;  // no sample, for one
    });
    for_each_list(*this, [&](const char* name, const auto& list) {
        artefact.integers[name] = Array<std::int64_t>({std::int64_t(list.size())}, list);
    });
    auto tokens_json = nlohmann::json::array(), channels_json = nlohmann::json::array();
    for (const ExtremeToken& t : extreme_tokens)
        tokens_json.push_back({t.window, t.position, t.id, t.point, t.first_point, t.last_point, t.norm, t.median});
    for (const ExtremeChannel& c : extreme_channels) channels_json.push_back({c.point, c.channel, c.mean_abs, c.median});
    artefact.meta = {{"layers", layers},
                     {"hidden", hidden},
                     {"hadamard", hadamard},
                     {"conditions", conditions},
                     {"extreme_tokens", tokens_json},
                     {"extreme_channels", channels_json}};
    return artefact;
}

Statistics Statistics::from_artefact(const Artefact& artefact) {
    Statistics s;
    for_each_array(s, [&](const char* name, auto& array) {
        if (const auto& there = bucket(artefact, array); there.contains(name) || std::string_view(name) != "sample") array = there.at(name);
    });
    for_each_list(s, [&](const char* name, auto& list) { list = artefact.integers.at(name).data; });
    const auto& meta = artefact.meta;
    s.layers = meta.at("layers");
    s.hidden = meta.at("hidden");
    s.hadamard = meta.at("hadamard");
    s.conditions = meta.at("conditions");
    for (const auto& t : meta.at("extreme_tokens")) s.extreme_tokens.push_back({t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]});
    for (const auto& c : meta.at("extreme_channels")) s.extreme_channels.push_back({c[0], c[1], c[2], c[3]});
    return s;
}

}  // namespace suture
