// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/domains.h"

#include <algorithm>

#include "core/base/error.h"

namespace suture {
namespace {

/// Windows `first` … `first + count - 1`. A part that does not begin the text is named by its place, so that its results are told
/// from those of the beginning.
Windows part_of(const Windows& all, std::size_t first, std::size_t count) {
    Windows part = all;
    const auto begin = std::ptrdiff_t(first), end = begin + std::ptrdiff_t(count);
    part.ids.assign(all.ids.begin() + begin, all.ids.begin() + end);
    part.counted.assign(all.counted.begin() + begin, all.counted.begin() + end);
    part.settings.windows = std::int64_t(count);
    if (first > 0) part.digest = sha256_hex(all.digest + " from window " + std::to_string(first));
    return part;
}

void check(std::span<const TextSource> texts, const LayerSet& removed, const std::string& kind) {
    if (texts.size() < 2) throw usage_error("a comparison across texts needs at least two of them; add another text");
    if (removed.empty()) throw usage_error("no layer is removed, so there is nothing to patch; choose the layers to remove");
    if (!repair_kind(kind).fitted) throw usage_error("the repair \"" + kind + "\" is not fitted to a text; choose another kind");
}

}  // namespace

TextHalves text_halves(const Study& study, const TextSource& source, const JobSettings& settings) {
    JobSettings own = settings;
    const std::int64_t fit = settings.windows.windows, rest = settings.evaluation_windows;
    own.windows.windows = fit > 0 && rest > 0 ? fit + rest : 0;
    const Windows all = study.calibration_windows(source, own);
    const std::size_t half = all.ids.size() / 2;
    if (half == 0)
        throw Error(all.source + ": the text gives one window of " + std::to_string(all.settings.seqlen) +
                    " tokens, but one to fit on and one to evaluate on are needed; give a longer text or shorter windows");
    const std::size_t room = rest > 0 && all.ids.size() > std::size_t(rest) ? all.ids.size() - std::size_t(rest) : 0;
    const std::size_t fitted = fit > 0 ? std::min(std::max(half, room), std::size_t(fit)) : half;
    const std::size_t left = all.ids.size() - fitted;
    return {part_of(all, 0, fitted), part_of(all, fitted, rest > 0 ? std::min(left, std::size_t(rest)) : left)};
}

DomainMatrix cross_domain(const Study& study, std::span<const TextSource> texts, const LayerSet& removed, const std::string& kind,
                          const JobSettings& settings, Progress& progress) {
    check(texts, removed, kind);
    const auto count = std::int64_t(texts.size());
    DomainMatrix matrix{.perplexity = Matrix({count, count}), .kind = kind};
    std::vector<TextHalves> halves;
    std::vector<Variant> variants{Variant(), Variant(removed)};
    progress.begin("Reading the texts", count, "texts");
    for (const TextSource& text : texts) {
        halves.push_back(text_halves(study, text, settings));
        matrix.texts.push_back(halves.back().fit.source);
        matrix.fitted.push_back(std::int64_t(halves.back().fit.ids.size()));
        matrix.measured.push_back(std::int64_t(halves.back().rest.ids.size()));
        progress.step();
    }
    for (const TextHalves& text : halves) {
        const auto statistics = study.calibrate(text.fit, settings, progress);
        variants.push_back(study.repair(*statistics, text.fit, removed, kind, settings, progress).variant);
    }
    for (std::int64_t column = 0; column < count; ++column) {
        const auto found = study.evaluate(variants, halves[std::size_t(column)].rest, settings, 0, progress);
        matrix.dense.push_back(found[0]->perplexity());
        matrix.unpatched.push_back(found[1]->perplexity());
        for (std::int64_t row = 0; row < count; ++row) matrix.perplexity.at(row, column) = found[std::size_t(2 + row)]->perplexity();
    }
    matrix.conditions = {{"seqlen", settings.windows.seqlen},
                         {"bos", halves[0].fit.bos ? "window" : "never"},
                         {"dtype", settings.compute.dtype},
                         {"removed", removed.layers()},
                         {"repair", settings_to_json(settings.repair)}};
    return matrix;
}

}  // namespace suture
