// SPDX-License-Identifier: GPL-3.0-or-later
// config.json after a cut, against what transformers needed for the same cut, in both spellings.
#include <QtTest/QtTest>
#include <fstream>

#include "core/base/error.h"
#include "core/export/config_edit.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;

namespace {

/// The checkpoint with one of its configs as config.json.
std::shared_ptr<const Model> open_with(const std::filesystem::path& folder, const std::string& config, const test::TemporaryFolder& copy) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().string().find("safetensors") != std::string::npos)
            std::filesystem::copy(entry.path(), copy.path() / entry.path().filename());
    std::filesystem::copy(folder / config, copy.path() / "config.json");
    return Model::open(copy.path());
}

json as_object(const std::vector<ConfigChange>& changes) {
    json object = json::object();
    for (const ConfigChange& change : changes) object[change.key] = {{"from", change.from}, {"to", change.to}};
    return object;
}

}  // namespace

class TestConfigEdit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void follows_the_cut_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("changes");
        for (const auto& entry : std::filesystem::directory_iterator(test::data("archs"))) {
            const QString name = entry.path().filename().c_str(), path = entry.path().c_str();
            QTest::newRow(qPrintable(name)) << path << "config.json"
                                            << "config_changes";
            if (std::filesystem::exists(entry.path() / "config.v4.json"))
                QTest::newRow(qPrintable(name + " v4")) << path << "config.v4.json"
                                                        << "config_v4_changes";
        }
    }

    void follows_the_cut() {
        QFETCH(QString, folder);
        QFETCH(QString, config);
        QFETCH(QString, changes);
        const test::TemporaryFolder copy;
        const std::filesystem::path path = folder.toStdString();
        const auto model = open_with(path, config.toStdString(), copy);
        const json expected = test::read_json(path / "expected.json");
        for (const json& cut : expected["prune"]) {
            const EditedConfig edited = pruned_config(*model, LayerSet(cut["remove"].get<std::vector<int>>()));
            const json found = as_object(edited.changes), wanted = cut[changes.toStdString()];
            QVERIFY2(found == wanted, (found.dump() + " expected " + wanted.dump()).c_str());
            if (changes == "config_v4_changes") QCOMPARE(!edited.warnings.empty(), cut["config_v4_needs_layer_types"].get<bool>());
        }
    }

    void unknown_lists_stop_the_export() {
        const test::TemporaryFolder copy;
        std::filesystem::copy(test::data("archs/llama"), copy.path() / "m", std::filesystem::copy_options::recursive);
        json config = test::read_json(copy.path() / "m/config.json");
        const std::vector<std::pair<std::string, json>> unknown{
            {"layer_scales", {1, 1, 1, 1, 1}}, {"pattern", "M*M*M"}, {"nested", {{"layer_scales", {1, 2, 3, 4, 5}}}}};
        for (const auto& [key, value] : unknown) {
            json edited = config;
            edited[key] = value;
            std::ofstream(copy.path() / "m/config.json") << edited.dump();
            const auto model = Model::open(copy.path() / "m");
            try {
                pruned_config(*model, LayerSet({1}));
                QFAIL("was accepted");
            } catch (const Error& error) {
                QVERIFY2(QString(error.what()).contains("has one entry per layer"), error.what());
            }
        }
    }
};

SUTURE_SUITE(TestConfigEdit)
#include "test_config_edit.moc"
