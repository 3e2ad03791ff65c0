// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/internal/token_texts.h"
#include "core/figures/words.h"

namespace suture {
namespace {

/// "3", "3–20": the layers that a massive activation enters.
std::string range_words(std::int64_t first, std::int64_t last) {
    return first == last ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(last);
}

}  // namespace

Table extreme_token_table(const Statistics* statistics, const TokenText& text) {
    Table table{
        .title = "Massive tokens",
        .columns = {{"token"}, {"window"}, {"position"}, {"strongest at layer"}, {"L2 norm", 1}, {"times median", 1}, {"at layers"}}};
    if (!statistics) return table;
    for (const ExtremeToken& t : statistics->extreme_tokens)
        table.rows.push_back(
            {token_text(t.id, text), t.window, t.position, t.point, t.norm, t.norm / t.median, range_words(t.first_point, t.last_point)});
    return table;
}

Table extreme_channel_table(const Statistics* statistics) {
    Table table{.title = "Massive channels", .columns = {{"channel"}, {"layer"}, {"mean |x|"}, {"times median", 1}}};
    if (!statistics) return table;
    for (const ExtremeChannel& c : statistics->extreme_channels)
        table.rows.push_back({c.channel, c.point, c.mean_abs, c.mean_abs / c.median});
    return table;
}

}  // namespace suture
