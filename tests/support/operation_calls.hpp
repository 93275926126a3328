// A right call of every operation, for tests that replace one operand at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "tilewright/error.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::test {

/// An operand of a call.
struct CallOperand {
  OperandName name;
  const char* label;        ///< in messages
  std::uint64_t bytes = 0;  ///< exactly as many as the operand needs
  bool read = false;
  bool written = false;
};

/// The arguments that a test may replace.
struct CallArguments {
  cl_command_queue queue = nullptr;
  std::vector<MatrixRef> operands{};
  WorkspaceRef workspace{};
  std::span<const cl_event> waits{};
  bool event = true;
};

/// A call on the shared engine. Its scalars are such that every operand is read that can be.
struct OperationCall {
  std::string name;
  std::vector<CallOperand> operands;
  std::uint64_t workspace_bytes = 0;  ///< of a workspace that may be lent; 0: none
  std::function<Event(const CallArguments&)> enqueue;
};

/// Calls of every operation on matrices of order n, in f32 or what else an operation needs.
std::vector<OperationCall> operation_calls(std::uint64_t n);

/// Buffers of a call's operands on the shared engine's context. They hold zeros, and pivots that exchange no rows.
class CallBuffers {
 public:
  explicit CallBuffers(const OperationCall& call);

  std::vector<MatrixRef> refs() const;

 private:
  std::vector<cl::Buffer> buffers_;
};

}  // namespace tilewright::test
