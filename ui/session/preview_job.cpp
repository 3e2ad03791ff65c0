// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/preview_job.h"

#include <algorithm>

#include "core/figures/patch.h"

namespace suture {
namespace {

constexpr std::int64_t slice_tokens[] = {512, 2048};

std::string file_name(const TextSource& source) { return (source.ids.empty() ? source.text : source.ids).filename().string(); }

/// Only the windows first … first+count-1.
Windows part_of(const Windows& windows, std::size_t first, std::size_t count) {
    Windows part = windows;
    const auto begin = std::ptrdiff_t(first), end = std::ptrdiff_t(std::min(first + count, windows.ids.size()));
    part.ids.assign(windows.ids.begin() + begin, windows.ids.begin() + end);
    part.counted.assign(windows.counted.begin() + begin, windows.counted.begin() + end);
    return part;
}

}  // namespace

HeldOut held_out_windows(const JobInputs& inputs, std::int64_t tokens) {
    const Document& d = inputs.document;
    const auto length = std::max<std::int64_t>(d.settings.windows.seqlen, 1);
    const auto wanted = std::size_t((tokens + length - 1) / length + 1);  // one more, as a BOS takes a place in each
    JobSettings more = d.settings;
    if (!d.evaluation.empty() && d.evaluation != d.calibration) {
        more.evaluation_windows = std::int64_t(wanted);
        const auto windows = inputs.windows->evaluation(*inputs.study, d.evaluation, more);
        return {part_of(*windows, 0, wanted), file_name(d.evaluation)};
    }
    const auto used = std::size_t(d.settings.windows.windows);
    if (used > 0) {
        more.windows.windows += std::int64_t(wanted);
        const auto windows = inputs.windows->calibration(*inputs.study, d.calibration, more);
        if (windows->ids.size() > used)
            return {part_of(*windows, used, wanted), file_name(d.calibration) + ", behind the windows that calibration uses"};
    }
    const auto all = inputs.windows->calibration(*inputs.study, d.calibration, d.settings);
    const std::size_t last = std::min(wanted, all->ids.size());
    return {part_of(*all, all->ids.size() - last, last),
            file_name(d.calibration) + ", the last windows that calibration uses too: choose an evaluation text for a fair preview"};
}

const PreviewSlices::Slice& PreviewSlices::of(const Key& key, const JobInputs& inputs, std::int64_t tokens) {
    if (key != key_) slices_.clear();
    key_ = key;
    for (const Slice& slice : slices_)
        if (slice.tokens == tokens) return slice;
    HeldOut held_out = held_out_windows(inputs, tokens);
    slices_.push_back(
        {tokens, std::move(held_out.words),
         std::make_unique<Preview>(inputs.study->model(), preview_slice(held_out.windows, tokens), inputs.document.settings.compute)});
    return slices_.back();
}

std::shared_ptr<const PreviewNumbers> make_preview(const JobInputs& inputs, const Key& slices_key, PreviewSlices& slices,
                                                   Feed<PreviewNumbers>& feed, Progress& progress) {
    const Document& d = inputs.document;
    const auto in_force = inputs.finetuned ? inputs.finetuned : inputs.imported ? inputs.imported : inputs.repaired;
    const bool patched = in_force && (in_force->kind != "none" || in_force->settings.contains("merged"));
    PreviewNumbers shown;
    for (const std::int64_t tokens : slice_tokens) {
        const auto& slice = slices.of(slices_key, inputs, tokens);
        const auto measure = [&](const Variant& variant) {
            return std::make_shared<const Evaluation>(slice.preview->measure(variant, progress));
        };
        const std::int64_t there = slice.preview->slice().tokens();
        if (there == shown.tokens) break;  // the text gives no more
        PreviewNumbers now{.removed = d.removed, .text = slice.text, .tokens = there};
        const auto publish = [&] {
            shown = now;
            feed.change([&](PreviewNumbers& told) { told = now; });
        };
        if (patched) {
            now.repair =
                in_force == inputs.repaired ? row_label(d.repair, d.settings.repair) : repair_words(in_force->kind, in_force->settings);
            now.patched = measure(in_force->variant);
            if (tokens == slice_tokens[0]) publish();  // later ones replace numbers of fewer tokens all at once
        }
        now.unpatched = measure(Variant(d.removed));
        if (tokens == slice_tokens[0]) publish();
        now.dense = measure(Variant());
        publish();
    }
    return std::make_shared<const PreviewNumbers>(std::move(shown));
}

}  // namespace suture
