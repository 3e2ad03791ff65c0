// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled sample with few and short windows, so that a whole job takes moments.
#pragma once

#include <QtTest/QtTest>

#include "ui/session/results.h"
#include "ui/session/session.h"

namespace suture::test {

inline std::filesystem::path sample_folder() { return std::filesystem::path(SUTURE_SOURCE) / "resources" / "sample"; }

inline JobSettings small_job() {
    JobSettings settings;
    settings.windows.seqlen = 64;
    settings.windows.windows = 4;
    settings.evaluation_windows = 8;
    settings.compute.threads = 1;  // threads that wait for each other are slow where several tests share the cores
    return settings;
}

/// A session and its results; nothing is open yet, nothing is kept on disk.
struct SampleSession {
    explicit SampleSession(std::shared_ptr<Store> store = std::make_shared<Store>(std::filesystem::path()))
        : session(std::move(store), sample_folder()), results(session) {}
    void open() {
        Document small = session.document();
        small.settings = small_job();
        session.change(small, "Small job");
        session.open(sample_folder());
        QTRY_VERIFY_WITH_TIMEOUT(session.study() != nullptr, 10000);
    }
    void calibrate() {
        results.calibrate();
        QTRY_VERIFY_WITH_TIMEOUT(results.statistics.fresh(), 60000);
    }
    Session session;
    Results results;
};

}  // namespace suture::test
