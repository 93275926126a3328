// The model of time of products, fitted to the timings of a tuning run.
#pragma once

#include <string>
#include <vector>

#include "tuning/operations/gemm_time_fit.hpp"
#include "tuning/tuned.hpp"

namespace tilewright::tool {

/// Returns the timings of a run whose products the model predicts.
std::vector<tuning::TimedProduct> timings_of_run(const std::vector<tuning::Tuned>& results,
                                                 const DeviceProfile& device);

/// Fits the device's model to timings and stores its constants if choices by them are faster. Returns a summary; empty
/// if there are too few timings or none of the model.
std::string refit_times(const std::vector<tuning::TimedProduct>& timings, const DeviceProfile& device);

/// Returns a sentence on how well a fit predicts the products that it did not see.
std::string summary_of(const tuning::TimeFit& fit);

}  // namespace tilewright::tool
