// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/speed.h"
#include "app/cli/common.h"

namespace suture::cli {
namespace {

struct Options : Common {
    std::vector<std::string> layers;
    SpeedSettings speed;
};

Table speed_table(const SpeedComparison& found, const std::vector<std::string>& names) {
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
    for (std::size_t v = 0; v < names.size(); ++v) {
        const VariantSpeed& s = found.variants[v];
        const auto ms = [](const Timing& timing, double q) { return timing.quantile(q) * 1e3; };
        table.rows.push_back({names[v], ms(s.prefill, 0.5), ms(s.prefill, 0.25), ms(s.prefill, 0.75), found.prefill_speedup(v),
                              ms(s.decode, 0.5), ms(s.decode, 0.25), ms(s.decode, 0.75), found.decode_speedup(v), s.size.parameters,
                              double(s.size.bytes) / 1e6, s.size.kv_bytes_per_token});
    }
    return table;
}

void run(const Options& options) {
    const Study study = options.open();
    std::vector<Variant> variants(1);
    std::vector<std::string> names{"dense"};
    for (const std::string& list : options.layers) {
        variants.emplace_back(LayerSet::parse(list, study.model()->architecture().layers));
        names.push_back("without " + variants.back().removed().text());
    }
    Progress progress = make_progress(options);
    const auto found = measure_speed(study.model(), variants, options.speed, options.job.compute, progress);
    if (!found.conditions["weights_in_memory"])
        options.say("note: the layers do not fit --memory together, so reading them is measured too");
    auto json = found.to_json();
    for (std::size_t v = 0; v < names.size(); ++v)
        json["variants"][v].update({{"name", names[v]}, {"removed", variants[v].removed().layers()}});
    options.write(json, {speed_table(found, names)});
}

}  // namespace

void add_speed(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("speed", "Latency and size of a checkpoint, dense and pruned, measured in turn");
    options->add_to(*command, false);
    command->add_option("--layers", options->layers, "layers to remove, e.g. 3,7-9; repeat the option for more variants")
        ->type_name("LIST")
        ->required()
        ->take_all();
    add_settings(*command, options->speed);
    add_settings(*command, options->job.compute);
    command->callback([options] { run(*options); });
}

}  // namespace suture::cli
