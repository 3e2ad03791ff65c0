// SPDX-License-Identifier: GPL-3.0-or-later
// The families as other programs are told of them.
#include <QtTest/QtTest>
#include <set>

#include "core/model/internal/family.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

class TestFamilies : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The Python tests of exported folders take transformers' class names from this file.
    void class_names_agree_with_the_file() {
        const auto file = test::read_json(std::filesystem::path(SUTURE_SOURCE) / "resources/export/families.json");
        nlohmann::json own;
        for (const Family* family : all_families()) own[family->model_type] = family->class_prefix;
        QCOMPARE(QString::fromStdString(file.dump()), QString::fromStdString(own.dump()));
    }

    void names_are_unique() {
        std::set<std::string> types, labels;
        for (const Family* family : all_families()) {
            types.insert(family->model_type);
            labels.insert(family->label);
        }
        QVERIFY(types.size() > 5);
        QCOMPARE(types.size(), all_families().size());
        QCOMPARE(labels.size(), all_families().size());
    }
};

SUTURE_SUITE(TestFamilies)
#include "test_families.moc"
