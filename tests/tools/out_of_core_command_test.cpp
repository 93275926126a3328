// `tilewright multiply --memory`: matrices in files, C tile by tile, and calls that continue interrupted ones.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "files/npy.hpp"
#include "npy_bytes.hpp"
#include "run_command.hpp"
#include "runtime/system/icd_environment.hpp"
#include "selection/json.hpp"
#include "support/environment.hpp"
#include "temporary_directory.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

/// Stores the device's speeds for all tests.
const TemporaryDirectory kept;

/// A, B and C0 of small integers, whose product 2 A B + 3 C0 is exact.
class LargeFiles {
 public:
  static constexpr std::uint64_t m = 400, n = 300, k = 350;

  LargeFiles() {
    a_ = data(m * k, 1);
    b_ = data(k * n, 2);
    c_ = data(m * n, 3);
    write("a.npy", m, k, a_);
    write("b.npy", k, n, b_);
    std::vector<float> transposed(b_.size());
    for (std::uint64_t l = 0; l < k; ++l)
      for (std::uint64_t j = 0; j < n; ++j) transposed[j * k + l] = b_[l * n + j];
    write("b_fortran.npy", k, n, transposed, true);
    write("c0.npy", m, n, c_);
  }

  std::vector<std::string> arguments(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"multiply", directory.file("a.npy"), directory.file("b.npy"), "-o",
                                   directory.file("c.npy"), "--alpha", "2", "--beta", "3", "--c-in",
                                   directory.file("c0.npy"),
                                   // If files are used in place, only packed operands take memory.
                                   "--variant", "packed_panel", "--configuration", "pack_b=1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  void check_output() const {
    const tool::NpyMatrix matrix = tool::read_npy(directory.file("c.npy"));
    CHECK(matrix.header.rows == m);
    CHECK(matrix.header.columns == n);
    const std::vector<float> found = tool::elements_as<float>(matrix);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < m; ++i) {
      std::vector<float> row(n);
      for (std::uint64_t l = 0; l < k; ++l)
        for (std::uint64_t j = 0; j < n; ++j) row[j] += a_[i * k + l] * b_[l * n + j];
      for (std::uint64_t j = 0; j < n; ++j) wrong += found[i * n + j] == 2 * row[j] + 3 * c_[i * n + j] ? 0U : 1U;
    }
    CHECK(wrong == 0);
    CHECK_FALSE(std::filesystem::exists(directory.file("c.npy.partial")));
    CHECK_FALSE(std::filesystem::exists(directory.file("c.npy.journal")));
  }

  std::size_t tiles_done() const {
    const std::string journal = directory.read("c.npy.journal");
    const auto lines = std::count(journal.begin(), journal.end(), '\n');
    return lines == 0 ? 0 : static_cast<std::size_t>(lines - 1);
  }

  TemporaryDirectory directory;
  // Measures the device once for all calls of a test.
  ScopedEnvironment records{"TILEWRIGHT_RECORDS", std::nullopt};
  ScopedEnvironment data_directory{"TILEWRIGHT_DATA_DIR", kept.file("data")};

 private:
  // Like NumPy: the data start at a multiple of 64 bytes.
  void write(const char* name, std::uint64_t rows, std::uint64_t columns, const std::vector<float>& elements,
             bool fortran = false) const {
    directory.write(name, tool::format_npy_header({DataType::f32, fortran, rows, columns}) + raw(elements));
  }

  static std::vector<float> data(std::uint64_t count, std::uint64_t seed) {
    return verification::random_data<float>(count, verification::DataKind::integers, seed);
  }

  std::vector<float> a_, b_, c_;
};

/// Runs the command and sends it a signal after this number of tiles. Returns the status of waitpid().
int end_after(const LargeFiles& files, std::size_t tiles, int signal_number,
              const std::vector<std::string>& arguments) {
  detail::restore_icd_environment();
  const std::string errors = files.directory.file("errors");
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY), file = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(null, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    std::vector<std::string> words{TILEWRIGHT_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(pointers.front(), pointers.data());
    _exit(126);
  }
  int status = 0;
  bool is_sent = false;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!is_sent && files.tiles_done() >= tiles) is_sent = kill(child, signal_number) == 0;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return status;
}

/// A small memory limit that gives many tiles.
std::string small_memory(const LargeFiles& files) {
  const CommandResult result = run_command(files.arguments({"--memory", "1"}));
  const auto at = result.errors.rfind(" is ");
  CHECK(result.status == 1);
  return at == std::string::npos ? "1M" : std::to_string(std::stoull(result.errors.substr(at + 4)));
}

TEST_CASE("multiply --memory: the product of files, and its report") {
  const LargeFiles files;
  const CommandResult plain = run_command(files.arguments({"--memory", "200k"}));
  CAPTURE(plain.errors);
  CHECK(plain.status == 0);
  CHECK(plain.output.find("tiles of C") != std::string::npos);
  CHECK(plain.output.find("verified") != std::string::npos);
  files.check_output();
  std::vector<std::string> arguments = files.arguments({"--memory", "200k", "--json"});
  arguments[2] = files.directory.file("b_fortran.npy");
  const CommandResult transposed = run_command(arguments);
  CAPTURE(transposed.errors);
  CHECK(transposed.status == 0);
  const auto line = nlohmann::json::parse(transposed.output);
  CHECK(line["verified"] == true);
  CHECK(line["memory_limit"] == 200 * 1024);
  CHECK(line["schedule"]["memory"] <= 200 * 1024);
  files.check_output();
}

TEST_CASE("multiply --resume: continues after a kill or an interrupt, and checks finished tiles") {
  const LargeFiles files;
  const std::string memory = small_memory(files);
  files.directory.write("c.npy", "what was there");
  for (const int signal_number : {SIGKILL, SIGINT}) {
    const int status = end_after(files, 2, signal_number, files.arguments({"--memory", memory}));
    const bool was_ended = std::filesystem::exists(files.directory.file("c.npy.partial"));
    if (!was_ended) continue;  // the command finished before the signal
    CHECK_FALSE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
    if (signal_number == SIGKILL) CHECK(files.directory.read("c.npy") == "what was there");
    if (signal_number == SIGINT)
      CHECK(files.directory.read("errors").find("continue with the same command and --resume") != std::string::npos);
    CHECK(files.tiles_done() >= 2);
    if (signal_number == SIGKILL) {  // no restart without an option, no resume as another product
      const CommandResult again = run_command(files.arguments({"--memory", memory}));
      CHECK(again.status == 1);
      CHECK(again.errors.find("continue it with --resume") != std::string::npos);
      std::vector<std::string> other = files.arguments({"--memory", memory, "--resume"});
      other[6] = "4";
      CHECK(run_command(other).errors.find("belongs to another product") != std::string::npos);
    }
    const CommandResult resumed = run_command(files.arguments({"--memory", memory, "--resume", "--json"}));
    CAPTURE(resumed.errors);
    CHECK(resumed.status == 0);
    CHECK(nlohmann::json::parse(resumed.output)["tiles_resumed"] >= 2);
    files.check_output();
  }
}

TEST_CASE("multiply --resume: damaged tiles are computed again") {
  const LargeFiles files;
  const std::string memory = small_memory(files);
  end_after(files, 3, SIGKILL, files.arguments({"--memory", memory}));
  const std::string partial = files.directory.file("c.npy.partial");
  if (!std::filesystem::exists(partial)) return;
  {
    std::fstream file(partial, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(128);
    const std::vector<float> wrong(files.m * files.n, 12345.F);
    file.write(reinterpret_cast<const char*>(wrong.data()), static_cast<std::streamsize>(wrong.size() * sizeof(float)));
  }
  std::ofstream(files.directory.file("c.npy.journal"), std::ios::app) << "17";  // an unfinished line
  const CommandResult resumed = run_command(files.arguments({"--memory", memory, "--resume", "--json"}));
  CAPTURE(resumed.errors);
  CHECK(resumed.status == 0);
  CHECK(resumed.errors.find("is wrong; all tiles are recomputed") != std::string::npos);
  CHECK(nlohmann::json::parse(resumed.output)["tiles_resumed"] == 0);
  files.check_output();
}

TEST_CASE("multiply --memory: impossible calls leave no files") {
  const LargeFiles files;
  const std::size_t before = files.directory.files();
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& expected, int status) {
    const CommandResult result = run_command(arguments);
    CAPTURE(result.errors);
    CHECK(result.status == status);
    CHECK(result.errors.find(expected) != std::string::npos);
    CHECK(files.directory.files() == before);
  };
  refused(files.arguments({"--memory", "0"}), "not a number of bytes", 2);
  refused(files.arguments({"--memory", "2X"}), "not a number of bytes", 2);
  refused(files.arguments({"--resume"}), "--memory", 2);
  refused(files.arguments({"--memory", "1"}), "needs at least", 1);
  refused(files.arguments({"--memory", "1M", "--type", "f64"}), "--memory does not convert", 2);
  refused(files.arguments({"--memory", "1M", "--activation", "relu"}), "--activation", 2);
  refused(files.arguments({"--memory", "1M", "--trans-a"}), "inner sizes", 1);
  // A truncated file, and a full disk.
  const std::string whole = files.directory.read("b.npy");
  files.directory.write("b.npy", whole.substr(0, whole.size() - 1));
  refused(files.arguments({"--memory", "1M"}), "truncated", 1);
  files.directory.write("b.npy", whole);
  const std::uint64_t size = 3000;
  const std::string a = tool::format_npy_header({DataType::f32, false, size, 1}),
                    b = tool::format_npy_header({DataType::f32, false, 1, size});
  files.directory.write("tall.npy", a + raw(std::vector<float>(size)));
  files.directory.write("wide.npy", b + raw(std::vector<float>(size)));
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{16 << 20, limit.rlim_max};  // less than C, but more than the driver writes
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const CommandResult full =
      run_command({"multiply", files.directory.file("tall.npy"), files.directory.file("wide.npy"), "-o",
                   files.directory.file("c.npy"), "--memory", "1M"});
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_DFL);
  CAPTURE(full.errors);
  CHECK(full.status == 1);
  CHECK(full.errors.find("the disk lacks space") != std::string::npos);
  CHECK(files.directory.files() == before + 2);
}

TEST_CASE("multiply --memory: foreign files with the names of partial files are kept") {
  const LargeFiles files;
  files.directory.write("c.npy.journal", "my diary");
  const CommandResult beside = run_command(files.arguments({"--memory", "1M"}));
  CHECK_MESSAGE(beside.status == 0, beside.errors);
  CHECK(files.directory.read("c.npy.journal") == "my diary");
  const std::string result = files.directory.read("c.npy");
  files.directory.write("c.npy.partial", "my sketch");
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--memory", "1M"}, {"--memory", "1M", "--resume"}}) {
    const CommandResult refused = run_command(files.arguments(more));
    CHECK(refused.status == 1);
    CHECK_MESSAGE(refused.errors.find("it stays as it is") != std::string::npos, refused.errors);
  }
  // Messages name the file next to the target of a symbolic link.
  std::filesystem::create_symlink("c.npy", files.directory.file("link.npy"));
  std::vector<std::string> linked = files.arguments({"--memory", "1M"});
  linked[4] = files.directory.file("link.npy");
  const CommandResult refused = run_command(linked);
  CHECK_MESSAGE(refused.errors.find(files.directory.file("c.npy.partial")) != std::string::npos, refused.errors);
  CHECK(files.directory.read("c.npy.partial") == "my sketch");
  CHECK(files.directory.read("c.npy.journal") == "my diary");
  CHECK(files.directory.read("c.npy") == result);
}

TEST_CASE("multiply --memory: a factor that the type cannot hold is refused") {
  const LargeFiles files;
  std::vector<std::string> huge = files.arguments({"--memory", "1M"});
  huge[6] = "1e39";
  const CommandResult refused = run_command(huge);
  CHECK(refused.status == 2);
  CHECK_MESSAGE(refused.errors.find("--alpha: 1e+39 is too large for f32") != std::string::npos, refused.errors);
}

TEST_CASE("explain --memory: the schedule") {
  const CommandResult result = run_command({"explain", "--shape", "4096x4096x4096", "--memory", "8M", "--json"});
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  const auto line = nlohmann::json::parse(result.output);
  CHECK(line["schedule"]["memory"] <= 8 << 20);
  CHECK(line["schedule"]["expected"]["seconds"] > 0);
}

}  // namespace
}  // namespace tilewright::test
