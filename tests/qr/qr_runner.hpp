// Factors matrices, multiplies by Q and solves least-squares problems, with guards around all operands.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <vector>

#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "tilewright/least_squares.hpp"
#include "tilewright/qr.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/qr/qr_residuals.hpp"
#include "verification/triangular/lower_triangle.hpp"

namespace tilewright::test {

using verification::qr_threshold, verification::QrReflectors;

/// Products that are quickly compiled.
inline const Choice qr_products{"naive", {}};

inline constexpr Layout qr_layouts[] = {Layout::row_major, Layout::column_major};

/// A batch of matrices with guards.
template <class T>
class QrBatch {
 public:
  QrBatch(const Engine& engine, Layout layout, std::uint64_t rows, std::uint64_t columns, std::uint64_t count,
          std::uint64_t gap = 3)
      : layout_(layout),
        rows_(rows),
        columns_(columns),
        memory_(engine, verification::stored_shape(layout, rows, columns, gap), 5, verification::Memory::banded, count,
                verification::stored_shape(layout, rows, columns, gap).span() + 4) {}

  /// Sets all elements to elements(i, j, x), real or complex numbers.
  template <class Elements>
  void fill(const Elements& elements) {
    for (std::uint64_t x = 0; x < memory_.count(); ++x)
      for (std::uint64_t i = 0; i < rows_; ++i)
        for (std::uint64_t j = 0; j < columns_; ++j) at(i, j, x) = elements(i, j, x);
  }
  void fill(verification::RandomStream& random) {
    fill([&](std::uint64_t, std::uint64_t, std::uint64_t) {
      return verification::with_imaginary<T>(random.symmetric(), [&] { return random.symmetric(); });
    });
  }
  T& at(std::uint64_t i, std::uint64_t j, std::uint64_t x = 0) {
    return memory_.data(x)[verification::index_in(memory_.shape(), layout_, i, j)];
  }
  T result_at(std::uint64_t i, std::uint64_t j, std::uint64_t x = 0) const {
    return memory_.result(x)[verification::index_in(memory_.shape(), layout_, i, j)];
  }
  verification::QrMatrix<T> sent(std::uint64_t x = 0) const {
    return {memory_.data(x), layout_, rows_, columns_, memory_.shape().leading};
  }
  verification::QrMatrix<T> result(std::uint64_t x = 0) const {
    return {memory_.result(x), layout_, rows_, columns_, memory_.shape().leading};
  }
  /// Checks that memory around the matrices has not changed, and the elements neither unless they may.
  void download(const cl::CommandQueue& queue, bool may_change) {
    memory_.download(queue);
    CHECK(memory_.damage(may_change) == "");
  }

  std::uint64_t leading() const { return memory_.shape().leading; }
  std::uint64_t stride() const { return memory_.shape().span() + 4; }
  MatrixRef ref() const { return memory_.ref(); }
  verification::GuardedMatrix<T>& memory() { return memory_; }

 private:
  Layout layout_;
  std::uint64_t rows_, columns_;
  verification::GuardedMatrix<T> memory_;
};

/// A factorisation of a batch, and uses of the factors.
template <class T>
class QrRunner {
 public:
  QrRunner(std::uint64_t m, std::uint64_t n, Layout layout, std::uint64_t count = 1,
           const Engine& engine = shared_engine())
      : a(engine, layout, m, n, count),
        tau(engine, Layout::row_major, 1, std::min(m, n), count),
        engine_(engine),
        problem_{.type = detail::HostType<T>::type, .layout = layout, .m = m, .n = n, .lda = a.leading()} {
    problem_.batch = {.count = count, .stride_a = a.stride(), .stride_tau = tau.stride()};
  }

  void factor(const Choice& choice = qr_products) {
    a.memory().upload(queue);
    tau.memory().upload(queue);
    geqrf(engine_, queue(), problem_, operands(), {}, choice).wait();
    count_cases();
    count_kernel_of("qr");
    download();
  }
  void download() {
    a.download(queue, true);
    tau.download(queue, true);
  }

  QrReflectors<T> factors(std::uint64_t x = 0) const { return {a.result(x), tau.result(x).elements}; }
  double ratio(std::uint64_t x = 0) const { return factors_ratio(a.sent(x), factors(x)); }
  double orthogonality(std::uint64_t x = 0) const {
    return orthogonality_ratio(
        multiplied_by_q(factors(x), false, verification::identity_of<T>(problem_.m, problem_.m)));
  }

  const GeqrfProblem& problem() const { return problem_; }
  GeqrfOperands operands() const { return {.a = a.ref(), .tau = tau.ref()}; }
  const Engine& engine() const { return engine_; }

  cl::CommandQueue queue = make_queue();
  QrBatch<T> a, tau;

 private:
  const Engine& engine_;
  GeqrfProblem problem_;
};

}  // namespace tilewright::test
