// Oclgrind is an OpenCL device that interprets kernels. It finds out-of-bounds accesses, races and uninitialised reads.
#pragma once

#include <cstddef>
#include <string>

#include "verification/common/temporary_file.hpp"

namespace tilewright::verification {

/// Returns the path of Oclgrind's driver, liboclgrind-rt-icd.so; empty if it is not installed. Searches next to the
/// `oclgrind` in PATH, then in /usr and /usr/local. The driver has no .icd file, so OCL_ICD_VENDORS must name it.
std::string find_oclgrind();

/// Makes Oclgrind this process's only device, with all its checks, or all but that for uninitialised reads. Call before
/// any OpenCL function.
void use_oclgrind(const std::string& driver, bool skips_uninitialised);

/// Returns each fault of Oclgrind's reports once, and the number of further reports. Many work-items report the same
/// fault: they differ in addresses and indices only. An empty line ends a report.
std::string distinct_reports(const std::string& reports);

/// Collects Oclgrind's reports of this process in a temporary file. Empty on other devices.
class OclgrindLog {
 public:
  /// Sets OCLGRIND_LOG. Call before any OpenCL function. Throws std::system_error.
  OclgrindLog();

  /// Returns the reports since the last call, shortened if they are long.
  std::string news();

 private:
  TemporaryFile file_;
  std::size_t read_ = 0;
};

}  // namespace tilewright::verification
