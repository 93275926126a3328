// `tilewright run`: a program with the BLAS library preloaded.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "run_command.hpp"
#include "support/environment.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

CommandResult run_script(const std::string& script, std::vector<std::string> options = {}) {
  options.insert(options.begin(), "run");
  options.insert(options.end(), {"--", "/bin/sh", "-c", script});
  return run_command(options);
}

TEST_CASE("run replaces itself by the program, with the library and its variables set") {
  const ScopedEnvironment mode("TILEWRIGHT_BLAS", "never");
  const CommandResult result =
      run_script("echo \"$LD_PRELOAD\" \"$TILEWRIGHT_BLAS\" \"$TILEWRIGHT_BLAS_REPORT\"; exit 7");
  CHECK(result.status == 7);
  CHECK(result.errors.empty());
  CHECK(result.output.find("/libtilewright-blas.so never 1\n") != std::string::npos);
  CHECK(result.output.front() == '/');

  const CommandResult other = run_script("echo \"$TILEWRIGHT_BLAS $TILEWRIGHT_DEVICE $TILEWRIGHT_BLAS_REPORT\"",
                                         {"--blas", "always", "--device", "0:0", "--report", "/tmp/calls.json"});
  CHECK(other.output == "always 0:0 /tmp/calls.json\n");
  CHECK(run_script("kill -TERM $$").status == 128 + 15);
}

TEST_CASE("run keeps libraries that are preloaded already, and does not bind threads to cores") {
  const ScopedEnvironment preload("LD_PRELOAD", "libm.so.6");
  const ScopedEnvironment affinity("POCL_AFFINITY", std::nullopt);
  const CommandResult result = run_script("echo \"$LD_PRELOAD $POCL_AFFINITY\"");
  CHECK(result.output.find("/libtilewright-blas.so:libm.so.6 \n") != std::string::npos);
}

TEST_CASE("run hands over the program's words literally") {
  const CommandResult result = run_command({"run", "--", "/bin/echo", "[1,2]", "[]", "[[a,b]]", "x,y", "--device"});
  CHECK(result.output == "[1,2] [] [[a,b]] x,y --device\n");
}

TEST_CASE("run checks the report's file and the device before it starts the program") {
  const TemporaryDirectory directory;
  const std::string report = directory.write("calls.json", "of an earlier run");
  CHECK(run_script("true", {"--report", report}).status == 0);
  CHECK(!std::filesystem::exists(report));
  const CommandResult wrong = run_script("echo started", {"--report", directory.file("missing/calls.json")});
  CHECK(wrong.status == 1);
  CHECK(wrong.output.empty());
  CHECK(wrong.errors.find("missing/calls.json") != std::string::npos);
  CHECK(run_script("echo started", {"--report", directory.file("")}).status == 1);
  CHECK(run_script("true", {"--report", "/dev/null"}).status == 0);
  CHECK(std::filesystem::exists("/dev/null"));
  const CommandResult device = run_script("echo started", {"--device", "nosuchdevice"});
  CHECK(device.status == 1);
  CHECK(device.output.empty());
}

TEST_CASE("run refuses a library whose path LD_PRELOAD cannot hold") {
  const TemporaryDirectory directory;
  const std::filesystem::path build = directory.file("with space"), command = build / "tools/tilewright/tilewright";
  std::filesystem::create_directories(command.parent_path());
  std::filesystem::create_directories(build / "src/bindings/blas");
  std::filesystem::copy_file(TILEWRIGHT_COMMAND, command);
  std::ofstream(build / "src/bindings/blas/libtilewright-blas.so") << "a library";
  const std::string errors = directory.file("errors");
  CHECK(std::system(("'" + command.string() + "' run -- true 2>'" + errors + "'").c_str()) != 0);
  CHECK(directory.read("errors").find("spaces and colons") != std::string::npos);
}

TEST_CASE("run reports programs that it cannot start, and options that it does not know") {
  const CommandResult missing = run_command({"run", "--", "/nonexistent/program"});
  CHECK(missing.status == 127);
  CHECK(missing.errors.find("/nonexistent/program") != std::string::npos);
  CHECK(missing.errors.find("cannot be started") != std::string::npos);
  CHECK(run_command({"run", "--", "/tmp"}).status == 126);
  CHECK(run_command({"run"}).status == 2);
  CHECK(run_command({"run", "--blas", "sometimes", "--", "true"}).status == 2);
}

}  // namespace
}  // namespace tilewright::test
