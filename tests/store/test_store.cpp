// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest/QtTest>
#include <limits>
#include <thread>

#include "core/base/error.h"
#include "core/store/store.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
namespace fs = std::filesystem;

namespace {

Key key(int i) { return Key::of({{"result", i}}); }

Artefact sample(int i) {
    Artefact artefact;
    artefact.meta = {{"name", "é"}, {"tokens", i}, {"ratio", 0.1}};
    artefact.doubles["d"] = Array<double>({2, 1}, std::vector<double>{i + 0.1, -std::numeric_limits<double>::infinity()});
    artefact.floats["f"] = Array<float>({3}, std::vector<float>{1.5f, float(i), -0.0f});
    artefact.floats["empty"] = Array<float>({0, 4});
    artefact.integers["i"] = Array<std::int64_t>({1}, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
    return artefact;
}

fs::path file(const fs::path& folder, int i, const std::string& ending) { return folder / (key(i).hex() + ending); }

void damage(const fs::path& path, std::size_t at) {
    std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(std::streamoff(at));
    const char c = char(stream.get() ^ 1);
    stream.seekp(std::streamoff(at));
    stream.put(c);
}

}  // namespace

class StoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void memoryOnly() {
        Store store{fs::path()};
        QVERIFY(!store.find(key(1)));
        QVERIFY(*store.put(key(1), sample(1)) == sample(1));
        QVERIFY(*store.find(key(1)) == sample(1));
        QVERIFY(!store.find(key(2)));
        QVERIFY(!store.find(Key()));
        QVERIFY(!store.warning());
    }

    void leastRecentlyUsedLeavesFirst() {
        Store store{fs::path()};
        for (int i = 0; i < 8; ++i) store.put(key(i), sample(i));
        QVERIFY(store.find(key(0)));
        store.put(key(8), sample(8));
        QVERIFY(store.find(key(0)));
        QVERIFY(!store.find(key(1)));
        QVERIFY(store.find(key(2)));
    }

    void anotherStoreFindsItOnDisk() {
        const test::TemporaryFolder folder;
        Store(folder.path() / "new" / "cache").put(key(1), sample(1));
        const Store other(folder.path() / "new" / "cache");
        QVERIFY(other.find(key(1)));
        QVERIFY(*other.find(key(1)) == sample(1));
        QCOMPARE(std::distance(fs::directory_iterator(folder.path() / "new" / "cache"), {}), 3);  // two files and the lock
    }

    void anyDamagedByteCountsAsAbsent() {
        const test::TemporaryFolder folder;
        for (const std::string ending : {".safetensors", ".json"}) {
            Store(folder.path()).put(key(1), sample(1));
            const auto path = file(folder.path(), 1, ending);
            for (std::size_t at = 0; at < fs::file_size(path); ++at) {
                damage(path, at);
                const auto found = Store(folder.path()).find(key(1));
                QVERIFY2(!found || *found == sample(1), std::to_string(at).c_str());  // white space of JSON may differ
                if (ending == ".safetensors") QVERIFY(!found);
                damage(path, at);
            }
            QVERIFY(Store(folder.path()).find(key(1)));
            fs::resize_file(path, fs::file_size(path) - 1);
            const bool absent = !Store(folder.path()).find(key(1));
            QVERIFY(absent || ending == ".json");  // its last byte is a line break
            fs::resize_file(path, fs::file_size(path) / 2);
            QVERIFY(!Store(folder.path()).find(key(1)));
        }
        Store store(folder.path());
        store.put(key(1), sample(1));
        QVERIFY(Store(folder.path()).find(key(1)));
        fs::remove(file(folder.path(), 1, ".json"));
        QVERIFY(!Store(folder.path()).find(key(1)));
    }

    void filesOfAnotherResultAreNotMixed() {
        const test::TemporaryFolder folder;
        Store store(folder.path());
        store.put(key(1), sample(1));
        store.put(key(2), sample(2));
        fs::copy_file(file(folder.path(), 2, ".safetensors"), file(folder.path(), 1, ".safetensors"), fs::copy_options::overwrite_existing);
        QVERIFY(!Store(folder.path()).find(key(1)));
    }

    void unwritableFolderIsAWarning() {
        const test::TemporaryFolder folder;
        std::ofstream(folder.path() / "file") << "no folder";
        Store store(folder.path() / "file");
        QVERIFY(*store.put(key(1), sample(1)) == sample(1));
        QVERIFY(store.find(key(1)));
        QVERIFY(store.warning() && store.warning()->find((folder.path() / "file").string()) != std::string::npos);
        fs::remove(folder.path() / "file");
        store.put(key(1), sample(1));
        QVERIFY(!store.warning());
    }

    void mistakesOfTheCaller() {
        Store store{fs::path()};
        Artefact twice;
        twice.doubles["x"] = Array<double>({1});
        twice.floats["x"] = Array<float>({1});
        QVERIFY_THROWS_EXCEPTION(Error, store.put(key(1), twice));
        Artefact wrong;
        wrong.doubles["x"] = Array<double>({2}, std::vector<double>{1});
        QVERIFY_THROWS_EXCEPTION(Error, store.put(key(1), wrong));
        QVERIFY_THROWS_EXCEPTION(Error, store.put(Key(), Artefact()));
    }

    void severalProcessesShareAFolder() {
        const test::TemporaryFolder folder;
        std::vector<pid_t> children;
        for (int child = 0; child < 4; ++child) {
            const pid_t pid = fork();
            if (pid == 0) {
                bool right = true;
                for (int i = 0; i < 40; ++i) {
                    Store(folder.path()).put(key(i % 5), sample(i % 5));
                    const auto found = Store(folder.path()).find(key((i + 1) % 5));
                    right = right && (!found || *found == sample((i + 1) % 5));
                }
                _exit(right ? 0 : 1);
            }
            children.push_back(pid);
        }
        for (const pid_t pid : children) {
            int status = 0;
            waitpid(pid, &status, 0);
            QCOMPARE(status, 0);
        }
        for (int i = 0; i < 5; ++i) QVERIFY(*Store(folder.path()).find(key(i)) == sample(i));
        QCOMPARE(std::distance(fs::directory_iterator(folder.path()), {}), 11);
    }

    void cacheFolder() {
        const auto cache = qgetenv("XDG_CACHE_HOME"), home = qgetenv("HOME");
        qputenv("XDG_CACHE_HOME", "/x/y");
        QCOMPARE(default_cache_folder(), fs::path("/x/y/suture"));
        qputenv("XDG_CACHE_HOME", "relative");
        qputenv("HOME", "/h");
        QCOMPARE(default_cache_folder(), fs::path("/h/.cache/suture"));
        qputenv("HOME", home);
        cache.isEmpty() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", cache);
    }
};

SUTURE_SUITE(StoreTest)
#include "test_store.moc"
