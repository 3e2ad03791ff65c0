// SPDX-License-Identifier: GPL-3.0-or-later
// Ratios measured in one run, each pair in alternation: suture_bench MODEL TEXT
#include "core/model/internal/decoder.h"
#include "core/tensor/internal/hadamard.h"
#include "core/tensor/internal/threads.h"

#include <chrono>
#include <iostream>

#include "core/base/table.h"
#include "core/study/study.h"

using namespace suture;

namespace {

double seconds(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Runs both in turn, `rounds` times after one warm-up, and adds the medians and their ratio.
void compare(Table& table, const std::string& name, const std::function<void()>& ours, const std::string& other_name,
             const std::function<void()>& other, int rounds) {
    std::vector<double> a, b;
    for (int i = 0; i <= rounds; ++i) {
        const double one = seconds(ours), two = seconds(other);
        if (i == 0) continue;
        a.push_back(one);
        b.push_back(two);
    }
    table.rows.push_back({name, 1000 * median(a), other_name, 1000 * median(b), median(b) / median(a)});
}

void hadamard(Table& table, std::int64_t size) {
    const auto x = at::randn({512, size}), h = Hadamard::of_size(size).matrix(at::kFloat);
    compare(
        table, "x·H, 512 × " + std::to_string(size) + ", fast", [&] { Hadamard::of_size(size).apply(x); }, "dense product",
        [&] { at::matmul(x, h); }, 9);
}

void evaluation(Table& table, const Study& study, const Windows& windows) {
    const int layers = study.model()->architecture().layers, n = proposed_count(layers);
    const std::vector<Variant> variants{{}, Variant(LayerSet::range(layers - n - 1, n)), Variant(LayerSet::range(layers - n - 2, n))};
    Progress progress;
    compare(
        table, "perplexity of the dense model and two cuts, together", [&] { evaluate(study.model(), variants, windows, {}, 0, progress); },
        "one after the other",
        [&] {
            for (const Variant& v : variants) evaluate(study.model(), std::vector{v}, windows, {}, 0, progress);
        },
        3);
}

void calibration(Table& table, const Study& study, const Windows& windows) {
    const auto forward = [&] {
        const c10::InferenceMode no_gradients;
        const Decoder decoder(study.model(), {});
        for (const auto& ids : windows.ids) {
            auto x = decoder.embed(ids);
            for (int l = 0; l < study.model()->architecture().layers; ++l) x = decoder.run(decoder.load(l), x);
        }
    };
    Progress progress;
    compare(
        table, "forward pass alone", forward, "calibration with all observers",
        [&] { calibrate(study.model(), windows, {}, {}, progress); }, 3);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "suture_bench MODEL TEXT\n";
        return 2;
    }
    set_compute_threads(0);
    Table table{.columns = {{"what"}, {"ms", 2}, {"against"}, {"ms", 2}, {"times", 2}}};
    for (const std::int64_t size : {128, 576, 4096}) hadamard(table, size);
    const Study study(argv[1], std::make_shared<Store>(std::filesystem::path()));
    JobSettings settings;
    settings.windows.windows = 4;
    const Windows windows = study.calibration_windows({argv[2], {}}, settings);
    evaluation(table, study, windows);
    calibration(table, study, windows);
    std::cout << table.to_markdown();
}
