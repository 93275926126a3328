// The measured limits of a device.
#pragma once

#include <map>
#include <set>

#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::tuning {

/// Measured limits of a device, in 10^9 operations (a multiply-add counts as two) and 10^9 bytes per second.
struct Roofline {
  std::map<DataType, double> gflops{};  ///< of the requested types that the device supports, except integers
  double bandwidth_gbytes = 0;
};

/// Runs small kernels of the types in several vector widths, takes the fastest of each kind and checks the results.
/// Takes about a second per kind, and three buffers of at most 256 MB. Throws Error(build_failed, out_of_memory,
/// opencl_failure), also if a result is wrong.
Roofline measure_roofline(const Engine& engine, const std::set<DataType>& types);

}  // namespace tilewright::tuning
