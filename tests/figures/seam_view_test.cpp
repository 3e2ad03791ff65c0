// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/seam_view.h"

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

class SeamViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sampled_tokens_behind_a_patch() {
        const Statistics statistics = small_statistics();
        const Array<float> patched = patched_sample(statistics, channel_patch({2, 0.5, 1, -1}));
        QCOMPARE(patched, Array<float>({3, 4}, {2, -1, 0, -1, 6, 0, 0, 1, 0, 2, 0, -2}));
    }

    void no_sample() {
        Statistics statistics = small_statistics();
        statistics.sample = {};
        QVERIFY(patched_sample(statistics, scalar_patch(2)).empty());
    }

    void which_patches_scale_channels_of_which_basis() {
        const auto scales = [](const Patch& patch) {
            return std::pair(scales_channels(patch, Basis::Raw), scales_channels(patch, Basis::Hadamard));
        };
        QCOMPARE(scales(scalar_patch(2)), std::pair(true, true));
        QCOMPARE(scales(channel_patch({1, 2, 3, 4})), std::pair(true, false));
        QCOMPARE(scales(linear_patch({1, 2, 3, 4})), std::pair(false, true));
        QCOMPARE(scales(dense_patch(std::vector<float>(16, 1))), std::pair(false, false));
        const Patch shifted = patch_of({.kind = "scalar", .scale = Array<double>({1}, 2.0), .bias = Array<float>({4}, 1.0f)});
        QCOMPARE(scales(shifted), std::pair(false, false));
    }
};

SUTURE_SUITE(SeamViews)
#include "seam_view_test.moc"
