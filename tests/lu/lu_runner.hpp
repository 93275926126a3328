// Factors a matrix, or a batch of matrices, with guards around all operands.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "tilewright/lu.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"
#include "verification/lu/lu_residuals.hpp"

namespace tilewright::test {

/// 64-bit integers on the device, with a guard on each side.
class GuardedIntegers {
 public:
  static constexpr std::int64_t guard = -77;  ///< the value of an integer that was not written

  explicit GuardedIntegers(std::uint64_t count)
      : values_(count + 2, guard),
        buffer_(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values_.size() * 8, values_.data()) {}

  MatrixRef ref() const { return {buffer_(), 1}; }

  std::vector<std::int64_t> read(const cl::CommandQueue& queue) {
    queue.enqueueReadBuffer(buffer_, CL_TRUE, 0, values_.size() * 8, values_.data());
    CHECK(values_.front() == guard);
    CHECK(values_.back() == guard);
    return {values_.begin() + 1, values_.end() - 1};
  }

 private:
  std::vector<std::int64_t> values_;
  cl::Buffer buffer_;
};

/// Returns element (i, j) of matrix number x of a batch.
using LuElements = std::function<double(std::uint64_t i, std::uint64_t j, std::uint64_t x)>;

/// Rounds a number to an element.
template <class T>
T lu_element(const std::complex<double>& value) {
  if constexpr (detail::is_complex_host_type<T>)
    return T(value);
  else
    return static_cast<T>(value.real());
}

inline double lu_random(std::uint64_t i, std::uint64_t j, std::uint64_t x) {
  const std::uint64_t bits = (i * 0x9e3779b97f4a7c15 + j * 0xc2b2ae3d27d4eb4f + x * 0x165667b19e3779f9) ^ (i * j + 977);
  const std::uint64_t mixed = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9;
  return static_cast<double>(static_cast<std::int64_t>(mixed ^ mixed >> 32)) * 0x1p-63;
}

/// Returns a random element whose parts are in [-1, 1).
template <class T>
T lu_random_element(std::uint64_t i, std::uint64_t j, std::uint64_t x) {
  return lu_element<T>({lu_random(i, j, x), lu_random(j + 11, i + 5, x + 3)});
}

template <class T>
class LuRunner {
 public:
  LuRunner(std::uint64_t m, std::uint64_t n, Layout layout, std::uint64_t count = 1,
           const Engine& engine = shared_engine())
      : engine_(engine),
        problem_{.type = detail::HostType<T>::type, .layout = layout, .m = m, .n = n},
        a_(engine, lines_of(layout, m, n), 3, verification::Memory::banded, count, lines_of(layout, m, n).span() + 4),
        pivots_(std::min(m, n) * count),
        info_(count) {
    problem_.lda = a_.shape().leading;
    problem_.batch = {.count = count, .stride_a = a_.shape().span() + 4};
  }

  /// Fills all matrices with elements(i, j, x), real or complex numbers.
  template <class Elements>
  void fill(const Elements& elements) {
    for (std::uint64_t x = 0; x < a_.count(); ++x)
      for (std::uint64_t i = 0; i < problem_.m; ++i)
        for (std::uint64_t j = 0; j < problem_.n; ++j) a_.data(x)[place(i, j)] = lu_element<T>(elements(i, j, x));
    a_.upload(queue);
  }

  void factor() {
    getrf(engine_, queue(), problem_, operands()).wait();
    count_cases();
    count_kernel_of("lu");
    download();
  }

  void download() {
    a_.download(queue);
    pivots = pivots_.read(queue);
    info = info_.read(queue);
    CHECK(a_.damage(true).empty());
  }

  /// Returns op(A) before the factorisation.
  verification::LuMatrix<T> original(std::uint64_t x = 0, Transpose trans = Transpose::no) const {
    return {a_.data(x), problem_.layout, problem_.m, problem_.n, a_.shape().leading, trans};
  }
  verification::LuMatrix<T> factors(std::uint64_t x = 0) const {
    return {a_.result(x), problem_.layout, problem_.m, problem_.n, a_.shape().leading};
  }
  verification::LuQuality quality(std::uint64_t x = 0) const {
    const std::uint64_t steps = std::min(problem_.m, problem_.n);
    return verification::lu_quality(original(x), factors(x), std::span(pivots).subspan(x * steps, steps));
  }

  const GetrfProblem& problem() const { return problem_; }
  GetrfOperands operands() const { return {.a = a_.ref(), .pivots = pivots_.ref(), .info = info_.ref()}; }
  /// Returns a problem of another operation on the same square matrices.
  template <class Problem>
  Problem problem_of() const {
    return {.type = problem_.type,
            .layout = problem_.layout,
            .n = problem_.n,
            .lda = problem_.lda,
            .batch = problem_.batch};
  }
  const Engine& engine() const { return engine_; }
  std::uint64_t place(std::uint64_t i, std::uint64_t j) const {
    return problem_.layout == Layout::row_major ? i * a_.shape().leading + j : j * a_.shape().leading + i;
  }

  cl::CommandQueue queue = make_queue();
  std::vector<std::int64_t> pivots, info;

 private:
  static verification::StoredShape lines_of(Layout layout, std::uint64_t m, std::uint64_t n) {
    const bool by_rows = layout == Layout::row_major;
    const std::uint64_t length = by_rows ? n : m;
    return {by_rows ? m : n, length, length + 3};
  }

  const Engine& engine_;
  GetrfProblem problem_;
  verification::GuardedMatrix<T> a_;
  GuardedIntegers pivots_, info_;
};

}  // namespace tilewright::test
