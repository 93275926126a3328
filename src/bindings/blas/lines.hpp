// Matrices in host memory, line by line: a line is a row or a column, as the layout says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bindings/blas/blas_call.hpp"

namespace tilewright::blas {

/// Lines of a matrix: their number, and their elements.
struct Lines {
  std::uint64_t count, length;
};

Lines lines_of(const Call& call, const HostMatrix& matrix);

/// Returns the distance in bytes between the lines of a matrix in memory.
std::size_t pitch_bytes(const Call& call, const HostMatrix& matrix);
/// Returns the bytes from the first to the last element of a matrix.
std::size_t extent_bytes(const Call& call, const HostMatrix& matrix);

/// Copies `count` lines of a matrix, from line `first` on, but only the parts that the call may change: other threads
/// may use the rest meanwhile. `target` and `source` point to line `first`.
void copy_lines(const Call& call, const HostMatrix& matrix, std::uint64_t first, std::uint64_t count, std::byte* target,
                std::size_t target_pitch, const std::byte* source, std::size_t source_pitch);

/// A copy of each of these matrices that a call both reads and writes, so that a failed call can be undone.
class Backup {
 public:
  Backup(const Call& call, const HostMatrices& matrices);
  /// Restores matrix number i, if it is written.
  void restore(std::size_t i) const;
  void restore() const;

 private:
  const Call& call_;
  HostMatrices matrices_;
  std::array<std::vector<std::byte>, 3> copies_;
};

}  // namespace tilewright::blas
