#pragma once

#include <string>

#include "runtime/opencl.hpp"
#include "tilewright/packed_matrix.hpp"

namespace tilewright {

/// What a plan makes of an operand once, and recognises later.
class PackedMatrix::State {
 public:
  cl::Context context;
  cl::Device device;
  std::string form;  ///< tells everything that plans must agree on
  bool prepared;     ///< in a workspace's form; else a copy of the matrix as it is stored
  cl::Memory memory;
  std::uint64_t bytes;
  cl::Event ready;
};

}  // namespace tilewright
