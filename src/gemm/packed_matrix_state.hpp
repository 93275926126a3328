#pragma once

#include <memory>
#include <string>

#include "runtime/device/opencl.hpp"
#include "runtime/memory/execution_check.hpp"
#include "runtime/system/process.hpp"
#include "tilewright/packed_matrix.hpp"

namespace tilewright {

/// An operand that a plan packed once, and recognizes later.
class PackedMatrix::State {
 public:
  cl::Context context;
  cl::Device device;
  std::string form;         ///< everything that plans must agree on to share the matrix
  std::string description;  ///< `form` in the caller's terms, for messages
  bool repacked;            ///< stored in a workspace's form; false: a copy of the matrix as it was stored
  cl::Memory memory;
  std::uint64_t bytes;
  cl::Event ready;
  cl::Event stamped;  ///< a stamp with the same waits as the packing; null: no waits
  std::unique_ptr<detail::ExecutionCheck> execution_check;  ///< whether the packing succeeded
  detail::OwnProcess made_in{};

  const detail::OwnProcess& process() const { return made_in; }
};

}  // namespace tilewright
