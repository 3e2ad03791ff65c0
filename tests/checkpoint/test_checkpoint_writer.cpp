// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint_writer.h"
#include "core/checkpoint/config_file.h"
#include "core/checkpoint/tensor_source.h"
#include "tests/checkpoint/expect_error.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using suture::test::expect_error;
namespace fs = std::filesystem;

namespace {

const std::vector<float> four{1, 2, 3, 4}, two{5, 6};

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }
int entries(const fs::path& folder) { return int(std::distance(fs::directory_iterator(folder), {})); }

/// Three tensors of 16, 8 and 16 bytes, a text and a copied file.
CheckpointWriter sample(const fs::path& target, const fs::path& side_file, WriterOptions options = {}) {
    CheckpointWriter writer(target, std::move(options));
    writer.add_tensor("c", "F32", {2, 2}, std::as_bytes(std::span(four)));
    writer.add_tensor("a", "F32", {2}, std::as_bytes(std::span(two)));
    writer.add_tensor("b", "I32", {4}, [](const CheckpointWriter::Sink& sink) {
        for (std::int32_t i = 0; i < 4; ++i) sink(std::as_bytes(std::span(&i, 1)));
    });
    writer.add_text("suture.json", "{\"files\": [\"suture.json\", \"model.safetensors\", \"tokenizer.json\", \"mark\"]}");
    writer.add_file("tokenizer.json", side_file);
    return writer;
}

}  // namespace

class CheckpointWriterTest : public QObject {
    Q_OBJECT
    test::TemporaryFolder folder_;
    fs::path side_file_, target_;
    Progress silent_;

private Q_SLOTS:
    void init() {
        for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove_all(entry);
        side_file_ = folder_.path() / "side";
        target_ = folder_.path() / "target";
        write(side_file_, std::string("bytes\0\r\n", 8));
    }

    void oneFile() {
        auto writer = sample(target_, side_file_);
        const auto plan = writer.plan();
        QCOMPARE(writer.commit(silent_).size(), 3u);
        std::uint64_t total = 0;
        for (const auto& file : plan) {
            QCOMPARE(fs::file_size(target_ / file.name), file.bytes);
            total += file.bytes;
        }
        QCOMPARE(total, writer.total_bytes());
        QCOMPARE(entries(target_), 3);
        QCOMPARE(entries(folder_.path()), 2);
        const auto header = read_safetensors_header(target_ / "model.safetensors");
        QCOMPARE(header.header_bytes % 8, 0u);
        QCOMPARE(header.metadata.at("format"), std::string("pt"));
        QCOMPARE(header.tensors[0].name + header.tensors[1].name + header.tensors[2].name, std::string("cab"));
        const auto source = TensorSource::open(target_);
        QVERIFY(std::ranges::equal(source->bytes("c"), std::as_bytes(std::span(four))));
        const std::vector<std::int32_t> numbers{0, 1, 2, 3};
        QVERIFY(std::ranges::equal(source->bytes("b"), std::as_bytes(std::span(numbers))));
        QCOMPARE(read_text_file(target_ / "tokenizer.json"), std::string("bytes\0\r\n", 8));
    }

    void shardsBySize_data() {
        QTest::addColumn<int>("shard_bytes");
        QTest::addColumn<int>("shards");
        QTest::newRow("everything fits") << 40 << 1;
        QTest::newRow("24 + 16") << 39 << 2;
        QTest::newRow("16, 8, 16") << 16 << 3;
        QTest::newRow("smaller than any tensor") << 1 << 3;
    }
    void shardsBySize() {
        QFETCH(int, shard_bytes);
        QFETCH(int, shards);
        sample(target_, side_file_, {.shard_bytes = std::uint64_t(shard_bytes)}).commit(silent_);
        const auto source = TensorSource::open(target_);
        QCOMPARE(int(source->files().size()), shards);
        QVERIFY(std::ranges::equal(source->bytes("a"), std::as_bytes(std::span(two))));
        if (shards == 1) return;
        const auto index = read_json_file(target_ / "model.safetensors.index.json");
        QCOMPARE(index["metadata"]["total_size"].get<int>(), 40);
        QCOMPARE(index["weight_map"].size(), 3u);
        QCOMPARE(source->files().front().filename().string(), "model-00001-of-0000" + std::to_string(shards) + ".safetensors");
    }

    void realFolderComesBackEqual() {
        const auto folder = test::shared("models/stories260K-hf-sharded");
        SUTURE_NEEDS(folder);
        const auto source = TensorSource::open(folder);
        CheckpointWriter writer(target_, {.shard_bytes = 200'000, .overwrite = false, .sacred = {folder}});
        for (const auto& tensor : source->tensors()) writer.add_tensor(tensor.name, tensor.dtype, tensor.shape, source->bytes(tensor.name));
        writer.commit(silent_);
        const auto copy = TensorSource::open(target_);
        QVERIFY(copy->files().size() > 3);
        QCOMPARE(copy->tensors().size(), 47u);
        for (const auto& tensor : source->tensors()) {
            QCOMPARE(copy->info(tensor.name).shape, tensor.shape);
            QVERIFY(std::ranges::equal(copy->bytes(tensor.name), source->bytes(tensor.name)));
        }
    }

    void cancelAtAnyStepLeavesNothing() {
        int steps = 0;
        Progress counting({}, [&](const ProgressReport&) { ++steps; });
        sample(target_ / "in" / "new folders", side_file_).commit(counting);
        fs::remove_all(target_);
        QVERIFY(steps > 8);
        for (int stop_at = 1; stop_at < steps; ++stop_at) {
            std::stop_source stop;
            int step = 0;
            Progress progress(stop.get_token(), [&](const ProgressReport&) {
                if (++step == stop_at) stop.request_stop();
            });
            auto writer = sample(target_ / "in" / "new folders", side_file_);
            QVERIFY_THROWS_EXCEPTION(Cancelled, writer.commit(progress));
            QCOMPARE(entries(folder_.path()), 1);
        }
    }

    void failureKeepsTheOldFolder() {
        sample(target_, side_file_).commit(silent_);
        write(target_ / "mark", "old");
        auto writer = sample(target_, side_file_, {.overwrite = true});
        writer.add_tensor("d", "F32", {1}, [](const auto&) { throw Error("no more"); });
        expect_error([&] { writer.commit(silent_); }, {"no more"});
        QCOMPARE(read_text_file(target_ / "mark"), std::string("old"));
        QCOMPARE(entries(folder_.path()), 2);
        sample(target_, side_file_, {.overwrite = true}).commit(silent_);
        QVERIFY(!fs::exists(target_ / "mark"));
        QCOMPARE(entries(folder_.path()), 2);
    }

    void existingTargets() {
        fs::create_directory(target_);
        expect_error([&] { sample(target_, side_file_).commit(silent_); }, {"exists already"});
        sample(target_, side_file_, {.overwrite = true}).commit(silent_);
        write(target_ / "mynotes.txt", "keep me");  // not in suture.json's list
        expect_error([&] { sample(target_, side_file_, {.overwrite = true}).commit(silent_); }, {"mynotes.txt", "did not write"});
        QCOMPARE(read_text_file(target_ / "mynotes.txt"), std::string("keep me"));
        QVERIFY(!sample(target_, side_file_, {.overwrite = true}).problem().empty());
        fs::remove(target_ / "mynotes.txt");
        QVERIFY(sample(target_, side_file_, {.overwrite = true}).problem().empty());
        fs::remove(target_ / "suture.json");
        expect_error([&] { sample(target_, side_file_, {.overwrite = true}).commit(silent_); }, {"suture.json", "won't replace"});
        expect_error([&] { sample(side_file_, side_file_, {.overwrite = true}).commit(silent_); }, {"is a file"});
        QCOMPARE(read_text_file(side_file_).size(), 8u);
    }

    void sourcesAreNeverWrittenTo_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"source", "source/", "source/inside", "other/../source", "link", "link/inside", "."})
            QTest::newRow(target) << target;
    }
    void sourcesAreNeverWrittenTo() {
        QFETCH(QString, target);
        fs::create_directory(folder_.path() / "source");
        fs::create_directory(folder_.path() / "other");
        write(folder_.path() / "source" / "suture.json", "{}");
        fs::create_directory_symlink(folder_.path() / "source", folder_.path() / "link");
        for (const char* source : {"source", "link"}) {
            auto writer =
                sample(folder_.path() / target.toStdString(), side_file_, {.overwrite = true, .sacred = {folder_.path() / source}});
            expect_error([&] { writer.commit(silent_); }, {"source folder"});
        }
        QCOMPARE(entries(folder_.path() / "source"), 1);
        QCOMPARE(entries(folder_.path()), 4);
    }

    void mistakesOfTheCaller() {
        const auto with = [&](auto add) {
            auto writer = sample(target_, side_file_);
            add(writer);
            writer.commit(silent_);
        };
        const auto none = [](const auto&) {};
        expect_error([&] { with([&](auto& w) { w.add_tensor("a", "F32", {0}, none); }); }, {"\"a\"", "twice"});
        expect_error([&] { with([&](auto& w) { w.add_text("model.safetensors", ""); }); }, {"model.safetensors", "twice"});
        expect_error([&] { with([&](auto& w) { w.add_text("../x", ""); }); }, {"../x"});
        expect_error([&] { with([&](auto& w) { w.add_tensor("d", "F32", {1}, none); }); }, {"\"d\"", "4 bytes"});
        expect_error([&] { with([&](auto& w) { w.add_tensor("d", "F99", {1}, none); }); }, {"\"d\"", "F99"});
        expect_error([&] { with([&](auto& w) { w.add_tensor("d", "F32", {-1}, none); }); }, {"\"d\"", "-1"});
        expect_error([&] { with([&](auto& w) { w.add_tensor("d", "F32", {3}, std::as_bytes(std::span(two))); }); }, {"\"d\"", "12"});
        expect_error([&] { with([&](auto& w) { w.add_file("d", folder_.path() / "absent"); }); }, {"absent"});
        expect_error([&] { with([&](auto& w) { w.add_tensor("d", "U8", {std::int64_t(1) << 58}, none); }); }, {"are free"});
        QCOMPARE(entries(folder_.path()), 1);
    }
};

SUTURE_SUITE(CheckpointWriterTest)
#include "test_checkpoint_writer.moc"
