// The kernels of cl/triangular/: copies of the blocks on the diagonal, their solution, and zeros.
#pragma once

#include "kernels/launch_sequence.hpp"
#include "triangular/policy.hpp"
#include "triangular/problem.hpp"

namespace tilewright::detail {

/// Not safe to use from many threads at once: arguments are set. Keeps no Engine.
class TrsmBlockSolver {
 public:
  TrsmBlockSolver(const Engine& engine, const TrsmSystem& system);

  std::uint64_t block() const { return static_cast<std::uint64_t>(shape_.block); }
  std::uint64_t blocks() const { return (system_.order + block() - 1) / block(); }
  std::uint64_t packed_bytes() const;
  bool updates_rows() const { return shape_.updates_rows(system_.lines); }

  /// Copies all blocks of the diagonal of A to `packed`.
  Event pack(cl_command_queue queue, const MatrixRef& a, const MatrixRef& packed, std::span<const cl_event> waits,
             bool event);
  /// Solves the rows of one block in place.
  Event solve(cl_command_queue queue, std::uint64_t block, double alpha, const MatrixRef& packed, const MatrixRef& b,
              std::span<const cl_event> waits, bool event);
  /// Takes products of the block that was solved last from the `rest` of the rows, where updates_rows().
  Event update(cl_command_queue queue, std::uint64_t rest, double factor, const MatrixRef& a, const MatrixRef& b,
               std::span<const cl_event> waits, bool event);
  Event clear(cl_command_queue queue, const MatrixRef& b, std::span<const cl_event> waits, bool event);

  const cl::Program& program() const { return pack_.program(); }

 private:
  std::uint64_t packed_stride() const;
  void compile(const Engine& engine, LaunchSequence& sequence, Launch launch);
  Event enqueue(LaunchSequence& sequence, cl_command_queue queue, CallValues values, std::span<const cl_event> waits,
                bool event);

  TrsmSystem system_;
  TrsmShape shape_;
  LaunchSequence pack_, solve_, update_, clear_;
};

}  // namespace tilewright::detail
