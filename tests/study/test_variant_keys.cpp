// SPDX-License-Identifier: GPL-3.0-or-later
// Under which keys variants stand in JSON.
#include <QtTest/QtTest>
#include <set>

#include "core/study/report_json.h"
#include "tests/support/suites.h"

using namespace suture;

class TestVariantKeys : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void of_what_is_no_plain_repair() {
        const RepairSettings settings;
        QCOMPARE(variant_json_key("imported", settings), std::string("imported"));
        QCOMPARE(variant_json_key("merged", settings), std::string("merged"));
        QCOMPARE(variant_json_key("imported_finetuned", settings), std::string("imported_finetuned"));
        QCOMPARE(variant_json_key("linearpatch", settings), std::string("linearpatch_ratio_of_sums"));
        QCOMPARE(variant_json_key("refit_finetuned", settings), std::string("refit_0.01_finetuned"));
    }

    void no_two_are_equal() {
        const RepairSettings settings;
        std::vector<std::string> names{"imported", "merged", "imported_finetuned", "merged_finetuned"};
        for (const RepairInfo& kind : repair_kinds())
            for (const char* end : {"", "_finetuned"}) names.push_back(kind.name + end);
        std::set<std::string> keys;
        for (const std::string& name : names) keys.insert(variant_json_key(name, settings));
        QCOMPARE(keys.size(), names.size());
    }
};

SUTURE_SUITE(TestVariantKeys)
#include "test_variant_keys.moc"
