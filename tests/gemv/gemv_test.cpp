// y = alpha op(A) x + beta y and A = alpha x op(y) + A: every type, layout and transpose, increments of both signs,
// gaps, offsets, batches, and scalars of zero.
#include "tilewright/gemv.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

using namespace verification;
using Complex = std::complex<double>;

struct VectorCase {
  Complex alpha = 2, beta = -3;
  std::uint64_t offset = 3;
  Choice choice{};
};
const Choice plainest{"naive", {}};

template <class T>
Complex wide(const T& value) {
  if constexpr (detail::is_complex_host_type<T>)
    return {value.real(), value.imag()};
  else
    return static_cast<double>(value);
}

template <class T>
void fill(GuardedMatrix<T>& matrix, std::uint64_t seed) {
  const StoredShape& shape = matrix.shape();
  const auto values = random_data<T>(matrix.count() * shape.lines * shape.length, DataKind::uniform, seed);
  for (std::uint64_t x = 0, at = 0; x < matrix.count(); ++x)
    for (std::uint64_t line = 0; line < shape.lines; ++line)
      for (std::uint64_t i = 0; i < shape.length; ++i) matrix.data(x)[line * shape.leading + i] = values[at++];
}

StoredShape matrix_shape(Layout layout, std::uint64_t m, std::uint64_t n, std::uint64_t gap) {
  const std::uint64_t lines = layout == Layout::row_major ? m : n, length = layout == Layout::row_major ? n : m;
  return {lines, length, length + gap};
}

StoredShape vector_shape(std::uint64_t length, std::int64_t increment) {
  return {length, 1, static_cast<std::uint64_t>(std::abs(increment))};
}

// Where element i of a vector lies.
std::uint64_t place(std::uint64_t i, std::uint64_t length, std::int64_t increment) {
  return (increment > 0 ? i : length - 1 - i) * static_cast<std::uint64_t>(std::abs(increment));
}
std::uint64_t place(Layout layout, std::uint64_t ld, std::uint64_t i, std::uint64_t j) {
  return layout == Layout::row_major ? i * ld + j : j * ld + i;
}

// Whether what was found is near enough to a sum of `terms` numbers of this size in all.
template <class T>
bool is_near(const T& found, Complex expected, double size, std::uint64_t terms) {
  const DataType type = detail::HostType<T>::type;
  const double sums = detail::element_type(accumulator_of(type)).roundoff;
  const double bound = (4 * static_cast<double>(terms + 4) * sums + 2 * detail::element_type(type).roundoff) * size;
  return std::abs(wide(found) - expected) <= bound + 1e-7 * (sizeof(T) == 2);
}

template <class T>
void check_gemv(GemvProblem p, const VectorCase& test) {
  const bool is_stored = p.trans == Transpose::no;
  const std::uint64_t y_length = is_stored ? p.m : p.n, x_length = is_stored ? p.n : p.m;
  const StoredShape a_shape = matrix_shape(p.layout, p.m, p.n, 2), x_shape = vector_shape(x_length, p.incx),
                    y_shape = vector_shape(y_length, p.incy);
  p.lda = a_shape.leading;
  const std::uint64_t count = p.batch.count;
  if (count > 1) p.batch = {count, a_shape.span() + 1, 0, y_shape.span() + 2};
  const Engine& engine = shared_engine();
  const cl::CommandQueue queue = make_queue();
  GuardedMatrix<T> a(engine, a_shape, test.offset, Memory::exact, count, p.batch.stride_a);
  GuardedMatrix<T> x(engine, x_shape, 0, Memory::sub_buffer);
  GuardedMatrix<T> y(engine, y_shape, test.offset, Memory::banded, count, p.batch.stride_y);
  fill(a, 1);
  fill(x, 2);
  fill(y, 3);
  if (test.alpha == 0.0) {
    a.poison();
    x.poison();
  }
  if (test.beta == 0.0) y.poison();
  for (const auto* matrix : {&a, &x, &y}) matrix->upload(queue);
  gemv(engine, queue(), p, {test.alpha, a.ref(), x.ref(), test.beta, y.ref()}, {}, test.choice).wait();
  count_cases();
  count_kernel_of("gemv");
  for (auto* matrix : {&a, &x, &y}) matrix->download(queue);
  bool right = true;
  for (std::uint64_t product = 0; product < count; ++product)
    for (std::uint64_t i = 0; i < y_length; ++i) {
      Complex sum = 0;
      double size = 0;
      for (std::uint64_t j = 0; j < x_length && test.alpha != 0.0; ++j) {
        Complex left = wide(a.data(product)[is_stored ? place(p.layout, p.lda, i, j) : place(p.layout, p.lda, j, i)]);
        if (p.trans == Transpose::conjugate) left = std::conj(left);
        const Complex term = test.alpha * left * wide(x.data()[place(j, x_length, p.incx)]);
        sum += term;
        size += std::abs(term);
      }
      const std::uint64_t at = place(i, y_length, p.incy);
      if (test.beta != 0.0) {
        const Complex before = test.beta * wide(y.data(product)[at]);
        sum += before;
        size += std::abs(before);
      }
      right = right && is_near(y.result(product)[at], sum, size, x_length);
    }
  CHECK(right);
  CHECK(y.damage(true).empty());
  CHECK(a.damage(false).empty());
  CHECK(x.damage(false).empty());
}

template <class T>
void check_ger(GerProblem p, const VectorCase& test) {
  const StoredShape a_shape = matrix_shape(p.layout, p.m, p.n, 1), x_shape = vector_shape(p.m, p.incx),
                    y_shape = vector_shape(p.n, p.incy);
  p.lda = a_shape.leading;
  const std::uint64_t count = p.batch.count;
  if (count > 1) p.batch = {count, a_shape.span(), x_shape.span() + 3, 0};
  const Engine& engine = shared_engine();
  const cl::CommandQueue queue = make_queue();
  GuardedMatrix<T> x(engine, x_shape, test.offset, Memory::exact, count, p.batch.stride_x);
  GuardedMatrix<T> y(engine, y_shape, 1, Memory::exact);
  GuardedMatrix<T> a(engine, a_shape, test.offset, Memory::banded, count, p.batch.stride_a);
  fill(x, 1);
  fill(y, 2);
  fill(a, 3);
  for (const auto* matrix : {&x, &y, &a}) matrix->upload(queue);
  ger(engine, queue(), p, {test.alpha, x.ref(), y.ref(), a.ref()}, {}, test.choice).wait();
  count_cases();
  count_kernel_of("ger");
  for (auto* matrix : {&x, &y, &a}) matrix->download(queue);
  bool right = true;
  for (std::uint64_t product = 0; product < count; ++product)
    for (std::uint64_t i = 0; i < p.m; ++i)
      for (std::uint64_t j = 0; j < p.n; ++j) {
        const Complex y_j = wide(y.data()[place(j, p.n, p.incy)]);
        const Complex term =
            test.alpha * wide(x.data(product)[place(i, p.m, p.incx)]) * (p.conjugate ? std::conj(y_j) : y_j);
        const std::uint64_t at = place(p.layout, p.lda, i, j);
        const Complex before = wide(a.data(product)[at]);
        right = right && is_near(a.result(product)[at], before + term, std::abs(before) + std::abs(term), 1);
      }
  CHECK(right);
  CHECK(a.damage(true).empty());
  CHECK(x.damage(false).empty());
  CHECK(y.damage(false).empty());
}

// Calls function(std::type_identity<T>(), type) for every type that the device computes in but integers.
template <class Function>
void for_all_types(const Function& function) {
  for (const detail::ElementType& element : detail::element_types()) {
    const DataType type = element.type;
    if (detail::is_integer(type) || !detail::why_unsupported(type, shared_engine().profile()).empty()) continue;
    CAPTURE(to_string(type));
    detail::with_host_type(type, [&]<class T>(std::type_identity<T> identity) { function(identity, type); });
  }
}

constexpr std::int64_t increments[][2] = {{1, 1}, {3, 1}, {1, 2}, {-1, 1}, {2, -3}, {-2, -1}};

}  // namespace

TEST_SUITE("gemv") {
  TEST_CASE("every layout, transpose and pair of increments") {
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const Transpose trans : {Transpose::no, Transpose::yes})
        for (const auto& pair : increments)
          for (const std::uint64_t count : {1U, 3U}) {
            const std::int64_t incx = pair[0], incy = pair[1];
            CAPTURE(incx);
            CAPTURE(incy);
            check_gemv<float>({.layout = layout,
                               .trans = trans,
                               .m = 13,
                               .n = 6,
                               .incx = incx,
                               .incy = incy,
                               .batch = {.count = count}},
                              {.choice = plainest});
          }
  }

  TEST_CASE("every type, conjugate, and scalars of zero") {
    for_all_types([]<class T>(std::type_identity<T>, DataType type) {
      const bool is_full = is_complex(type);
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Transpose trans : {Transpose::no, Transpose::conjugate})
          for (const std::int64_t incy : {1, 2, -2}) {
            if (!is_full && (layout == Layout::row_major) != (trans == Transpose::no)) continue;
            const GemvProblem p{
                .type = type, .layout = layout, .trans = trans, .m = 5, .n = 9, .incx = 2, .incy = incy};
            const Complex alpha = is_full ? Complex(1.5, -0.5) : Complex(1.5);
            check_gemv<T>(p, {.alpha = alpha, .choice = plainest});
            check_gemv<T>(p, {.alpha = alpha, .beta = 0, .choice = plainest});
            check_gemv<T>(p, {.alpha = 0, .choice = plainest});
          }
    });
  }

  TEST_CASE("what is chosen by itself, split along k as well") {
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      check_gemv<float>({.layout = layout, .m = 301, .n = 2000}, {.offset = 0});
      check_gemv<float>({.layout = layout, .m = 5000, .n = 40, .incy = 2}, {.beta = 0});
      check_gemv<float>({.layout = layout, .trans = Transpose::yes, .m = 9001, .n = 17, .incx = -1}, {});
    }
  }

  TEST_CASE("sums of integers") {
    const Engine& engine = shared_engine();
    const cl::CommandQueue queue = make_queue();
    GuardedMatrix<std::int8_t> a(engine, {3, 4, 4}, 0, Memory::exact), x(engine, {4, 1, 1}, 0, Memory::exact);
    GuardedMatrix<std::int32_t> y(engine, {3, 1, 2}, 0, Memory::banded);
    fill(a, 1);
    fill(x, 2);
    y.poison();
    a.upload(queue);
    x.upload(queue);
    y.upload(queue);
    gemv(engine, queue(), {.type = DataType::i8, .m = 3, .n = 4, .incx = -1, .incy = -2},
         {.a = a.ref(), .x = x.ref(), .y = y.ref()}, {}, plainest)
        .wait();
    y.download(queue);
    for (std::uint64_t i = 0; i < 3; ++i) {
      std::int32_t sum = 0;
      for (std::uint64_t j = 0; j < 4; ++j) sum += a.data()[i * 4 + j] * x.data()[3 - j];
      CHECK(y.result()[(2 - i) * 2] == sum);
    }
    CHECK(y.damage(true).empty());
    count_cases();
  }

  TEST_CASE("calls whose vectors are copied follow one another on any queue") {
    const Engine& engine = shared_engine();
    constexpr std::uint64_t calls = 6, length = 50;
    std::vector<cl::CommandQueue> queues{make_queue(), make_queue()};
    if (has_out_of_order_queues()) queues.push_back(make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    const GemvPlan plan(engine, {.m = length, .n = length, .incx = -1, .incy = -1, .offset_alignment = 1}, plainest);
    GuardedMatrix<float> a(engine, {length, length, length}, 0, Memory::exact);
    GuardedMatrix<float> x(engine, {length, 1, 1}, 0, Memory::exact, calls, length);
    GuardedMatrix<float> y(engine, {length, 1, 1}, 0, Memory::exact, calls, length);
    fill(a, 1);
    fill(x, 2);
    a.upload(queues[0]);
    x.upload(queues[0]);
    y.upload(queues[0]);
    queues[0].finish();
    std::vector<Event> events;
    for (std::uint64_t call = 0; call < calls; ++call) {
      MatrixRef x_ref = x.ref(), y_ref = y.ref();
      x_ref.offset += call * length;
      y_ref.offset += call * length;
      events.push_back(plan.enqueue(queues[call % queues.size()](), {.a = a.ref(), .x = x_ref, .y = y_ref}));
    }
    for (const Event& event : events) event.wait();
    y.download(queues[0]);
    bool right = true;
    for (std::uint64_t call = 0; call < calls; ++call)
      for (std::uint64_t i = 0; i < length; ++i) {
        double sum = 0;
        for (std::uint64_t j = 0; j < length; ++j)
          sum += static_cast<double>(a.data()[i * length + j]) * static_cast<double>(x.data(call)[length - 1 - j]);
        right = right && std::abs(static_cast<double>(y.result(call)[length - 1 - i]) - sum) < 1e-4;
      }
    CHECK(right);
    count_cases();
  }

  TEST_CASE("ger: every layout and increment, types and conjugates") {
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      for (const auto& [incx, incy] : increments)
        for (const std::uint64_t count : {1U, 3U})
          check_ger<float>({.layout = layout, .m = 7, .n = 12, .incx = incx, .incy = incy, .batch = {.count = count}},
                           {.choice = plainest});
      for_all_types([&]<class T>(std::type_identity<T>, DataType type) {
        for (const std::int64_t incy : {1, 3}) {
          const bool conjugate = is_complex(type) || incy == 3;
          check_ger<T>({.type = type, .layout = layout, .conjugate = conjugate, .m = 6, .n = 5, .incy = incy},
                       {.alpha = is_complex(type) ? Complex(0.5, 2) : Complex(0.5), .choice = plainest});
        }
      });
    }
    check_ger<float>({.m = 70, .n = 130}, {.offset = 0});
  }
}

}  // namespace tilewright::test
