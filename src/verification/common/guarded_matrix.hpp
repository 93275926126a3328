#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/host_type.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"
#include "verification/common/guarded_pages.hpp"
#include "verification/common/stored_shape.hpp"

namespace tilewright::verification {

/// An element as plain bytes, for operations that only move elements.
template <std::size_t size>
using Bits = std::array<std::byte, size>;

/// Formats as "0x" and hexadecimal digits, highest byte first.
template <std::size_t size>
std::string hexadecimal(const Bits<size>& bits);

/// One or several matrices in a device buffer whose other elements are poisoned with NaN: bands before and after the
/// matrix, elements before its offset, gaps between its lines, and gaps between matrices. Matrices are `stride`
/// elements apart. A host copy shows what a product changed.
template <typename T>
class GuardedMatrix {
 public:
  GuardedMatrix(const Engine& engine, StoredShape shape, std::uint64_t offset, Memory memory, std::uint64_t count = 1,
                std::uint64_t stride = 0);

  const StoredShape& shape() const { return shape_; }
  std::uint64_t count() const { return count_; }

  /// Returns matrix x as sent to the device. Line i starts at data(x) + i * shape().leading.
  T* data(std::uint64_t x = 0) { return sent_.data() + first_ + place(x); }
  const T* data(std::uint64_t x = 0) const { return sent_.data() + first_ + place(x); }

  /// Returns the elements from the first matrix to matrix x. A single matrix serves as every x.
  std::uint64_t place(std::uint64_t x) const { return count_ == 1 ? 0 : x * stride_; }

  /// Sets every element to NaN too.
  void poison();

  void upload(const cl::CommandQueue& queue) const;
  void download(const cl::CommandQueue& queue);

  /// Returns the data that download() received.
  const T* result(std::uint64_t x = 0) const { return received_.data() + first_ + place(x); }
  const std::vector<T>& received() const { return received_; }

  /// Compares all received bytes with the sent ones; ignores elements if they may change. Describes the first
  /// difference; empty if there is none.
  std::string damage(bool elements_may_change) const;

  /// Whether element `i` of line `line` may change.
  using MayChange = std::function<bool(std::uint64_t line, std::uint64_t i)>;
  /// Describes the first difference outside the elements that may change; empty if there is none.
  std::string damage_outside(const MayChange& may_change) const;

  MatrixRef ref() const { return {visible_(), visible_offset_}; }
  const cl::Buffer& buffer() const { return visible_; }

 private:
  struct Place {
    std::uint64_t line, i;
  };
  // Returns the place of an element in its matrix; nothing for memory outside the matrices.
  std::optional<Place> find(std::uint64_t index) const;

  StoredShape shape_;
  std::uint64_t count_;
  std::uint64_t stride_;
  std::uint64_t first_ = 0;  // index of the matrix in whole_
  std::uint64_t visible_offset_ = 0;
  std::optional<GuardedPages> pages_;  // memory of whole_; declared first, so that it is destroyed last
  cl::Buffer whole_;
  cl::Buffer visible_;  // buffer for the library: whole_ or a part of it
  std::vector<T> sent_;
  std::vector<T> received_;
};

/// Returns a NaN that no arithmetic produces. For integers and bytes, returns an unlikely value.
template <typename T>
T poison_value();

}  // namespace tilewright::verification
