// A call's memory with guards: everything outside the elements is NaN, and all bytes that must not change are compared
// afterwards.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "differential/draws.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"
#include "verification/common/guarded_pages.hpp"

namespace tilewright::test::differential {

/// One buffer with one or more operands. Every byte is 0xFF, a NaN of every floating-point type, until an element is
/// stored.
class Block {
 public:
  /// Adds bytes after a guard band. Returns their position, a multiple of `alignment`.
  std::uint64_t reserve(Random& random, std::uint64_t bytes, std::uint64_t alignment);

  std::byte* sent(std::uint64_t byte) { return sent_.data() + byte; }
  const std::byte* sent(std::uint64_t byte) const { return sent_.data() + byte; }
  const std::byte* received(std::uint64_t byte) const { return received_.data() + byte; }
  /// Host memory that the call uses in place.
  std::byte* in_place(std::uint64_t byte) { return received_.data() + byte; }

  /// Allows a call to change some bytes.
  void allow(std::uint64_t byte, std::uint64_t bytes);

  /// Makes the buffer: a buffer, a sub-buffer, or host memory between pages without access.
  void create(const Engine& engine, Random& random);
  /// Makes a copy in host memory instead of a buffer.
  void create_on_host() { received_ = sent_; }

  const cl::Buffer& buffer() const { return buffer_; }
  /// Overwrites the buffer with NaN and waits for completion.
  void poison(const cl::CommandQueue& queue) const;
  cl::Event write(const cl::CommandQueue& queue, bool blocking, const std::vector<cl::Event>& waits) const;
  void read(const cl::CommandQueue& queue, const std::vector<cl::Event>& waits);

  /// Describes the first byte that changed although it must not; empty if there is none.
  std::string damage() const;

 private:
  std::vector<std::byte> sent_, received_;
  std::vector<bool> may_change_;
  std::size_t operands_ = 0;
  std::optional<verification::GuardedPages> pages_;  // must outlive the buffer
  cl::Buffer whole_, buffer_;
};

/// Elements within a block.
class Operand {
 public:
  Operand() = default;
  Operand(std::shared_ptr<Block> block, std::uint64_t origin, std::size_t element_bytes)
      : block_(std::move(block)), origin_(origin), bytes_(element_bytes) {}

  /// The element at `offset`, as passed to the library.
  MatrixRef ref(std::uint64_t offset) const {
    return block_ == nullptr ? MatrixRef{} : MatrixRef{block_->buffer()(), origin_ / bytes_ + offset};
  }
  template <class T>
  T* sent(std::uint64_t element) {
    return reinterpret_cast<T*>(block_->sent(origin_ + element * bytes_));
  }
  template <class T>
  const T* sent(std::uint64_t element) const {
    return reinterpret_cast<const T*>(static_cast<const Block&>(*block_).sent(origin_ + element * bytes_));
  }
  template <class T>
  const T* received(std::uint64_t element) const {
    return reinterpret_cast<const T*>(block_->received(origin_ + element * bytes_));
  }
  void* in_place(std::uint64_t element) { return block_->in_place(origin_ + element * bytes_); }
  void allow(std::uint64_t element, std::uint64_t count = 1) {
    block_->allow(origin_ + element * bytes_, count * bytes_);
  }

 private:
  std::shared_ptr<Block> block_;
  std::uint64_t origin_ = 0;
  std::size_t bytes_ = 1;
};

/// The storage of a batch's matrices.
struct Stored {
  Layout layout = Layout::row_major;
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t ld = 1;
  std::uint64_t count = 1;
  std::uint64_t stride = 0;
  std::uint64_t offset = 0;

  std::uint64_t at(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    return offset + x * stride + (layout == Layout::row_major ? i * ld + j : j * ld + i);
  }
  std::uint64_t line() const { return layout == Layout::row_major ? columns : rows; }
  std::uint64_t lines() const { return layout == Layout::row_major ? rows : columns; }
  bool is_empty() const { return rows == 0 || columns == 0 || count == 0; }
  /// The number of matrices that do not share their elements.
  std::uint64_t distinct() const { return stride == 0 ? std::min<std::uint64_t>(count, 1) : count; }
  /// Elements of one matrix from the first to the last, inclusive.
  std::uint64_t span() const { return rows == 0 || columns == 0 ? 0 : (lines() - 1) * ld + line(); }
  /// Elements from offset 0 to the end of the last matrix.
  std::uint64_t end() const { return is_empty() ? offset : offset + (count - 1) * stride + span(); }
};

/// Draws leading dimension, stride and offset. `is_shared`: all matrices of the batch may be the same one.
Stored draw_stored(Random& random, Layout layout, std::uint64_t rows, std::uint64_t columns, std::uint64_t count,
                   bool is_shared, std::uint64_t promise);

/// The leading dimension in the problem; sometimes 0 if the matrix is dense.
std::uint64_t named_ld(Random& random, const Stored& stored);

/// A vector or a batch of vectors with BLAS increments.
struct Strided {
  std::uint64_t n = 0;
  std::int64_t increment = 1;
  std::uint64_t count = 1;
  std::uint64_t stride = 0;
  std::uint64_t offset = 0;

  std::uint64_t apart() const { return static_cast<std::uint64_t>(increment < 0 ? -increment : increment); }
  std::uint64_t at(std::uint64_t x, std::uint64_t i) const {
    return offset + x * stride + (increment > 0 ? i : n - 1 - i) * apart();
  }
  std::uint64_t distinct() const { return stride == 0 ? std::min<std::uint64_t>(count, 1) : count; }
  std::uint64_t span() const { return n == 0 ? 0 : (n - 1) * apart() + 1; }
  std::uint64_t end() const { return n == 0 || count == 0 ? offset : offset + (count - 1) * stride + span(); }
};

Strided draw_strided(Random& random, std::uint64_t n, std::int64_t increment, std::uint64_t count, bool is_shared,
                     std::uint64_t promise);

/// Rounds a number to the type and stores it.
void store(Operand& operand, std::uint64_t element, DataType type, std::complex<long double> number);

/// Draws every element.
void fill(Operand& operand, const Stored& stored, DataType type, Values values, Random& random);
void fill(Operand& operand, const Strided& vector, DataType type, Values values, Random& random);

/// Allows a call to change every element.
void allow(Operand& operand, const Stored& stored);
void allow(Operand& operand, const Strided& vector);

}  // namespace tilewright::test::differential
