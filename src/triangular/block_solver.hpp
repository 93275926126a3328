// Launches of the kernels in cl/triangular/: they pack, solve and subtract diagonal blocks, and write zeros.
#pragma once

#include <complex>

#include "kernels/launch_sequence.hpp"
#include "triangular/policy.hpp"
#include "triangular/problem.hpp"

namespace tilewright::detail {

/// Compiled kernels for one system. Calls set kernel arguments, so only one thread may call at a time. Keeps no Engine.
class TrsmBlockSolver {
 public:
  TrsmBlockSolver(const Engine& engine, const TrsmSystem& system);

  std::uint64_t block() const { return static_cast<std::uint64_t>(shape_.block); }
  std::uint64_t blocks() const { return (system_.order + block() - 1) / block(); }
  std::uint64_t packed_bytes() const;
  const char* file() const { return shape_.file; }  ///< kernel file that solves a block
  /// Whether update() replaces the matrix products between blocks.
  bool updates_rows() const { return shape_.updates_rows(system_.nrhs); }

  /// Copies all diagonal blocks of A to `packed`.
  void pack(CommandChain& chain, const MatrixRef& a, const MatrixRef& packed);
  /// Solves the rows of one block in place, after a multiplication by alpha.
  void solve(CommandChain& chain, std::uint64_t block, std::complex<double> alpha, const MatrixRef& packed,
             const MatrixRef& b, bool event);
  /// Multiplies the `rest` unsolved rows by `factor`, then subtracts the products with the latest solved block. Only if
  /// updates_rows().
  void update(CommandChain& chain, std::uint64_t rest, std::complex<double> factor, const MatrixRef& a,
              const MatrixRef& b, bool event);
  /// Sets B to zero.
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
