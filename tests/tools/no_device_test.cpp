// The command when the installed drivers have no device.
#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "run_command.hpp"
#include "support/environment.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

// Shows only these drivers to child processes: a library or a folder of files that name drivers.
class OnlyDrivers {
 public:
  explicit OnlyDrivers(const std::string& drivers)
      : vendors_("OCL_ICD_VENDORS", drivers), added_("OCL_ICD_FILENAMES", drivers.ends_with(".so") ? drivers : "") {}

 private:
  // ocl-icd takes a library from the first variable, Khronos' loader only from the second.
  ScopedEnvironment vendors_, added_;
  ScopedEnvironment device_{"TILEWRIGHT_DEVICE", std::nullopt};
};

// Some loaders, such as that of the CUDA toolkit, ignore OCL_ICD_VENDORS.
bool loader_ignores_vendors() {
  const OnlyDrivers none("/nonexistent");
  const bool ignores = run_command({"devices"}).status == 0;
  if (ignores) MESSAGE("not tried: the OpenCL loader ignores OCL_ICD_VENDORS");
  return ignores;
}

}  // namespace

TEST_CASE("without a device every command that needs one fails and says which package to install") {
  if (loader_ignores_vendors()) return;
  const OnlyDrivers driver(TILEWRIGHT_DRIVER_WITHOUT_DEVICES);
  const std::vector<std::vector<std::string>> commands{{"devices"},
                                                       {"devices", "--json"},
                                                       {"explain", "--shape", "8x8x8"},
                                                       {"bench", "--shape", "8x8x8"},
                                                       {"ladder", "--size", "8"},
                                                       {"records", "list"}};
  for (const std::vector<std::string>& command : commands) {
    const CommandResult result = run_command(command);
    CAPTURE(command.front());
    CAPTURE(result.errors);
    CHECK(result.status == 1);
    CHECK(result.output.empty());
    CHECK(result.errors.find("no device") != std::string::npos);
    CHECK(result.errors.find("pocl-opencl-icd") != std::string::npos);
  }
}

TEST_CASE("a failing driver does not hide the devices of other drivers") {
  const std::filesystem::path installed = "/etc/OpenCL/vendors";
  if (!environment("OCL_ICD_VENDORS").empty() || !std::filesystem::is_directory(installed)) {
    MESSAGE("not tried: the installed drivers are not in " << installed.string());
    return;
  }
  if (loader_ignores_vendors()) return;
  const TemporaryDirectory drivers;
  for (const auto& entry : std::filesystem::directory_iterator(installed))
    std::filesystem::copy(entry.path(), drivers.file(entry.path().filename().string()));
  drivers.write("0-fails.icd", TILEWRIGHT_DRIVER_WITHOUT_DEVICES);
  const OnlyDrivers directory(drivers.file(""));
  const ScopedEnvironment status("TILEWRIGHT_TEST_DRIVER_STATUS", "-32");  // CL_INVALID_PLATFORM
  const CommandResult result = run_command({"devices"});
  CAPTURE(result.errors);
  CHECK(result.status == 0);
  CHECK_FALSE(result.output.empty());
  CHECK(result.errors.find("is skipped: ") != std::string::npos);
  CHECK(result.errors.find("CL_INVALID_PLATFORM") != std::string::npos);
}

TEST_CASE("if PoCL cannot write its cache, the error says so") {
  const std::string pocl = "/etc/OpenCL/vendors/pocl.icd";
  if (!std::filesystem::exists(pocl)) {
    MESSAGE("not tried: PoCL is not installed");
    return;
  }
  if (loader_ignores_vendors()) return;
  const TemporaryDirectory drivers;
  std::filesystem::copy(pocl, drivers.file("pocl.icd"));
  const OnlyDrivers driver(drivers.file(""));
  // Not a directory, so that even root cannot write to it.
  const ScopedEnvironment cache("POCL_CACHE_DIR", "/dev/null/pocl");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"devices"}, {"bench", "--shape", "8x8x8"}}) {
    const CommandResult refused = run_command(command);
    CAPTURE(refused.errors);
    CHECK(refused.status == 1);
    CHECK(refused.errors.find("/dev/null/pocl") != std::string::npos);
    CHECK(refused.errors.find("POCL_CACHE_DIR") != std::string::npos);
  }
}

}  // namespace tilewright::test
