// The kernels of cl/triangular/: copies of the blocks on the diagonal, their solution, and zeros.
#pragma once

#include "kernels/command_chain.hpp"
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
  void pack(CommandChain& chain, const MatrixRef& a, const MatrixRef& packed);
  /// Solves the rows of one block in place.
  void solve(CommandChain& chain, std::uint64_t block, double alpha, const MatrixRef& packed, const MatrixRef& b,
             bool event);
  /// Takes products of the block that was solved last from the `rest` of the rows, where updates_rows().
  void update(CommandChain& chain, std::uint64_t rest, double factor, const MatrixRef& a, const MatrixRef& b,
              bool event);
  void clear(CommandChain& chain, const MatrixRef& b, bool event);

  const cl::Program& program() const { return pack_.program(); }

 private:
  std::uint64_t packed_stride() const;
  void compile(const Engine& engine, LaunchSequence& sequence, Launch launch);

  TrsmSystem system_;
  TrsmShape shape_;
  LaunchSequence pack_, solve_, update_, clear_;
};

}  // namespace tilewright::detail
