#pragma once

#include <string>
#include <vector>

#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "verification/common/breadth.hpp"

namespace tilewright::verification {

/// What of a variant is checked for one element type.
struct CheckPart {
  std::string name;                  ///< "f32"
  std::string skipped{};             ///< why there is nothing to check on the device; empty: there is
  std::vector<std::string> cases{};  ///< each complete enough to be repeated from its text
};

/// What came of one case.
struct CaseResult {
  std::string wrong{};                 ///< empty: nothing
  std::vector<std::string> kernels{};  ///< what ran to its end on the device, by name, configuration and form
};

/// An operation as the check of its variants sees it.
struct CheckedOperation {
  const char* name;
  std::vector<std::string> (*variants)();

  /// Whether a variant reads images.
  bool (*reads_images)(const std::string& variant);

  /// Everything to check of a variant on a device, the same in every run.
  std::vector<CheckPart> (*parts)(const DeviceProfile& device, const std::string& variant, Breadth breadth);

  /// Runs a case of any variant. Throws what plans throw, and std::invalid_argument for a text that is no case.
  CaseResult (*run)(const Engine& engine, const std::string& text);
};

}  // namespace tilewright::verification
