#pragma once

#include <memory>
#include <string>

#include "runtime/device/opencl.hpp"
#include "runtime/memory/witness.hpp"
#include "runtime/system/process.hpp"
#include "tilewright/packed_matrix.hpp"

namespace tilewright {

/// What a plan makes of an operand once, and recognises later.
class PackedMatrix::State {
 public:
  cl::Context context;
  cl::Device device;
  std::string form;         ///< tells everything that plans must agree on
  std::string description;  ///< the same in the words of who packed it
  bool repacked;            ///< in a workspace's form; else a copy of the matrix as it is stored
  cl::Memory memory;
  std::uint64_t bytes;
  cl::Event ready;
  cl::Event stamped;                         ///< what waited as the packing did; null where it had nothing to wait for
  std::unique_ptr<detail::Witness> witness;  ///< of the packing
  detail::OwnProcess process{};
};

}  // namespace tilewright
