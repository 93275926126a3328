#pragma once

#include <string>
#include <vector>

#include "gemm/variant.hpp"
#include "records/record_book.hpp"

namespace tilewright::detail {

struct GemmSelection {
  const GemmVariant* variant = nullptr;
  /// Best first; the next one is for where the compiled kernel turns out to need more than the device has.
  std::vector<Configuration> configurations;
  std::string reason;
};

/// Choosing by records costs some per cent of what is possible: predictions err, and so do timings. Where tuning gained
/// less than that, the untuned choice, which knows the problem, is the better one.
inline constexpr double least_gain = 1.05;

/// Why a variant cannot do a problem on a device; empty where it can.
std::string why_unsupported(const GemmVariant& variant, const GemmProblem& problem, const DeviceProfile& device);

/// Picks variant and configuration for a normalized problem: what is forced, else what the records predict to be
/// fastest, else what the device's profile suggests.
/// Throws Error(unsupported_type, unsupported_variant, unknown_variant, unknown_parameter, invalid_configuration).
GemmSelection select_gemm(const DeviceProfile& device, const RecordBook& records, const GemmProblem& problem,
                          const GemmChoice& choice);

/// What select_gemm() picks, with a word on every variant.
GemmExplanation explain_selection(const DeviceProfile& device, const RecordBook& records, const GemmProblem& problem,
                                  const GemmChoice& choice);

}  // namespace tilewright::detail
