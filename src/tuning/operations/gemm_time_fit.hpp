// Fits the constants of gemm's model of time to timings of products.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gemm/wave_constants.hpp"
#include "tilewright/gemm.hpp"
#include "tuning/journal.hpp"

namespace tilewright::tuning {

/// A product that a variant with a model of time computed.
struct TimedProduct {
  GemmProblem problem;
  Choice choice;
  double seconds = 0;
};

/// Returns the evaluations whose products a model predicts on the device.
std::vector<TimedProduct> modelled(std::span<const Journal::Entry> evaluations, const DeviceProfile& device);

/// How well constants predict timings.
struct TimeErrors {
  double spread = 0;  ///< root mean square of the logarithm of predicted over measured time, without its mean
  /// Time of the configurations with the least predicted times over that of the fastest ones, a geometric mean over
  /// products with at least two configurations.
  double regret = 1;
};

struct TimeFit {
  detail::WaveConstants constants{};
  std::size_t fitted_products = 0, held_out_products = 0;
  std::size_t timings = 0;  ///< of the fitted products
  // On the products that were held out.
  TimeErrors before{};
  TimeErrors after{};

  /// Whether choices by the new constants are faster.
  bool helps() const { return after.regret < before.regret; }
};

/// Whether there are enough products for a fit: 16 with at least two timings that are not the host's. The host takes
/// longer than the kernels in the shortest calls, so timings below 1.6 times the shortest one are left out.
bool has_enough_products(std::span<const TimedProduct> timings);

/// Fits the constants to a random half of the products, beginning with those of the device, and judges them by the
/// others. The sum of squared logarithms is minimised by the method of Levenberg and Marquardt; large errors count
/// linearly, as Huber proposed. Constants that no timing depends on stay as they are, and so do those for whose name
/// `is_fitted` returns false. Throws std::runtime_error if there are too few products.
TimeFit fit_times(std::span<const TimedProduct> timings, const DeviceProfile& device,
                  const std::function<bool(const std::string& name)>& is_fitted = {});

}  // namespace tilewright::tuning
