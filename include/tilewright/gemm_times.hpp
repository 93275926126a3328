// What products are expected to take, for algorithms that are made of them.
#pragma once

#include <memory>
#include <optional>

#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

/// The times that tuning records and the model of a device promise. Reads the device's records once; compiles and
/// measures nothing.
class GemmTimes {
 public:
  TILEWRIGHT_API explicit GemmTimes(const DeviceProfile& device);
  TILEWRIGHT_API ~GemmTimes();
  GemmTimes(const GemmTimes&) = delete;
  GemmTimes& operator=(const GemmTimes&) = delete;

  /// Seconds of one call of what gemm() would choose; none where neither records nor a model know the device.
  /// Throws what explain_gemm() throws.
  TILEWRIGHT_API std::optional<double> seconds(const GemmProblem& problem, const Choice& choice = {}) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewright
