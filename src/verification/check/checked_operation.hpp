#pragma once

#include <string>
#include <vector>

#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "verification/common/breadth.hpp"

namespace tilewright::verification {

/// Cases that check a variant: those of one element type, or a group of them.
struct CheckPart {
  std::string name;                  ///< for example "f32", or "f32 batches"
  std::string skipped{};             ///< why the device cannot run the part; empty if it can
  std::vector<std::string> cases{};  ///< texts from which each case can be repeated
};

/// The outcome of one case.
struct CaseResult {
  std::string wrong{};                 ///< empty if the result is right
  std::vector<std::string> kernels{};  ///< kernels that finished on the device, by name, configuration and form
};

/// An operation, as seen by the check of its variants.
struct CheckedOperation {
  const char* name;
  std::vector<std::string> (*variants)();

  /// Whether the variants are functions of the library, such as "dot".
  bool has_functions = false;

  /// Returns true if checks on Oclgrind must leave out uninitialised reads. Oclgrind 21.10 reports every texel as
  /// uninitialised, and elements of buffers that the host fills in parts. The variant is empty for a single case. Null:
  /// no variant needs it.
  bool (*skips_uninitialised)(const std::string& variant) = nullptr;

  /// Returns all parts to check for a variant on a device; equal in every run.
  std::vector<CheckPart> (*parts)(const DeviceProfile& device, const std::string& variant, Breadth breadth);

  /// Runs a case of any variant. Throws the errors of plans, and std::invalid_argument for a malformed text.
  CaseResult (*run)(const Engine& engine, const std::string& text);
};

}  // namespace tilewright::verification
