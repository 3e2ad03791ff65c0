// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/base/layers.h"
#include "tests/support/suites.h"

using namespace suture;

class TestLayers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reads_lists() {
        QCOMPARE(LayerSet::parse("21-24,27", 32).layers(), (std::vector<int>{21, 22, 23, 24, 27}));
        QCOMPARE(LayerSet::parse(" 3 , 7 - 9 ", 12).layers(), (std::vector<int>{3, 7, 8, 9}));
        QCOMPARE(LayerSet::parse("0", 2).layers(), std::vector<int>{0});
    }
    void names_each_mistake_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("empty") << ""
                               << "empty";
        QTest::newRow("reversed") << "3-1"
                                  << "write 1-3";
        QTest::newRow("out of range") << "0-99"
                                      << "no layer 99";
        QTest::newRow("far out of range") << "99999999999999999999"
                                          << "no layer";
        QTest::newRow("twice") << "2,2"
                               << "named twice";
        QTest::newRow("overlap") << "1-3,2"
                                 << "layer 2 is named twice";
        QTest::newRow("all") << "0-5"
                             << "every layer";
        QTest::newRow("word") << "two"
                              << "\"two\" is not a layer number";
        QTest::newRow("comma") << "1,,2"
                               << "nothing between";
        QTest::newRow("open range") << "1-"
                                    << "not a layer number";
        QTest::newRow("negative") << "-1"
                                  << "no layer -1";
    }
    void names_each_mistake() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        try {
            LayerSet::parse(text.toStdString(), 6);
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(expected), error.what());
            QCOMPARE(error.kind(), Error::Kind::Usage);
        }
    }
    void text_reads_back() {
        const LayerSet set({9, 3, 7, 8, 3});
        QCOMPARE(set.text(), std::string("3,7-9"));
        QCOMPARE(set.words(), std::string("3 and 7–9"));
        QCOMPARE(LayerSet::parse(set.text(), 12), set);
        QCOMPARE(LayerSet().words(), std::string("none"));
    }
    void runs_are_seams() {
        const auto seams = seams_of(LayerSet({0, 1, 4, 11}));
        QCOMPARE(seams, (std::vector<Seam>{{0, 2}, {4, 5}, {11, 12}}));
        QCOMPARE(seams[0].words(), std::string("layers 0–1 (2)"));
        QCOMPARE(seams[1].words(), std::string("layer 4 (1)"));
        QCOMPARE(LayerSet({0, 1, 4, 11}).complement(6).layers(), (std::vector<int>{2, 3, 5}));
    }
};

SUTURE_SUITE(TestLayers)
#include "test_layers.moc"
