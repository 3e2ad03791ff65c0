// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>

#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/checkpoint/config_file.h"
#include "core/checkpoint/internal/as_tensor.h"
#include "core/checkpoint/internal/tensor_file.h"
#include "core/checkpoint/tensor_source.h"
#include "tests/checkpoint/expect_error.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using suture::test::expect_error;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// Three files: "one" and "two" hold a tensor "test", "three" holds "a" and "b".
struct Sharded : test::TemporaryFolder {
    Sharded() {
        copy("ok_basic", "one");
        copy("ok_scalar_empty_shape", "two");
        copy("ok_metadata_and_unsorted_header", "three");
    }
    void copy(const std::string& fixture, const std::string& shard) const {
        fs::copy_file(test::data("checkpoint/safetensors/" + fixture + ".safetensors"), path() / (shard + ".safetensors"),
                      fs::copy_options::overwrite_existing);
    }
    void index(const std::string& weight_map) const {
        write(path() / "model.safetensors.index.json", R"({"weight_map": )" + weight_map + "}");
    }
};

struct MappingRefused {
    MappingRefused() { TensorFile::mapping_refused = true; }
    ~MappingRefused() { TensorFile::mapping_refused = false; }
};

}  // namespace

class TensorSourceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void indexDecides() {
        const Sharded folder;
        folder.index(R"({"test": "two.safetensors", "a": "three.safetensors", "b": "three.safetensors"})");
        const auto source = TensorSource::open(folder.path());
        QCOMPARE(source->tensors().size(), 3u);
        QCOMPARE(source->tensors()[0].name, std::string("a"));
        QCOMPARE(source->info("test").file.filename(), fs::path("two.safetensors"));
        QCOMPARE(source->total_bytes(), 4u + 8u + 8u);
        QCOMPARE(source->files().size(), 2u);
        QVERIFY(!source->contains("c"));
        expect_error([&] { source->info("c"); }, {"\"c\"", folder.path().string()});
    }

    void brokenIndicesAreNamed() {
        const Sharded folder;
        const auto open = [&] { TensorSource::open(folder.path()); };
        folder.index(R"({"test": "two.safetensors", "x": "four.safetensors"})");
        expect_error(open, {"four.safetensors", "missing", "\"x\""});
        folder.index(R"({"test": "two.safetensors", "x": "three.safetensors"})");
        expect_error(open, {"\"x\"", "not in three.safetensors"});
        folder.index(R"({"test": "three.safetensors", "a": "two.safetensors"})");
        expect_error(open, {"\"a\"", "not in two.safetensors", "but in three.safetensors"});
        folder.index(R"({"test": "one.safetensors", "a": "three.safetensors", "b": "two.safetensors"})");
        expect_error(open, {"\"test\"", "two files", "one.safetensors", "two.safetensors"});
        folder.index(R"({"test": "../two.safetensors"})");
        expect_error(open, {"\"test\"", "same folder"});
        folder.index(R"({"test": "one.safetensors", "test": "two.safetensors"})");
        expect_error(open, {"\"test\"", "twice"});
        folder.index("{}");
        expect_error(open, {"weight_map"});
    }

    void foldersWithoutUsableWeights() {
        const test::TemporaryFolder folder;
        const auto open = [&] { TensorSource::open(folder.path()); };
        expect_error(open, {"no *.safetensors"});
        write(folder.path() / "model.gguf", "");
        expect_error(open, {"model.gguf", "safetensors"});
        write(folder.path() / "pytorch_model.bin", "");
        expect_error(open, {"pytorch_model.bin", "pickle"});
        expect_error([&] { TensorSource::open(folder.path() / "absent"); }, {"no such folder"});
        expect_error([&] { TensorSource::open(folder.path() / "model.gguf"); }, {"is a file"});
        const Sharded several;
        expect_error([&] { TensorSource::open(several.path()); }, {"3 safetensors files", "index"});
    }

    void theOnlyFileIsTaken() {
        const test::TemporaryFolder folder;
        fs::copy_file(test::data("checkpoint/safetensors/ok_basic.safetensors"), folder.path() / "weights.safetensors");
        const auto source = TensorSource::open(folder.path());
        QCOMPARE(source->bytes("test").size(), 16u);
        Progress silent;
        // printf '\0%.0s' $(seq 16) | sha256sum
        QCOMPARE(source->content_hash(silent), std::string("374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb"));
    }

    void tensorsOutliveTheSourceAndRelease_data() {
        QTest::addColumn<bool>("refused");
        QTest::newRow("mapped") << false;
        QTest::newRow("read because mapping fails") << true;
    }
    void tensorsOutliveTheSourceAndRelease() {
        QFETCH(bool, refused);
        const auto before = TensorFile::mapping_refused;
        TensorFile::mapping_refused = refused;
        const Sharded folder;
        folder.index(R"({"a": "three.safetensors", "b": "three.safetensors"})");
        auto source = TensorSource::open(folder.path());
        TensorFile::mapping_refused = before;
        const auto a = as_tensor(*source, "a"), b = as_tensor(*source, "b");  // [2] float32 each: 1, 2 and 3, 4
        source->release("a");
        source->release("a");
        QCOMPARE(as_tensor(*source, "a")[1].item<float>(), 2.0f);
        source.reset();
        QCOMPARE(a[0].item<float>(), 1.0f);
        QCOMPARE(b[1].item<float>(), 4.0f);
    }

    void refusedMappingReadsTheSameBytes() {
        const auto folder = test::shared("models/archs/llama_sharded");
        SUTURE_NEEDS(folder);
        const auto mapped = TensorSource::open(folder);
        const MappingRefused refused;
        const auto read = TensorSource::open(folder);
        for (const auto& tensor : mapped->tensors()) QVERIFY(std::ranges::equal(mapped->bytes(tensor.name), read->bytes(tensor.name)));
        QCOMPARE(read->tensors().size(), 48u);
    }

    void contentHashesOfRealFolders_data() {
        // Computed in Python with json, struct and hashlib over the tensors' bytes in name order.
        QTest::addColumn<QString>("hash");
        QTest::newRow("models/stories260K-hf") << "4c0d588356b950e16c58026e4277a61be6918d6a039999419b330dd1261ff38e";
        QTest::newRow("models/stories260K-hf-sharded") << "4c0d588356b950e16c58026e4277a61be6918d6a039999419b330dd1261ff38e";
        QTest::newRow("models/archs/llama_sharded") << "d757a82c1c797021b11eb8168c76609d947f20e42422d128b5d3a305ae03c070";
    }
    void contentHashesOfRealFolders() {
        QFETCH(QString, hash);
        const auto folder = test::shared(QTest::currentDataTag());
        SUTURE_NEEDS(folder);
        Progress silent;
        QCOMPARE(QString::fromStdString(TensorSource::open(folder)->content_hash(silent)), hash);
    }

    void hashingCanBeCancelled() {
        const Sharded folder;
        folder.index(R"({"test": "one.safetensors"})");
        std::stop_source stop;
        Progress progress(stop.get_token(), [&](const ProgressReport&) { stop.request_stop(); });
        QVERIFY_THROWS_EXCEPTION(Cancelled, TensorSource::open(folder.path())->content_hash(progress));
    }

    void identityFollowsConfigIndexAndHeaders() {
        const Sharded folder, twin;
        folder.index(R"({"test": "one.safetensors"})");
        twin.index(R"({"test": "one.safetensors"})");
        const auto identity = TensorSource::open(folder.path())->identity("{}");
        QCOMPARE(TensorSource::open(twin.path())->identity("{}"), identity);
        QVERIFY(TensorSource::open(folder.path())->identity("{ }") != identity);
        twin.index(R"({"test":  "one.safetensors"})");
        QVERIFY(TensorSource::open(twin.path())->identity("{}") != identity);
        twin.index(R"({"test": "one.safetensors"})");
        twin.copy("ok_scalar_empty_shape", "one");
        QVERIFY(TensorSource::open(twin.path())->identity("{}") != identity);
    }
};

class ConfigFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void orderIsKept() {
        const test::TemporaryFolder folder;
        const std::string text = R"({"zeta":1,"alpha":{"y":[1,2.5],"b":null},"m":"é"})";
        write(folder.path() / "config.json", text);
        QCOMPARE(read_json_file(folder.path() / "config.json").dump(), text);
    }

    void mistakesAreLocated() {
        const test::TemporaryFolder folder;
        const auto file = folder.path() / "config.json";
        const auto read = [&] { read_json_file(file); };
        expect_error(read, {"no such file", file.string()});
        write(file, "{\n  \"a\": 1,\n  \"b\": x\n}");
        expect_error(read, {"line 3, column 8", file.string()});
        write(file, "[1]");
        expect_error(read, {"not a JSON object"});
        write(file, "");
        expect_error(read, {"not a JSON object"});
        write(file, "{\"a\": \"\xFF\"}");
        expect_error(read, {"UTF-8"});
        write(file, "{\"a\": " + std::string(100, '[') + std::string(100, ']') + "}");
        expect_error(read, {"nested deeper than 64"});
        expect_error([&] { read_json_file(folder.path()); }, {"can't be read"});
    }
};

SUTURE_SUITE(TensorSourceTest)
SUTURE_SUITE(ConfigFileTest)
#include "test_tensor_source.moc"
