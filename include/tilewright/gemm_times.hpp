// Expected times of products, for programs that choose between ways to compute something.
#pragma once

#include <memory>
#include <optional>

#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright {

/// Predicts how long gemm() takes on a device, from tuning records and the performance model. Compiles and measures
/// nothing. strassen() chooses its levels with this class. Safe to use from many threads.
class GemmTimes {
 public:
  /// Reads the device's tuning records, once.
  TILEWRIGHT_API explicit GemmTimes(const DeviceProfile& device);
  TILEWRIGHT_API ~GemmTimes();
  GemmTimes(const GemmTimes&) = delete;
  GemmTimes& operator=(const GemmTimes&) = delete;

  /// Returns the expected seconds of one call of gemm(); nothing if neither records nor the model know the device.
  /// Throws what explain_gemm() throws.
  [[nodiscard]] TILEWRIGHT_API std::optional<double> seconds(const GemmProblem& problem,
                                                             const Choice& choice = {}) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewright
