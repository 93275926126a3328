// Oclgrind, a device that interprets kernels and finds out-of-bounds accesses, races and reads of what was never
// written.
#pragma once

#include <cstddef>
#include <string>

#include "verification/common/temporary_file.hpp"

namespace tilewright::verification {

/// The path of Oclgrind's driver, liboclgrind-rt-icd.so: beside the `oclgrind` in PATH, else in the system's usual
/// places; empty where it is not installed. It comes with no .icd file, so that OCL_ICD_VENDORS has to name it.
std::string find_oclgrind();

/// Makes Oclgrind this process's only device, with all its checks. Before the first call of OpenCL.
/// `reads_images`: without the check for what was never written, as Oclgrind 21.10 takes every texel for that.
void use_oclgrind(const std::string& driver, bool reads_images);

/// What Oclgrind reports in this process, in a file that vanishes with this object. Without Oclgrind there is nothing.
class OclgrindLog {
 public:
  /// Before the first call of OpenCL: sets OCLGRIND_LOG. Throws std::system_error.
  OclgrindLog();

  /// What was reported since the last call, cut where it is long.
  std::string news();

 private:
  TemporaryFile file_;
  std::size_t read_ = 0;
};

}  // namespace tilewright::verification
