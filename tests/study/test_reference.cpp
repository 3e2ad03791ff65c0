// SPDX-License-Identifier: GPL-3.0-or-later
// The whole pipeline against numbers computed with transformers (definitions: tests/data/README.md).
#include <QtTest/QtTest>

#include "core/study/report_json.h"
#include "core/study/study.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;

namespace {

/// The models to compare: those in the tree, or the one that SUTURE_REFERENCE names (ctest's slow "smollm2-135m", whose weights
/// are in the folder SUTURE_SMOLLM2 and whose texts and numbers are in the reference collection).
std::vector<QString> reference_models() {
    const QString one = qEnvironmentVariable("SUTURE_REFERENCE");
    return one.isEmpty() ? std::vector<QString>{"stories260K", "sample"} : std::vector<QString>{one};
}

struct Reference {
    std::filesystem::path numbers, model, calibration, evaluation;
    double logits = 2e-4;  ///< tolerance
};

Reference reference_of(const QString& name) {
    const std::filesystem::path sample = std::filesystem::path(SUTURE_SOURCE) / "resources/sample",
                                tiny_stories = test::data("texts/TinyStories-valid.excerpt.txt");
    if (name == "sample") return {test::data("reference/sample.json"), sample, sample / "calibration.txt", sample / "evaluation.txt"};
    if (name == "stories260K")
        return {test::data("reference/stories260K.json"), test::data("models/stories260K-hf"), tiny_stories, tiny_stories};
    return {test::shared("reference/smollm2-135m.json"), qEnvironmentVariable("SUTURE_SMOLLM2").toStdString(),
            test::shared("text/wikitext2.valid.tokenized.txt"), test::shared("text/wiki.test.raw"), 2e-3};
}

struct Job {
    Reference reference;
    json expected;
    std::shared_ptr<const Study> study;
    Windows calibration, evaluation;
    JobSettings settings;
    std::shared_ptr<const Statistics> statistics;
};

/// Opened and calibrated once per model, shared by all tests of this suite.
const Job& job_of(const QString& name) {
    static std::map<QString, Job> jobs;
    if (const auto it = jobs.find(name); it != jobs.end()) return it->second;
    Job& job = jobs[name];
    job.reference = reference_of(name);
    job.expected = test::read_json(job.reference.numbers);
    job.study = std::make_shared<const Study>(job.reference.model, std::make_shared<Store>(std::filesystem::path()));
    // The excerpt has CRLF line ends, and its reference numbers are of LF ones.
    job.settings.windows.normalise_text = name == "stories260K";
    job.settings.windows.seqlen = job.expected["seqlen"];
    job.settings.windows.windows = job.expected["n_calibration"];
    job.settings.evaluation_windows = job.expected["n_evaluation"];
    job.calibration = job.study->calibration_windows({job.reference.calibration, {}}, job.settings);
    job.evaluation = job.study->evaluation_windows({job.reference.evaluation, {}}, job.settings);
    Progress progress;
    job.statistics = job.study->calibrate(job.calibration, job.settings, progress);
    return job;
}

double largest_difference(const json& found, const json& expected) {
    if (expected.is_null()) return found.is_null() ? 0 : 1e30;
    if (expected.is_number()) return std::abs(found.get<double>() - expected.get<double>());
    double largest = found.size() == expected.size() ? 0 : 1e30;
    for (std::size_t i = 0; i < expected.size() && i < found.size(); ++i)
        largest = std::max(largest, largest_difference(found[i], expected[i]));
    return largest;
}

/// The reference's name of a variant → the repair and its settings.
std::pair<std::string, RepairSettings> repair_of(const std::string& name) {
    RepairSettings settings;
    if (name.ends_with("mean_of_ratios")) settings.definition = "script";
    if (name.starts_with("ridge_")) settings.ridge = std::stod(name.substr(6));
    return {name.starts_with("d_")             ? "channel"
            : name.starts_with("linearpatch_") ? "linearpatch"
            : name.starts_with("ridge_")       ? "ridge"
                                               : name,
            settings};
}

void close(const json& found, const json& expected, double relative, const std::string& what) {
    const double a = found.get<double>(), b = expected.get<double>();
    QVERIFY2(test::relative_difference(a, b) < relative,
             qPrintable(QString("%1: %2, expected %3").arg(what.c_str()).arg(a, 0, 'g', 9).arg(b, 0, 'g', 9)));
}

}  // namespace

class TestReference : public QObject {
    Q_OBJECT

    static void models() {
        QTest::addColumn<QString>("name");
        for (const QString& name : reference_models()) QTest::newRow(qPrintable(name)) << name;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!qEnvironmentVariableIsEmpty("SUTURE_REFERENCE") && qEnvironmentVariableIsEmpty("SUTURE_SMOLLM2"))
            QSKIP("SUTURE_SMOLLM2 names no folder with the model");
    }

    void tokens_data() { models(); }
    void tokens() {
        QFETCH(QString, name);
        const Job& job = job_of(name);
        QCOMPARE(json(job.calibration.ids[0]), job.expected["calibration_ids_first_window"]);
        QCOMPARE(json(job.evaluation.ids[0]), job.expected["evaluation_ids_first_window"]);
        QCOMPARE(std::int64_t(job.calibration.ids.size()), job.expected["n_calibration"].get<std::int64_t>());
    }

    void analysis_data() { models(); }
    void analysis() {
        QFETCH(QString, name);
        const Job& job = job_of(name);
        const json found = analysis_to_json(**job.study, *job.statistics, {});
        QCOMPARE(found["layers"], job.expected["layers"]);
        QCOMPARE(found["hidden_size"], job.expected["hidden_size"]);
        QVERIFY(largest_difference(found["cosine_token_matrix"], job.expected["cosine_token_matrix"]) < 1e-5);
        QVERIFY(largest_difference(found["block_influence"], job.expected["block_influence"]) < 1e-5);
        for (const char* key : {"mean_abs_per_channel", "token_l2_first_window", "token_mean_abs_first_window"})
            for (std::size_t p = 0; p < job.expected[key].size(); ++p)
                for (std::size_t i = 0; i < job.expected[key][p].size(); ++i) close(found[key][p][i], job.expected[key][p][i], 1e-4, key);
    }

    void dense_data() { models(); }
    void dense() {
        QFETCH(QString, name);
        const Job& job = job_of(name);
        Progress progress;
        const auto dense = job.study->evaluate(std::vector<Variant>(1), job.evaluation, job.settings, 0, progress)[0];
        close(dense->perplexity(), job.expected["dense"]["perplexity"], 1e-4, "perplexity");
        close(dense->nll_sum(), job.expected["dense"]["nll_sum"], 1e-5, "nll");
        QCOMPARE(json(dense->tokens()), job.expected["dense"]["tokens"]);
        const auto calibration =
            job.study->evaluate(std::vector<Variant>(1), job.calibration, job.settings, 3, progress)[0];  // the logits are of this text
        QVERIFY(largest_difference(calibration->to_json()["windows"][0]["logits"], job.expected["logits_first_window_first_3_positions"]) <
                job.reference.logits);
    }

    void selection_data() { models(); }
    void selection() {
        QFETCH(QString, name);
        const Job& job = job_of(name);
        for (const json& expected : job.expected["prune"]) {
            const json found = selection_to_json(*job.statistics, expected["n"]);
            for (const char* key : {"cosine_token", "cosine_channel_axis", "angular_last_token"})
                for (const auto& [start, score] : expected[key].items()) {
                    const QString where = QString("%1 of %2 from %3").arg(key).arg(expected["n"].get<int>()).arg(start.c_str());
                    QVERIFY2(std::abs(found[key].at(start).get<double>() - score.get<double>()) < 2e-5, qPrintable(where));
                }
            for (const char* key : {"start_cosine_token", "start_cosine_channel_axis", "start_angular", "removed"})
                QCOMPARE(found[key], expected[key]);
        }
    }

    void repairs_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("cut");
        for (const QString& name : reference_models())
            for (int cut = 0; cut < int(test::read_json(reference_of(name).numbers)["prune"].size()); ++cut)
                QTest::addRow("%s, cut %d", qPrintable(name), cut) << name << cut;
    }
    void repairs() {
        QFETCH(QString, name);
        QFETCH(int, cut);
        const Job& job = job_of(name);
        const json& entry = job.expected["prune"][std::size_t(cut)];
        const LayerSet removed(entry["removed"].get<std::vector<int>>());
        Progress progress;
        std::vector<Variant> variants;
        std::vector<std::string> names;
        for (const auto& [key, expected] : entry["variants"].items()) {
            JobSettings settings = job.settings;
            std::string kind;
            std::tie(kind, settings.repair) = repair_of(key);
            QCOMPARE(repair_json_key(kind, settings.repair), key);
            const Repaired repaired = job.study->repair(*job.statistics, job.calibration, removed, kind, settings, progress);
            const json found = repaired.to_json();
            for (const char* field : {"relative_error", "patch_trace", "patch_frobenius", "scale"})
                if (expected.contains(field)) close(found[field], expected[field], 1e-4, key + " " + field);
            if (expected.contains("d"))
                for (std::size_t k = 0; k < expected["d"].size(); ++k) close(found["d"][k], expected["d"][k], 1e-4, key + " d");
            if (expected.contains("patch_row0_first8"))
                QVERIFY2(largest_difference(found["patch_row0_first8"], expected["patch_row0_first8"]) < 1e-4, key.c_str());
            variants.push_back(repaired.variant);
            names.push_back(key);
        }
        const auto evaluations = job.study->evaluate(variants, job.evaluation, job.settings, 0, progress);
        for (std::size_t i = 0; i < names.size(); ++i) {
            close(evaluations[i]->perplexity(), entry["variants"][names[i]]["perplexity"], 1e-3, names[i] + " perplexity");
            close(evaluations[i]->nll_sum(), entry["variants"][names[i]]["nll_sum"], 1e-3, names[i] + " nll");
            QCOMPARE(json(evaluations[i]->tokens()), entry["variants"][names[i]]["tokens"]);
        }
    }
};

SUTURE_SUITE(TestReference)
#include "test_reference.moc"
