// Records are stored while other processes store, too. Lines that this library did not write are kept.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <thread>

#include "selection/made_up.hpp"
#include "support/expect_error.hpp"
#include "tilewright/log.hpp"

namespace {
bool no_locks = false;
}

// Replaces the C library's function to imitate a file system without locks.
extern "C" int flock(int descriptor, int operation) noexcept {
  if (no_locks) {
    errno = ENOLCK;
    return -1;
  }
  return static_cast<int>(syscall(SYS_flock, descriptor, operation));
}

namespace tilewright::test {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& file, const std::string& content) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::trunc) << content;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void store(const DeviceProfile& device, const Record<GemmProblem>& record) {
  store_records<GemmProblem>(device, {&record, 1});
}

void store_sizes(const DeviceProfile& device, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t size = first; size < first + count; ++size) store(device, some_record(size));
}

}  // namespace

TEST_SUITE("storing records") {
  TEST_CASE_FIXTURE(RecordPlace, "two processes and two threads store at once, and all records are kept") {
    constexpr std::uint64_t each = 20;
    std::vector<pid_t> children;
    for (const std::uint64_t first : {100U, 200U}) {
      const pid_t child = fork();
      if (child == 0) {
        try {
          store_sizes(device, first, each);
        } catch (...) {
          _exit(1);
        }
        _exit(0);
      }
      children.push_back(child);
    }
    std::thread other([&] { store_sizes(device, 300, each); });
    store_sizes(device, 400, each);
    other.join();
    for (const pid_t child : children) {
      int status = 1;
      waitpid(child, &status, 0);
      CHECK(status == 0);
    }
    CHECK(load_records<GemmProblem>(device).records.size() == 4 * each);
  }

  TEST_CASE_FIXTURE(RecordPlace, "without file locks records are still stored, with a warning") {
    std::vector<std::string> messages;
    set_log_callback([&](std::string_view message) { messages.emplace_back(message); });
    no_locks = true;
    store(device, some_record(64));
    no_locks = false;
    set_log_callback({});
    CHECK(load_records<GemmProblem>(device).records.size() == 1);
    REQUIRE(messages.size() == 1);
    CHECK(mentions(messages[0], "locked"));
  }

  TEST_CASE_FIXTURE(RecordPlace,
                    "unreadable lines keep their contents and order, and additional header fields are kept") {
    store(device, some_record(64));
    std::string text = content();
    text.insert(1, R"("of a newer version":{"x":[1]},)");
    const std::string strange[] = {"not json", R"({"operation":"spmm","nonzeros":5})", std::string(200000, '['), "",
                                   "{}"};
    for (const std::string& line : strange) text += line + '\n';
    put(file(), text + "half a li");
    store(device, some_record(128));
    const std::string stored = content();
    CHECK(stored.starts_with(text + "half a li\n"));
    store(device, some_record(64));
    CHECK(load_records<GemmProblem>(device).records.size() == 2);
    std::size_t at = 0;
    for (const std::string& line : strange) {
      at = content().find(line + '\n', at);
      REQUIRE(at != std::string::npos);
    }
    CHECK(mentions(content(), "of a newer version"));
  }

  TEST_CASE_FIXTURE(RecordPlace, "a newer version's record with additional fields is kept until it is replaced") {
    store(device, some_record(64));
    store(device, some_record(128));
    std::string text = content();
    text.insert(text.find("\"operation\""), "\"clock\":\"events\",");
    put(file(), text);
    store(device, some_record(128));
    CHECK(mentions(content(), "clock"));
    store(device, some_record(64));
    CHECK_FALSE(mentions(content(), "clock"));
  }

  TEST_CASE_FIXTURE(RecordPlace, "a file of another version is left unchanged") {
    for (const char* version : {"2", "99", "1.5", "\"two\"", "[1]"}) {
      const std::string newer = std::string("{\"tilewright_records\":") + version + "}\n{\"whatever\":1}\n";
      put(file(), newer);
      CHECK(load_records<GemmProblem>(device).records.empty());
      CHECK(load_records<GemmProblem>(device).problems.size() == 1);
      CHECK(mentions(expect_error(ErrorCode::invalid_records, [&] { store(device, some_record(64)); }), "version"));
      expect_error(ErrorCode::invalid_records, [&] { check_records_storable(device); });
      expect_error(ErrorCode::invalid_records, [&] { clear_records(device); });
      expect_error(ErrorCode::invalid_records, [&] { return read_records<GemmProblem>(file(), device); });
      CHECK(content() == newer);
    }
  }

  TEST_CASE_FIXTURE(RecordPlace, "another device's file, and files set aside earlier, are not overwritten") {
    store(device, some_record(64));
    std::string foreign = content();
    foreign.replace(foreign.find("9000"), 4, "8000");
    put(file(), foreign);
    CHECK(load_records<GemmProblem>(device).records.empty());
    CHECK(load_records<GemmProblem>(device).problems.size() == 1);
    store(device, some_record(64));
    CHECK(load_records<GemmProblem>(device).records.size() == 1);
    CHECK(content_of(file().string() + ".broken") == foreign);
    put(file(), "garbage");
    store(device, some_record(64));
    CHECK(content_of(file().string() + ".broken") == foreign);
    CHECK(content_of(file().string() + ".broken-2") == "garbage");
  }

  TEST_CASE_FIXTURE(RecordPlace, "a symbolic link is kept, and its target is written") {
    const fs::path target = place.file("elsewhere/mine.jsonl");
    fs::create_directories(target.parent_path());
    fs::create_directories(file().parent_path());
    fs::create_symlink("../elsewhere/mine.jsonl", file());  // the target does not exist yet
    store(device, some_record(64));
    store(device, some_record(128));
    CHECK(fs::is_symlink(file()));
    CHECK(fs::is_regular_file(fs::symlink_status(target)));
    CHECK(load_records<GemmProblem>(device).records.size() == 2);
    const Record<GemmProblem> record = some_record(64);
    write_records<GemmProblem>(file(), device, {&record, 1});
    CHECK(fs::is_symlink(file()));
    CHECK(read_records<GemmProblem>(target, device).records.size() == 1);
  }

  TEST_CASE_FIXTURE(RecordPlace, "an unreadable path is an error with its cause, and is left unchanged") {
    fs::create_directories(file());
    const auto refused = [&] {
      return expect_error(ErrorCode::invalid_records, [&] { store(device, some_record(64)); });
    };
    CHECK(mentions(refused(), "directory"));
    CHECK(mentions(expect_error(ErrorCode::invalid_records, [&] { write_records<GemmProblem>(file(), device, {}); }),
                   "file"));
    CHECK(fs::is_directory(file()));
    fs::remove(file());
    REQUIRE(mkfifo(file().c_str(), 0600) == 0);
    CHECK(mentions(refused(), "regular"));
    expect_error(ErrorCode::invalid_records, [&] { write_records<GemmProblem>(file(), device, {}); });
    CHECK(load_records<GemmProblem>(device).problems.size() == 1);
    CHECK(fs::is_fifo(file()));
    fs::remove(file());
    put(file(), "x");
    fs::resize_file(file(), 65U << 20U);
    CHECK(mentions(refused(), "bytes"));
    CHECK(fs::file_size(file()) == 65U << 20U);
    fs::remove(file());
    fs::create_symlink(file(), file());
    CHECK_FALSE(refused().empty());
    CHECK(fs::is_symlink(file()));
    if (geteuid() == 0) return;  // root can read and write everything
    fs::remove(file());
    put(file(), "x");
    fs::permissions(file(), fs::perms::none);
    CHECK(mentions(refused(), "denied"));
    fs::permissions(file(), fs::perms::owner_all);
    fs::permissions(file().parent_path(), fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(mentions(refused(), "denied"));
    expect_error(ErrorCode::invalid_records, [&] { check_records_storable(device); });
    fs::permissions(file().parent_path(), fs::perms::owner_all);
  }

  TEST_CASE_FIXTURE(RecordPlace, "an empty file, as left by a full disk, counts as missing") {
    put(file(), "");
    CHECK(load_records<GemmProblem>(device).problems.empty());
    store(device, some_record(64));
    CHECK(load_records<GemmProblem>(device).records.size() == 1);
    CHECK_FALSE(fs::exists(file().string() + ".broken"));
  }

  TEST_CASE_FIXTURE(RecordPlace, "a record that could not be read again is refused, with all others of its call") {
    store(device, some_record(64));
    const std::string before = content();
    const auto refused = [&](auto&& change) {
      Record<GemmProblem> records[] = {some_record(128), some_record(256)};
      change(records[1]);
      expect_error(ErrorCode::invalid_records, [&] { store_records<GemmProblem>(device, records); });
      CHECK(content() == before);
    };
    for (const double seconds :
         {0.0, -1.0, 1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      refused([&](Record<GemmProblem>& record) { record.seconds = seconds; });
      refused([&](Record<GemmProblem>& record) { record.untuned_seconds = seconds; });
    }
    refused([](Record<GemmProblem>& record) { record.variant = "no_such"; });
    refused([](Record<GemmProblem>& record) { record.configuration = {{"wg_m", 8}}; });
    refused([](Record<GemmProblem>& record) { record.problem.m = 0; });
    refused([](Record<GemmProblem>& record) { record.problem.batch.count = 0; });
    refused([](Record<GemmProblem>& record) { record.date = std::string(5000, 'x'); });
  }

  TEST_CASE_FIXTURE(RecordPlace, "problems are stored row-major, and a driver's version may have any bytes") {
    Record<GemmProblem> record = some_record(64);
    record.problem = {.layout = Layout::column_major, .m = 8, .n = 16, .k = 32};
    record.driver = "\xff 1.2";
    store(device, record);
    const Records<GemmProblem> set = load_records<GemmProblem>(device);
    REQUIRE(set.records.size() == 1);
    CHECK(set.records[0].problem == detail::normalized(record.problem));
    DeviceProfile strange = device;
    strange.name = "GPU \xa9";
    store(strange, some_record(64));
    CHECK(load_records<GemmProblem>(strange).records.size() == 1);
  }

  TEST_CASE_FIXTURE(RecordPlace, "an update changes only the records that it names") {
    const Record<GemmProblem> all[] = {some_record(64), some_record(128), some_record(256)};
    store_records<GemmProblem>(device, all);
    put(file(), content() + "of somebody else\n");
    const Records<GemmProblem> read = load_records<GemmProblem>(device);
    REQUIRE(read.records.size() == 3);
    // Meanwhile another process measures one of them anew, and adds one.
    Record<GemmProblem> anew = some_record(128);
    anew.seconds = 5e-3;
    store(device, anew);
    store(device, some_record(512));
    Record<GemmProblem> verified = read.records[2];
    verified.seconds = 7e-3;
    update_records<GemmProblem>(device, read.records, {&verified, 1});
    const Records<GemmProblem> left = load_records<GemmProblem>(device);
    REQUIRE(left.records.size() == 3);
    CHECK(left.records[0].seconds == 5e-3);
    CHECK(left.records[1].problem.m == 512);
    CHECK(left.records[2].seconds == 7e-3);
    CHECK(mentions(content(), "of somebody else\n"));
    const std::string before = content();
    update_records<GemmProblem>(device, {}, {});
    CHECK(content() == before);
  }

  TEST_CASE_FIXTURE(RecordPlace, "cleared records are renamed, and foreign files are kept") {
    CHECK_FALSE(clear_records(device).has_value());
    CHECK_FALSE(fs::exists(place.file("data")));
    for (const char* backup : {".backup", ".backup-2"}) {
      store(device, some_record(64));
      store(device, some_record(128));
      const std::string before = content();
      const auto cleared = clear_records(device);
      REQUIRE(cleared.has_value());
      CHECK(cleared->lines == 2);
      CHECK(cleared->backup == file().string() + backup);
      CHECK(content_of(cleared->backup) == before);
      CHECK_FALSE(fs::exists(file()));
      CHECK(load_records<GemmProblem>(device).records.empty());
      CHECK(load_records<GemmProblem>(device).problems.empty());
    }
    put(file(), "of somebody else");
    expect_error(ErrorCode::invalid_records, [&] { clear_records(device); });
    CHECK(content() == "of somebody else");
  }

  TEST_CASE_FIXTURE(RecordPlace, "check_records_storable() predicts whether records can be stored") {
    CHECK_NOTHROW(check_records_storable(device));
    CHECK_FALSE(fs::exists(file()));
    put(file(), "garbage");
    CHECK_NOTHROW(check_records_storable(device));  // the file would be set aside
    CHECK(content() == "garbage");
    const ScopedEnvironment below_a_file("TILEWRIGHT_DATA_DIR", file().string());
    CHECK(mentions(expect_error(ErrorCode::invalid_records, [&] { check_records_storable(device); }), "directory"));
    const ScopedEnvironment nowhere("TILEWRIGHT_DATA_DIR", std::nullopt);
    const ScopedEnvironment no_xdg("XDG_DATA_HOME", std::nullopt);
    const ScopedEnvironment no_home("HOME", std::nullopt);
    CHECK(mentions(expect_error(ErrorCode::invalid_records, [&] { check_records_storable(device); }), "HOME"));
  }
}

}  // namespace tilewright::test
