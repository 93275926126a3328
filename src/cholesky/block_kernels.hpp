// The kernels of cl/cholesky/: the factors of blocks, and tiles that are subtracted.
#pragma once

#include <map>

#include "cholesky/policy.hpp"
#include "cholesky/problem.hpp"
#include "kernels/command_chain.hpp"

namespace tilewright::detail {

/// Not safe to use from many threads at once: arguments are set. Keeps no Engine.
class PotrfKernels {
 public:
  PotrfKernels(const Engine& engine, const PotrfSystem& system);

  std::uint64_t block() const { return static_cast<std::uint64_t>(shape_.block); }
  /// Prepares subtract() of so many tiles; `stride` is from those of one matrix to those of the next.
  void prepare_subtract(const Engine& engine, std::uint64_t tiles, std::uint64_t stride);

  /// Factors the block on the diagonal that ends with row `end` of the matrix.
  void factor(CommandChain& chain, std::uint64_t end, const MatrixRef& a, const MatrixRef& info, bool event);
  /// Takes tiles from the diagonal of `rows` rows.
  void subtract(CommandChain& chain, std::uint64_t tiles, std::uint64_t rows, const MatrixRef& a,
                const MatrixRef& products, bool event);

  const cl::Program& program() const { return factor_.program(); }

 private:
  void compile(const Engine& engine, LaunchSequence& sequence, Launch launch) const;

  PotrfSystem system_;
  PotrfShape shape_;
  LaunchSequence factor_;
  std::map<std::uint64_t, LaunchSequence> subtract_;  // by the number of tiles
};

}  // namespace tilewright::detail
