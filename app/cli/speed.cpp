// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/speed.h"

#include "app/cli/cut.h"

namespace suture::cli {
namespace {

struct Options : Common {
    CutOptions cut;
    std::vector<std::string> lists;  ///< of layers: a cut each
    SpeedSettings speed;
};

Table speed_table(const SpeedComparison& found, const std::vector<NamedVariant>& named) {
    Table table{.title = "Speed and size",
                .columns = {{"variant"},
                            {"prefill (ms)", 2},
                            {"25 %", 2},
                            {"75 %", 2},
                            {"speed-up", 3},
                            {"decode (ms per token)", 3},
                            {"25 %", 3},
                            {"75 %", 3},
                            {"speed-up", 3},
                            {"parameters"},
                            {"size (MB)", 2},
                            {"KV cache (bytes per token)"}}};
    for (std::size_t v = 0; v < named.size(); ++v) {
        const VariantSpeed& s = found.variants[v];
        const auto ms = [](const Timing& timing, double q) { return timing.quantile(q) * 1e3; };
        table.rows.push_back({named[v].name, ms(s.prefill, 0.5), ms(s.prefill, 0.25), ms(s.prefill, 0.75), found.prefill_speedup(v),
                              ms(s.decode, 0.5), ms(s.decode, 0.25), ms(s.decode, 0.75), found.decode_speedup(v), s.size.parameters,
                              double(s.size.bytes) / 1e6, s.size.kv_bytes_per_token});
    }
    return table;
}

/// All are checked before the first is made, which may take long.
std::vector<CutOptions> cuts_of(const Options& options, const Study& study) {
    std::vector<CutOptions> cuts(std::max<std::size_t>(options.lists.size(), 1), options.cut);
    for (std::size_t i = 0; i < options.lists.size(); ++i) cuts[i].layers = options.lists[i];
    for (const CutOptions& cut : cuts) cut.check("speed", study);
    return cuts;
}

void run(const Options& options) {
    const Study study = options.open();
    warn_of_length(options, study, "prompt and new tokens are", options.speed.prompt_tokens + options.speed.decode_tokens);
    Progress progress = make_progress(options);
    std::vector<NamedVariant> named{{"dense", Variant()}};
    for (const CutOptions& cut : cuts_of(options, study))
        for (NamedVariant& variant : named_variants(make_cut(cut, options, study, progress))) named.push_back(std::move(variant));
    const std::vector<Variant> variants = variants_of(named);
    const auto found = measure_speed(study.model(), variants, options.speed, options.job.compute, progress);
    if (!found.conditions["weights_in_memory"])
        options.say("note: the layers do not fit --memory together, so reading them is measured too");
    auto json = found.to_json();
    for (std::size_t v = 0; v < named.size(); ++v)
        json["variants"][v].update({{"name", named[v].name}, {"removed", variants[v].removed().layers()}});
    options.write(json, {speed_table(found, named)});
}

}  // namespace

void add_speed(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("speed", "Latency and size of a checkpoint, dense, pruned and repaired, measured in turn");
    options->add_to(*command, true);
    options->cut.add_to(*command, options->job, &options->lists);
    add_settings(*command, options->speed);
    command->callback([options] { run(*options); });
}

}  // namespace suture::cli
