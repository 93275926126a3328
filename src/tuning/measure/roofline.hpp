#pragma once

#include <map>
#include <set>

#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::tuning {

/// What a device can do at most, measured: in 10^9 operations (a multiply-add counts for two) and 10^9 bytes a second.
struct Roofline {
  std::map<DataType, double>
      gflops{};  ///< of the types that were asked for and that the device computes with, but for integers
  double bandwidth_gbytes = 0;
};

/// Runs small kernels of the types in several vector widths, takes the fastest of each kind and checks what they
/// computed. Takes a second or so of each kind, and three buffers of 256 MB at most. Throws Error(build_failed,
/// out_of_memory, opencl_failure), also where a result is wrong.
Roofline measure_roofline(const Engine& engine, const std::set<DataType>& types);

}  // namespace tilewright::tuning
