// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/words.h"

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

class Words : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whole_numbers() {
        QCOMPARE(grouped(0), std::string("0"));
        QCOMPARE(grouped(999), std::string("999"));
        QCOMPARE(grouped(3400), std::string("3,400"));
        QCOMPARE(grouped(-123456), std::string("-123,456"));
        QCOMPARE(grouped(1234567), std::string("1,234,567"));
    }

    void counts() {
        QCOMPARE(short_count(260), std::string("260"));
        QCOMPARE(short_count(3400), std::string("3,400"));
        QCOMPARE(short_count(45200), std::string("45.2 k"));
        QCOMPARE(short_count(134515008), std::string("135 M"));
        QCOMPARE(short_count(999999), std::string("1 M"));
        QCOMPARE(short_count(1235814400), std::string("1.24 B"));
    }

    void sizes() {
        QCOMPARE(size_words(1), std::string("1 byte"));
        QCOMPARE(size_words(900), std::string("900 bytes"));
        QCOMPARE(size_words(18400), std::string("18.4 kB"));
        QCOMPARE(size_words(3400000), std::string("3.4 MB"));
        QCOMPARE(size_words(269060552), std::string("0.27 GB"));
        QCOMPARE(size_words(13.48e9), std::string("13.48 GB"));
    }

    void digits() {
        QCOMPARE(significant(0.89754, 4), std::string("0.8975"));
        QCOMPARE(significant(1234.6, 3), std::string("1235"));
        QCOMPARE(significant(-0.0012, 2), std::string("-0.0012"));
        QCOMPARE(significant(0, 3), std::string("0"));
        QCOMPARE(significant(std::numeric_limits<double>::quiet_NaN(), 3), std::string("no value"));
    }

    void layers() {
        QCOMPARE(removal_words(LayerSet::range(13, 6), 30), std::string("removes layers 13–18 (6 of 30)"));
        QCOMPARE(removal_words(LayerSet({4}), 30), std::string("removes layer 4 (1 of 30)"));
        QCOMPARE(removal_words({}, 30), std::string("removes nothing"));
        QCOMPARE(layer_words({}), std::string("no layers"));
        QCOMPARE(point_words(29, 30), std::string("layer 29"));
        QCOMPARE(point_words(30, 30), std::string("final norm"));
    }

    void conditions() {
        QCOMPARE(conditions_words(text_conditions), std::string("wiki.txt, 2 × 3 tokens, no BOS"));
        QCOMPARE(conditions_words(
                     {{"text", "a.txt"}, {"windows", 32}, {"seqlen", 2048}, {"bos", "window"}, {"skip_first", 4}, {"mask", "special"}}),
                 std::string(
                     "a.txt, 32 × 2,048 tokens, BOS in front of every window, first 4 of every window left out, special tokens left out"));
        QCOMPARE(conditions_words({}), std::string());
    }

    void calibration() {
        QCOMPARE(calibration_words(nullptr), std::string("not calibrated"));
        Statistics statistics = small_statistics();
        QCOMPARE(calibration_words(&statistics), std::string("calibrated: wiki.txt, 2 × 3 tokens"));
        statistics.conditions = {};
        QCOMPARE(calibration_words(&statistics), std::string("calibrated: 5 tokens"));
    }
};

SUTURE_SUITE(Words)
#include "words_test.moc"
