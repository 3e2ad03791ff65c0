// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>

#include <QtTest/QtTest>
#include <random>

#include "core/base/error.h"
#include "core/checkpoint/config_file.h"
#include "core/checkpoint/internal/torch_archive.h"
#include "tests/checkpoint/expect_error.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using suture::test::expect_error;

namespace {

std::filesystem::path fixture(const std::string& name) { return test::data("checkpoint/torch/" + name); }

// The formulas the fixtures were made with.
at::Tensor scale_params() { return at::arange(1, 9, at::kFloat).reshape({1, 1, 8}) / 4; }
at::Tensor symmetric_weight() {
    const auto counted = at::arange(64, at::kFloat).reshape({8, 8});
    return (counted + counted.t()) / 2;
}

}  // namespace

class TorchArchiveTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void publishedPatch() {
        const auto archive = read_torch_archive(fixture("patch.pt"));
        QCOMPARE(archive.tensors.size(), 2u);
        QVERIFY(at::equal(archive.tensors.at("scale_params"), scale_params()));
        QVERIFY(at::equal(archive.tensors.at("symmetric_weight"), symmetric_weight()));
        QCOMPARE(archive.scalars, (std::map<std::string, nlohmann::json>{{"start_l", 21}, {"end_l", 30}, {"rotate", true}}));
    }

    void parametersViewsAndScalars() {
        const auto archive = read_torch_archive(fixture("parameters.pth"));
        QVERIFY(at::equal(archive.tensors.at("scale_params"), scale_params()));
        QVERIFY(at::equal(archive.tensors.at("symmetric_weight"), symmetric_weight().to(at::kBFloat16)));
        QVERIFY(at::equal(archive.tensors.at("view"), symmetric_weight().t().slice(0, 1, 3)));
        QVERIFY(at::equal(archive.tensors.at("half"), scale_params().to(at::kHalf)));
        QCOMPARE(archive.tensors.at("ids")[0].item<std::int64_t>(), -1);
        QCOMPARE(archive.tensors.at("ids")[1].item<std::int64_t>(), std::int64_t(1) << 40);
        QCOMPARE(archive.scalars.at("note"), nlohmann::json("λ"));
        QVERIFY(archive.scalars.at("none").is_null());
        QCOMPARE(archive.scalars.at("ratio").get<double>(), 0.1);
        QCOMPARE(archive.scalars.at("rotate"), nlohmann::json(false));
    }

    void nothingIsExecuted() {
        expect_error([] { read_torch_archive(fixture("malicious.pt")); }, {"posix.system", "nothing was executed"});
    }

    void othersAreRefused() {
        expect_error([] { read_torch_archive(fixture("nested.pt")); }, {"\"outer\"", "flat dictionary"});
        expect_error([] { read_torch_archive(fixture("old_format.pt")); }, {"not a zip archive"});
        expect_error([] { read_torch_archive(fixture("absent.pt")); }, {"absent.pt"});
        expect_error([] { read_torch_archive(fixture("README.md")); }, {"not a zip archive"});
    }

    /// Whatever a byte is changed to: an archive or an Error, nothing else, and soon.
    void damagedFilesAreRefusedOrRead() {
        const test::TemporaryFolder folder;
        const auto whole = read_text_file(fixture("parameters.pth"));
        std::mt19937 random(1);
        int refused = 0;
        for (int i = 0; i < 3000; ++i) {
            auto text = whole;
            for (auto j = random() % 3 + 1; j > 0; --j) text[random() % text.size()] = char(random());
            if (i % 10 == 0) text.resize(random() % text.size());
            std::filesystem::remove(folder.path() / "damaged.pt");  // shortening a file in place would wait for the disk
            std::ofstream(folder.path() / "damaged.pt", std::ios::binary) << text;
            try {
                read_torch_archive(folder.path() / "damaged.pt");
            } catch (const Error&) {
                ++refused;
            }
        }
        QVERIFY(refused >= 300);  // at least the shortened ones
    }
};

SUTURE_SUITE(TorchArchiveTest)
#include "test_torch_archive.moc"
