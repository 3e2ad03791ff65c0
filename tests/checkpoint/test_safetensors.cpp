// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>

#include <QtTest/QtTest>
#include <bit>
#include <cmath>

#include "core/base/error.h"
#include "core/checkpoint/internal/as_tensor.h"
#include "core/checkpoint/safetensors.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
namespace fs = std::filesystem;

namespace {

fs::path awkward(const std::string& name) { return test::data("checkpoint/safetensors/" + name + ".safetensors"); }

/// A folder that holds nothing but one awkward file.
struct Folder : test::TemporaryFolder {
    explicit Folder(const std::string& name) { fs::copy_file(awkward(name), path() / "model.safetensors"); }
};

}  // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void loads_data() {
        QTest::addColumn<int>("tensors");
        const std::pair<const char*, int> rows[] = {{"ok_16bit_all_codes", 2},       {"ok_basic", 1},
                                                    {"ok_empty_leading_ws", 0},      {"ok_empty_trailing_ws", 0},
                                                    {"ok_fp8_all_codes", 2},         {"ok_metadata_and_unsorted_header", 2},
                                                    {"ok_misaligned_data_start", 1}, {"ok_scalar_empty_shape", 1},
                                                    {"ok_unicode_name", 1},          {"ok_zero_size", 1},
                                                    {"ok_zero_size_between", 3}};
        for (const auto& [name, tensors] : rows) QTest::newRow(name) << tensors;
        QTest::newRow("ok_all_dtypes") << 22;
    }
    void loads() {
        QFETCH(int, tensors);
        const auto header = read_safetensors_header(awkward(QTest::currentDataTag()));
        QCOMPARE(int(header.tensors.size()), tensors);
        std::uint64_t end = 8 + header.header_bytes;
        for (const auto& tensor : header.tensors) {
            QCOMPARE(tensor.offset, end);
            end += tensor.bytes;
        }
        QCOMPARE(end, header.file_bytes);
    }

    void refuses_data() {
        QTest::addColumn<QString>("reason");
        const std::pair<const char*, const char*> rows[] = {{"bad_F4_misaligned", "whole bytes"},
                                                            {"bad_deep_nesting", "nested deeper"},
                                                            {"bad_end_before_start", "before it begins"},
                                                            {"bad_extra_trailing_bytes", "belong to nothing"},
                                                            {"bad_float_dim", "whole number"},
                                                            {"bad_header_len_u64max", "at most 100000000"},
                                                            {"bad_header_over_100MB_claim", "at most 100000000"},
                                                            {"bad_header_too_large", "at most 100000000"},
                                                            {"bad_header_too_small_7", "too short"},
                                                            {"bad_header_too_small_empty", "too short"},
                                                            {"bad_hole", "hole"},
                                                            {"bad_hole_at_start", "hole"},
                                                            {"bad_info_size_mismatch", "16 bytes"},
                                                            {"bad_invalid_header_length", "claims a header"},
                                                            {"bad_metadata_nonstring", "expected a text"},
                                                            {"bad_missing_shape", "lacks \"shape\""},
                                                            {"bad_negative_dim", "dimension -1"},
                                                            {"bad_negative_offset", "offset -4"},
                                                            {"bad_non_utf8", "not UTF-8"},
                                                            {"bad_not_json", "not valid JSON"},
                                                            {"bad_not_object", "not a JSON object"},
                                                            {"bad_overlapping_offsets", "inside"},
                                                            {"bad_shape_overflow", "overflows"},
                                                            {"bad_size_overflow", "overflows"},
                                                            {"bad_truncated_data", "truncated"},
                                                            {"bad_unknown_dtype", "Q4_0"},
                                                            {"dup_key_diff_offsets", "twice"},
                                                            {"dup_key_same_offsets", "twice"}};
        for (const auto& [name, reason] : rows) QTest::newRow(name) << reason;
    }
    void refuses() {
        QFETCH(QString, reason);
        const auto file = awkward(QTest::currentDataTag());
        QVERIFY(fs::exists(file));
        try {
            read_safetensors_header(file);
            QFAIL("the file was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(reason), error.what());
            QVERIFY2(QString(error.what()).startsWith(QString::fromStdString(file.string())), error.what());
        }
    }

    void everyAwkwardFileHasARow() {
        for (const auto& entry : fs::directory_iterator(test::data("checkpoint/safetensors"))) {
            const auto name = entry.path().stem().string();
            if (entry.path().extension() != ".safetensors") continue;
            if (name.starts_with("ok_")) QVERIFY_THROWS_NO_EXCEPTION(read_safetensors_header(entry.path()));
            else QVERIFY_THROWS_EXCEPTION(Error, read_safetensors_header(entry.path()));
        }
    }

    void fieldsOfOneTensor() {
        const auto header = read_safetensors_header(awkward("ok_basic"));
        const auto& tensor = header.tensors.at(0);
        QCOMPARE(tensor.name, std::string("test"));
        QCOMPARE(tensor.dtype, std::string("I32"));
        QCOMPARE(tensor.shape, (std::vector<std::int64_t>{2, 2}));
        QCOMPARE(tensor.elements(), 4);
        QCOMPARE(tensor.offset, 68u);
        QCOMPARE(tensor.bytes, 16u);
        QCOMPARE(read_safetensors_header(awkward("ok_scalar_empty_shape")).tensors.at(0).elements(), 1);
        QCOMPARE(read_safetensors_header(awkward("ok_zero_size")).tensors.at(0).elements(), 0);
        QCOMPARE(read_safetensors_header(awkward("ok_metadata_and_unsorted_header")).metadata,
                 (std::map<std::string, std::string>{{"format", "pt"}, {"k", "v"}}));
    }

    void zeroByteDoesNotHideTheRest() {
        const test::TemporaryFolder folder;
        const std::string text("{}\0{]", 5);
        std::ofstream(folder.path() / "a.safetensors", std::ios::binary) << char(5) << std::string(7, '\0') << text;
        QVERIFY_THROWS_EXCEPTION(Error, read_safetensors_header(folder.path() / "a.safetensors"));
    }

    void bfloat16IsTheUpperHalfOfFloat32() {
        const Folder folder("ok_16bit_all_codes");
        const auto source = TensorSource::open(folder.path());
        const auto values = as_tensor(*source, "bf16").to(at::kFloat);  // [65536] float32
        for (std::uint32_t code = 0; code < 65536; ++code) {
            const auto expected = std::bit_cast<float>(code << 16), value = values.const_data_ptr<float>()[code];
            QVERIFY(std::isnan(expected) ? std::isnan(value) : std::bit_cast<std::uint32_t>(value) == code << 16);
        }
        const auto halves = as_tensor(*source, "f16").to(at::kFloat);
        QCOMPARE(halves[0x3C00].item<float>(), 1.0f);
        QCOMPARE(halves[0x7BFF].item<float>(), 65504.0f);
        QCOMPARE(halves[0x0001].item<float>(), std::ldexp(1.0f, -24));
    }

    void unalignedBytesAreCopied() {
        const Folder folder("ok_misaligned_data_start");
        const auto source = TensorSource::open(folder.path());
        const auto tensor = as_tensor(*source, "t");  // [2] float32
        QVERIFY(reinterpret_cast<std::uintptr_t>(source->bytes("t").data()) % 4 != 0);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) % 4, 0u);
        float values[2];
        std::memcpy(values, source->bytes("t").data(), 8);
        QCOMPARE(tensor[0].item<float>(), values[0]);
        QCOMPARE(tensor[1].item<float>(), values[1]);
    }

    void tensorsWithoutAnOrdinaryTypeAreNamed() {
        const Folder folder("ok_fp8_all_codes");
        const auto source = TensorSource::open(folder.path());
        try {
            as_tensor(*source, "e4m3");
            QFAIL("float8 was accepted");
        } catch (const Error& error) {
            QVERIFY(QString(error.what()).contains("e4m3") && QString(error.what()).contains("F8_E4M3"));
        }
    }

    void emptyTensorsKeepTheirShape() {
        const Folder folder("ok_zero_size_between");
        const auto source = TensorSource::open(folder.path());
        QCOMPARE(as_tensor(*source, "e").sizes().vec(), (std::vector<std::int64_t>{0, 3}));
        QCOMPARE(as_tensor(*source, "a").item<float>(), 1.0f);
    }
};

SUTURE_SUITE(SafetensorsTest)
#include "test_safetensors.moc"
