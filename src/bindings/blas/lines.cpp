#include "bindings/blas/lines.hpp"

#include <algorithm>
#include <cstring>

namespace tilewright::blas {

Lines lines_of(const Call& call, const HostMatrix& matrix) {
  return call.layout == Layout::row_major ? Lines{matrix.rows, matrix.columns} : Lines{matrix.columns, matrix.rows};
}

std::size_t pitch_bytes(const Call& call, const HostMatrix& matrix) { return matrix.ld * size_of(call.type); }

std::size_t extent_bytes(const Call& call, const HostMatrix& matrix) {
  const Lines lines = lines_of(call, matrix);
  return ((lines.count - 1) * matrix.ld + lines.length) * size_of(call.type);
}

void copy_lines(const Call& call, const HostMatrix& matrix, std::uint64_t first, std::uint64_t count, std::byte* target,
                std::size_t target_pitch, const std::byte* source, std::size_t source_pitch) {
  const std::uint64_t length = lines_of(call, matrix).length;
  // A line of a triangle begins or ends at the diagonal, where the matrix itself begins.
  const bool begins = matrix.triangle && (*matrix.triangle == Uplo::lower) == (call.layout == Layout::column_major);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = begins ? std::min(first + i, length) : 0,
                        end = matrix.triangle && !begins ? std::min(first + i + 1, length) : length;
    const std::size_t offset = begin * size_of(call.type);
    std::memcpy(target + i * target_pitch + offset, source + i * source_pitch + offset,
                (end - begin) * size_of(call.type));
  }
}

Backup::Backup(const Call& call, const HostMatrices& matrices) : call_(call), matrices_(matrices) {
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const HostMatrix& matrix = matrices[i];
    if (!matrix.exists() || !matrix.is_written || !matrix.is_read) continue;
    const Lines lines = lines_of(call, matrix);
    const std::size_t bytes = lines.length * size_of(call.type);
    copies_[i].resize(lines.count * bytes);
    copy_lines(call, matrix, 0, lines.count, copies_[i].data(), bytes, static_cast<const std::byte*>(matrix.data),
               pitch_bytes(call, matrix));
  }
}

void Backup::restore(std::size_t i) const {
  if (copies_[i].empty()) return;
  const HostMatrix& matrix = matrices_[i];
  const Lines lines = lines_of(call_, matrix);
  const std::size_t bytes = lines.length * size_of(call_.type);
  copy_lines(call_, matrix, 0, lines.count, static_cast<std::byte*>(matrix.data), pitch_bytes(call_, matrix),
             copies_[i].data(), bytes);
}

void Backup::restore() const {
  for (std::size_t i = 0; i < copies_.size(); ++i) restore(i);
}

}  // namespace tilewright::blas
