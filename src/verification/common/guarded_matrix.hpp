#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

/// Elements that are only moved.
template <std::size_t size>
using Bits = std::array<std::byte, size>;

/// "0x", then the highest byte first.
template <std::size_t size>
std::string hexadecimal(const Bits<size>& bits);

/// A matrix in a device buffer in which everything else is poisoned with NaN: bands before and after the matrix, the
/// elements before its offset, and the gaps between its lines. Keeps a host copy, to see what a product changed. Holds
/// several matrices of one shape where asked to, `stride` elements apart, with poisoned gaps between them as well.
template <typename T>
class GuardedMatrix {
 public:
  GuardedMatrix(const Engine& engine, StoredShape shape, std::uint64_t offset, Memory memory, std::uint64_t count = 1,
                std::uint64_t stride = 0);

  const StoredShape& shape() const { return shape_; }
  std::uint64_t count() const { return count_; }

  /// Matrix x as it is sent to the device; line i starts at data() + i * shape().leading.
  T* data(std::uint64_t x = 0) { return sent_.data() + first_ + place(x); }
  const T* data(std::uint64_t x = 0) const { return sent_.data() + first_ + place(x); }

  /// Elements from the first matrix to matrix x; where there is one only, it is matrix x as well.
  std::uint64_t place(std::uint64_t x) const { return count_ == 1 ? 0 : x * stride_; }

  /// Makes every element NaN as well.
  void poison();

  void upload(const cl::CommandQueue& queue) const;
  void download(const cl::CommandQueue& queue);

  /// What download() brought back.
  const T* result(std::uint64_t x = 0) const { return received_.data() + first_ + place(x); }
  const std::vector<T>& received() const { return received_; }

  /// Compares every byte that was brought back with what was sent, the matrix's elements only if they must not change.
  /// Says where the first difference is; empty where there is none.
  std::string damage(bool elements_may_change) const;

  MatrixRef ref() const { return {visible_(), visible_offset_}; }
  const cl::Buffer& buffer() const { return visible_; }

 private:
  bool is_element(std::uint64_t index) const;

  StoredShape shape_;
  std::uint64_t count_;
  std::uint64_t stride_;
  std::uint64_t first_ = 0;  // of the matrix, in whole_
  std::uint64_t visible_offset_ = 0;
  std::optional<GuardedPages> pages_;  // the memory of whole_, which must go first
  cl::Buffer whole_;
  cl::Buffer visible_;  // what the library gets: whole_ or a part of it
  std::vector<T> sent_;
  std::vector<T> received_;
};

/// A NaN that no arithmetic makes; of integers and bits, which have none, only an unlikely value.
template <typename T>
T poison_value();

}  // namespace tilewright::verification
