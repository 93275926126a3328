// The matrices that an algorithm of QR keeps in the workspace of a call.
#pragma once

#include <array>
#include <cstdint>

#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// A matrix of a call, or a part of it: its first element, and the distances between rows, columns and matrices.
struct QrView {
  MatrixRef at{};
  std::uint64_t row_step = 0;
  std::uint64_t column_step = 0;
  std::uint64_t ld = 0;
  std::uint64_t stride = 0;  ///< elements from one matrix of a batch to the next

  /// Returns the part from an element on.
  QrView from(std::uint64_t row, std::uint64_t column) const {
    QrView part = *this;
    part.at.offset += row * row_step + column * column_step;
    return part;
  }
};

QrView qr_view(const MatrixRef& at, Layout layout, std::uint64_t ld, std::uint64_t stride);

/// A vector per matrix.
struct QrVector {
  MatrixRef at{};
  std::uint64_t stride = 0;

  QrVector from(std::uint64_t element) const { return {{at.buffer, at.offset + element}, stride}; }
};

/// The matrices of a part of the workspace, in the layout of the operands.
class QrScratch {
 public:
  enum Part : std::size_t {
    vectors,  ///< V of a block of reflectors, with its ones and zeros
    factor,   ///< T of a block
    subpanel_factor,
    gram,       ///< V^H V
    products,   ///< V^H C or C V
    multiples,  ///< T times these products
    parts
  };

  QrScratch(DataType type, Layout layout) : type_(type), layout_(layout) {}

  /// Adds `count` matrices. Must not be called after view() or bytes().
  void add(Part part, std::uint64_t rows, std::uint64_t columns, std::uint64_t count);
  /// Returns the matrix in the workspace of a call, or with a null buffer for plans.
  QrView view(Part part, const WorkspaceRef& workspace = {}) const;
  /// Returns the bytes of all matrices, a multiple of the alignment of a workspace; the largest number if there are
  /// more than 64-bit numbers count.
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Placed {
    std::uint64_t ld = 1, stride = 0, offset = 0;
  };
  DataType type_;
  Layout layout_;
  std::uint64_t bytes_ = 0;
  std::array<Placed, parts> placed_{};
};

/// Returns x + y rounded up to the alignment of a workspace, or the largest number if it does not fit.
std::uint64_t added_bytes(std::uint64_t x, std::uint64_t y);

/// Returns the part of a workspace that begins after `bytes`.
inline WorkspaceRef after(const WorkspaceRef& workspace, std::uint64_t bytes) {
  return {workspace.buffer, workspace.offset + bytes};
}

}  // namespace tilewright::detail
