// Matrix files that grow tile by tile: the state after a kill, and foreign files with the same names.
#include "files/partial_output.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "files/file_error.hpp"
#include "files/npy.hpp"
#include "support/child_process.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::tool {
namespace {

using test::run_in_child;
using test::TemporaryDirectory;

const NpyHeader header{DataType::f32, false, 4, 4};
const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/// A directory whose output file is "c".
struct Place {
  TemporaryDirectory directory;
  std::string path = directory.file("c");

  std::unique_ptr<PartialOutput> begin() const { return std::make_unique<PartialOutput>(path, header, "of c"); }
  std::unique_ptr<PartialOutput> resume() const { return std::make_unique<PartialOutput>(path, header); }
  bool has(const char* name) const { return std::filesystem::exists(directory.file(name)); }

  void check_finished(std::size_t others = 0) const {
    CHECK(elements_as<float>(read_npy(path)) == numbers);
    CHECK_FALSE(has("c.partial"));
    CHECK(directory.files() == 1 + others);
  }
};

void finish(PartialOutput& output) {
  std::memcpy(output.data(), numbers.data(), numbers.size() * sizeof(float));
  output.commit();
}

/// The message of a refused call.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const FileError& error) {
    CHECK(error.code() == FileErrorCode::cannot_write);
    return error.what();
  }
  FAIL("was not refused");
  return {};
}

bool refuses(const std::function<void()>& call, const std::string& part) {
  const std::string message = refusal(call);
  CAPTURE(message);
  CHECK(message.find(part) != std::string::npos);
  return message.find(part) != std::string::npos;
}

/// Returns whether the call fails with FileError(cannot_write), whose message contains the text.
bool is_refused(const std::function<void()>& call, const std::string& part) {
  try {
    call();
  } catch (const FileError& error) {
    return error.code() == FileErrorCode::cannot_write && std::string(error.what()).find(part) != std::string::npos;
  }
  return false;
}

}  // namespace

TEST_CASE("partial output: finished tiles are kept, and commit renames the file") {
  const Place place;
  place.directory.write("c", "old");
  CHECK(PartialOutput::state(place.path) == PartialState::none);
  {
    const auto output = place.begin();
    CHECK(PartialOutput::state(place.path) == PartialState::in_use);
    CHECK(output->journal().done.empty());
    output->note({0, 0});
    output->note({2, 0});
  }
  CHECK(PartialOutput::state(place.path) == PartialState::unfinished);
  CHECK(refuses([&] { place.begin(); }, "c.partial exists"));
  const auto output = place.resume();
  CHECK(output->journal().heading == "of c");
  CHECK(output->journal().done == std::set<TileCorner>{{0, 0}, {2, 0}});
  CHECK(place.directory.read("c") == "old");
  finish(*output);
  place.check_finished();
}

TEST_CASE("partial output: a restart discards the tiles, whenever the process ends") {
  const Place place;
  {
    const auto output = place.begin();
    output->note({0, 0});
    output->restart("of d");
    output->note({1, 0});
  }
  {
    const auto output = place.resume();
    CHECK(output->journal().heading == "of d");
    CHECK(output->journal().done == std::set<TileCorner>{{1, 0}});
    output->restart("of e");
  }
  CHECK(place.resume()->journal().done.empty());
}

TEST_CASE("partial output: an incomplete line of the journal is ignored") {
  const Place place;
  place.begin()->note({0, 0});
  const std::string whole = place.directory.read("c.journal");
  place.directory.write("c.journal", whole + "2 1");  // the start of "2 16"
  place.resume()->note({3, 0});
  CHECK(place.resume()->journal().done == std::set<TileCorner>{{0, 0}, {3, 0}});
  const std::size_t heading = whole.find("of c");
  REQUIRE(heading != std::string::npos);
  place.directory.write("c.journal", whole.substr(0, heading + 1));
  CHECK(place.resume()->journal().heading == "o");
  place.resume()->restart("of c");
  CHECK(place.resume()->journal().heading == "of c");
}

TEST_CASE("partial output: a run that ended during its space reservation starts over") {
  const Place place;
  place.begin();
  const std::string whole = place.directory.read("c.partial");
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, whole.size() - 64, whole.size() - 1}) {
    CAPTURE(size);
    place.directory.write("c.partial", whole.substr(0, size));
    const auto output = place.resume();
    CHECK(output->data() == nullptr);
    output->restart("of c");
    REQUIRE(output->data() != nullptr);
    CHECK(place.directory.read("c.partial").size() == whole.size());
  }
  place.directory.write("c.partial", whole + 'x');
  CHECK(refuses([&] { place.resume(); }, "belongs to another product"));
  place.directory.write("c.partial", std::string(whole.size(), 'x'));
  CHECK(refuses([&] { place.resume(); }, "belongs to another product"));
  place.directory.write("c.partial", whole);
  place.resume()->note({0, 0});
  place.directory.write("c.partial", whole.substr(0, whole.size() - 1));  // tiles that were done are missing
  CHECK(refuses([&] { place.resume(); }, "belongs to another product"));
  std::filesystem::remove(place.directory.file("c.partial"));
  CHECK(PartialOutput::state(place.path) == PartialState::none);
  const auto output = place.begin();  // with the existing journal
  CHECK(output->journal().done.empty());
  finish(*output);
  place.check_finished();
}

TEST_CASE("partial output: foreign files are kept, whatever their names") {
  const Place place;
  const std::vector<std::pair<const char*, std::string>> others{
      {"c.journal", "my diary\n"}, {"c.journal-2", ""}, {"c.journal-4", "tilewright journal"}};
  for (const auto& [name, text] : others) place.directory.write(name, text);
  std::filesystem::create_symlink("elsewhere", place.directory.file("c.journal-3"));
  {
    const auto output = place.begin();
    output->note({0, 0});
  }
  CHECK(PartialOutput::state(place.path) == PartialState::unfinished);
  CHECK(place.has("c.journal-5"));
  const auto output = place.resume();
  CHECK(output->journal().done.size() == 1);
  finish(*output);
  CHECK_FALSE(place.has("c.journal-5"));
  for (const auto& [name, text] : others) CHECK(place.directory.read(name) == text);
  CHECK(std::filesystem::is_symlink(place.directory.file("c.journal-3")));
  place.check_finished(4);
}

TEST_CASE("partial output: no free name for a journal, or a foreign FILE.partial") {
  const Place place;
  place.directory.write("c.journal", "mine");
  for (int i = 2; i <= 9; ++i) place.directory.write("c.journal-" + std::to_string(i), "mine");
  CHECK(refuses([&] { place.begin(); }, "no free name for a journal"));
  CHECK(place.directory.files() == 9);
  const Place other;
  other.directory.write("c.partial", "mine");
  CHECK(PartialOutput::state(other.path) == PartialState::foreign);
  CHECK(refuses([&] { other.begin(); }, "c.partial exists"));
  CHECK(refuses([&] { other.resume(); }, "no journal shows that this command wrote"));
  other.directory.write("c.journal", "mine");
  CHECK(PartialOutput::state(other.path) == PartialState::foreign);
  CHECK(refuses([&] { other.resume(); }, "no journal shows that this command wrote"));
  CHECK(other.directory.read("c.partial") == "mine");
  CHECK(other.directory.read("c.journal") == "mine");
  CHECK(other.directory.files() == 2);
  // A dangling link, and a pipe without a reader.
  const Place link;
  std::filesystem::create_symlink("nothing", link.directory.file("c.partial"));
  CHECK(PartialOutput::state(link.path) == PartialState::foreign);
  CHECK(refuses([&] { link.begin(); }, "c.partial exists"));
  REQUIRE(mkfifo(link.directory.file("c.journal").c_str(), 0600) == 0);
  CHECK(refuses([&] { link.resume(); }, "no journal"));
  CHECK(link.directory.files() == 2);
}

TEST_CASE("partial output: one process at a time") {
  const Place place;
  const auto output = place.begin();
  CHECK(run_in_child([&] { return is_refused([&] { place.resume(); }, "another process is writing") ? 3 : 4; }) == 3);
  CHECK(run_in_child([&] { return PartialOutput::state(place.path) == PartialState::in_use ? 3 : 4; }) == 3);
  finish(*output);
  // The finished file is still open here. Another product may start, and the end of this one must not disturb it.
  const auto next = place.begin();
  next->note({0, 0});
  CHECK(elements_as<float>(read_npy(place.path)) == numbers);
  finish(*next);
  place.check_finished();
}

TEST_CASE("partial output: files that were removed or replaced meanwhile do not become the result") {
  const Place place;
  place.directory.write("c", "old");
  const auto output = place.begin();
  std::filesystem::remove(place.directory.file("c.partial"));
  CHECK(refuses([&] { finish(*output); }, "was removed or replaced"));
  place.directory.write("c.partial", "another's");
  std::filesystem::remove(place.directory.file("c.journal"));
  place.directory.write("c.journal", "another's");
  CHECK(refuses([&] { finish(*output); }, "was removed or replaced"));
  CHECK(place.directory.read("c") == "old");
  CHECK(place.directory.read("c.partial") == "another's");
  CHECK(place.directory.read("c.journal") == "another's");
}

TEST_CASE("partial output: a file that cannot be mapped is removed") {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers need address space
  const Place place;
  CHECK(run_in_child([&] {
          std::ifstream pages("/proc/self/statm");
          rlim_t taken = 0;
          pages >> taken;
          const rlim_t limit = taken * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (4 << 20);
          const rlimit little{limit, limit};
          setrlimit(RLIMIT_AS, &little);
          const NpyHeader large{DataType::f32, false, 2048, 2048};
          return is_refused([&] { PartialOutput(place.path, large, "of c"); }, "cannot be mapped") ? 3 : 4;
        }) == 3);
  CHECK(place.directory.files() == 0);
#endif
}

TEST_CASE("partial output: a kill at any moment leaves nothing that a later run cannot use") {
  for (int microseconds = 0; microseconds < 2000; microseconds += 50) {
    const Place place;
    CHECK(run_in_child([&]() -> int {
            const itimerval soon{{}, {0, microseconds + 1}};
            std::signal(SIGALRM, SIG_DFL);
            setitimer(ITIMER_REAL, &soon, nullptr);
            for (;;) {
              place.begin();
              std::filesystem::remove(place.directory.file("c.partial"));
              std::filesystem::remove(place.directory.file("c.journal"));
            }
          }) == 128 + SIGALRM);
    const PartialState state = PartialOutput::state(place.path);
    CAPTURE(microseconds);
    CHECK((state == PartialState::none || state == PartialState::unfinished));
    auto output = state == PartialState::none ? place.begin() : place.resume();
    if (output->data() == nullptr) output->restart("of c");
    finish(*output);
    CHECK_FALSE(place.has("c.journal"));
    CHECK_FALSE(place.has("c.journal-2"));
  }
}

TEST_CASE("partial output: of several journals the newest counts") {
  for (const char* const left : {"c.journal", "c.journal-3"}) {
    const Place place;
    place.directory.write("c.journal-2", "");
    place.directory.write(left, "tilewright journal of a partial product 1 of an earlier product\n0 0\n2 2\n");
    {
      // The earlier process has renamed its file, but still holds its journal.
      const int held = open(place.directory.file(left).c_str(), O_RDWR | O_CLOEXEC);
      REQUIRE(flock(held, LOCK_EX) == 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // files' times have a resolution of some ms
      place.begin()->note({1, 0});
      close(held);
    }
    CHECK(PartialOutput::state(place.path) == PartialState::unfinished);
    const auto output = place.resume();
    CHECK(output->journal().heading == "of c");
    CHECK(output->journal().done == std::set<TileCorner>{{1, 0}});
  }
}

TEST_CASE("partial output: state() disturbs neither another state() nor a run") {
  const Place place;
  place.begin();
  const int reader = open(place.directory.file("c.journal").c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(flock(reader, LOCK_SH) == 0);  // as a state() of another process
  CHECK(PartialOutput::state(place.path) == PartialState::unfinished);
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    close(reader);
  });
  CHECK_NOTHROW(place.resume());
  end.join();
}

TEST_CASE("partial output: a full disk leaves no file, and symbolic links are kept") {
  const Place place;
  const NpyHeader large{DataType::f32, false, 1000, 1000};
  const auto begin_limited = [&](const rlimit& limit, const char* part) {
    return run_in_child([&] {
      setrlimit(RLIMIT_FSIZE, &limit);
      return is_refused([&] { PartialOutput(place.path, large, "of c"); }, part) ? 3 : 4;
    });
  };
  CHECK(begin_limited({1000, 1000}, "the disk lacks space") == 3);
  CHECK(place.directory.files() == 0);
  CHECK(begin_limited({10, 10}, "creating a journal") == 3);
  CHECK(place.directory.files() == 0);
  std::filesystem::create_directory(place.directory.file("sub"));
  std::filesystem::create_symlink("sub/target", place.path);
  CHECK(PartialOutput::name_of(place.path) == place.directory.file("sub/target.partial"));
  const auto output = place.begin();
  CHECK(place.has("sub/target.partial"));
  finish(*output);
  CHECK(std::filesystem::is_symlink(place.path));
  CHECK(elements_as<float>(read_npy(place.directory.file("sub/target"))) == numbers);
  CHECK(place.directory.files() == 2);
}

}  // namespace tilewright::tool
