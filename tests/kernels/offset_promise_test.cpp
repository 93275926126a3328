// Tests every value of offset_alignment that a call's offsets satisfy, in every operation with this field. Algorithms
// pass parts of their operands to other operations; the parts must satisfy the alignment of those plans. All matrices
// are sparse and hold small integers or halves, so every result is exact.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/operand_pairs.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/test_seed.hpp"
#include "tilewright/tilewright.hpp"
#include "verification/lu/lu_operation.hpp"
#include "verification/qr/qr_operation.hpp"

namespace tilewright::test {
namespace {

using verification::AnyLuPlan, verification::LuOperands, verification::LuTask, verification::AnyQrPlan,
    verification::QrTask;

using Size = std::uint64_t;
using Values = std::vector<double>;  // of a dense row-major matrix

const Choice naive_products{"naive", {}};
constexpr Size columns = 2;  // right-hand sides
constexpr Size lent_offset = 256;

// One call: the order of its matrices, and an alignment that its offsets satisfy.
struct Promise {
  Size n = 0;
  Size alignment = 1;
  Choice products{};

  Size offset() const { return alignment; }  // of A
};

// Device memory that starts with guards up to the offset.
template <class T>
class Stored {
 public:
  explicit Stored(const Values& values, Size offset = 0) : offset_(offset), count_(values.size()) {
    std::vector<T> all(offset, T(77));
    for (const double value : values) all.push_back(exact_number<T>(value));
    buffer_ =
        cl::Buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, all.size() * sizeof(T), all.data());
  }
  MatrixRef ref() const { return {buffer_(), offset_}; }
  // Returns NaN if a guard has changed.
  Values read(const cl::CommandQueue& queue) const {
    std::vector<T> all(offset_ + count_);
    queue.enqueueReadBuffer(buffer_, CL_TRUE, 0, all.size() * sizeof(T), all.data());
    if (!std::all_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(offset_), [](T x) { return x == T(77); }))
      return {NAN};
    Values result;
    for (Size i = offset_; i < all.size(); ++i) result.push_back(static_cast<double>(std::real(all[i])));
    return result;
  }

 private:
  Size offset_, count_;
  cl::Buffer buffer_;
};

class Lent {
 public:
  explicit Lent(Size bytes) : buffer_(shared_context(), CL_MEM_READ_WRITE, bytes + lent_offset + 4) {}
  WorkspaceRef ref() const { return {buffer_(), lent_offset}; }

 private:
  cl::Buffer buffer_;
};

Values dense(Size rows, Size row_length, const std::function<double(Size, Size)>& element) {
  Values values;
  for (Size i = 0; i < rows; ++i)
    for (Size j = 0; j < row_length; ++j) values.push_back(element(i, j));
  return values;
}

Values small_integers(Size rows, Size row_length) {
  return dense(rows, row_length, [](Size i, Size j) { return static_cast<double>((3 * i + 5 * j) % 7) - 3; });
}

// Skips zeros of the left factor, which is sparse.
Values times(const Values& left, Size rows, Size depth, const Values& right, Size row_length, bool transposed = false) {
  Values result(rows * row_length);
  for (Size i = 0; i < rows; ++i)
    for (Size k = 0; k < depth; ++k)
      if (const double factor = left[i * depth + k]; factor != 0)
        for (Size j = 0; j < row_length; ++j)
          result[i * row_length + j] += factor * right[transposed ? j * depth + k : k * row_length + j];
  return result;
}

Values lower_factor(Size n) {
  return dense(n, n, [](Size i, Size j) { return i == j ? 2.0 : i == j + 1 || i == j + 97 ? 1.0 : 0.0; });
}
Values cholesky_matrix(Size n) { return times(lower_factor(n), n, n, lower_factor(n), n, true); }

// L without its unit diagonal, and U. No rows are interchanged, because each pivot is the largest element of its
// column.
Values lu_factors(Size n) {
  return dense(n, n, [](Size i, Size j) {
    if (i == j) return 4.0;
    return i == j + 97 ? 0.5 : i + 50 == j || i + 1 == j ? 1.0 : 0.0;
  });
}
Values lu_matrix(Size n) {
  const Values factors = lu_factors(n);
  const Values lower = dense(n, n, [&](Size i, Size j) { return i == j ? 1.0 : i > j ? factors[i * n + j] : 0.0; });
  const Values upper = dense(n, n, [&](Size i, Size j) { return i > j ? 0.0 : factors[i * n + j]; });
  return times(lower, n, n, upper, n);
}

bool are_close(const Values& found, const Values& expected, double bound) {
  if (found.size() != expected.size()) return false;
  for (Size i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - expected[i]) <= bound)) return false;
  return true;
}

// The transpose of a row-major matrix.
Values transposed(const Values& values, Size rows, Size row_length) {
  return dense(row_length, rows, [&](Size i, Size j) { return values[j * row_length + i]; });
}

// A X = B on the left, or X A^T = B on the right, whose solution is the transpose.
bool solves_triangle(const Promise& call, Side side) {
  const Size n = call.n;
  const bool is_left = side == Side::left;
  const Values x = small_integers(n, columns), b = times(lower_factor(n), n, n, x, columns);
  const TrsmPlan plan(shared_engine(),
                      {.side = side,
                       .trans = is_left ? Transpose::no : Transpose::yes,
                       .m = is_left ? n : columns,
                       .n = is_left ? columns : n,
                       .offset_alignment = call.alignment},
                      call.products);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(lower_factor(n), call.offset()), of_b(is_left ? b : transposed(b, n, columns));
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = of_a.ref(), .b = of_b.ref(), .workspace = lent.ref()}).wait();
  return of_b.read(queue) == (is_left ? x : transposed(x, n, columns));
}

bool multiplies_triangle(const Promise& call, Side side) {
  const Size n = call.n;
  const bool is_left = side == Side::left;
  const Values x = small_integers(n, columns), product = times(lower_factor(n), n, n, x, columns);
  const TrmmPlan plan(shared_engine(),
                      {.side = side,
                       .trans = is_left ? Transpose::no : Transpose::yes,
                       .m = is_left ? n : columns,
                       .n = is_left ? columns : n,
                       .offset_alignment = call.alignment},
                      call.products);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(lower_factor(n), call.offset()), of_b(is_left ? x : transposed(x, n, columns));
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = of_a.ref(), .b = of_b.ref(), .workspace = lent.ref()}).wait();
  return of_b.read(queue) == (is_left ? product : transposed(product, n, columns));
}

bool multiplies_symmetric(const Promise& call) {
  const Size n = call.n;
  const Values whole = cholesky_matrix(n), b = small_integers(n, columns);
  Values triangle = whole;
  for (Size i = 0; i < n; ++i)
    for (Size j = i + 1; j < n; ++j) triangle[i * n + j] = NAN;
  const SymmPlan plan(shared_engine(), {.m = n, .n = columns, .offset_alignment = call.alignment}, call.products);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(triangle, call.offset()), of_b(b), of_c(Values(n * columns), call.offset());
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = of_a.ref(), .b = of_b.ref(), .c = of_c.ref(), .workspace = lent.ref()}).wait();
  return of_c.read(queue) == times(whole, n, n, b, columns);
}

bool solves_vector(const Promise& call, std::int64_t incx) {
  const Size n = call.n, apart = static_cast<Size>(std::abs(incx));
  const Values x = small_integers(n, 1), b = times(lower_factor(n), n, n, x, 1);
  const auto placed = [&](const Values& vector) {
    Values all((n - 1) * apart + 1, 9);
    for (Size i = 0; i < n; ++i) all[(incx > 0 ? i : n - 1 - i) * apart] = vector[i];
    return all;
  };
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(lower_factor(n), call.offset()), of_x(placed(b));
  const TrsvPlan plan(shared_engine(), {.n = n, .incx = incx, .offset_alignment = call.alignment}, call.products);
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = of_a.ref(), .x = of_x.ref(), .workspace = lent.ref()}).wait();
  return of_x.read(queue) == placed(x);
}

bool factors_by_cholesky(const Promise& call, Uplo uplo) {
  const Size n = call.n;
  const PotrfPlan plan(shared_engine(), {.uplo = uplo, .n = n, .offset_alignment = call.alignment}, call.products);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(cholesky_matrix(n), call.offset());
  const Stored<std::int64_t> info({7});
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = of_a.ref(), .info = info.ref(), .workspace = lent.ref()}).wait();
  Values expected = cholesky_matrix(n);
  const Values factor = lower_factor(n);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j <= i; ++j) expected[uplo == Uplo::lower ? i * n + j : j * n + i] = factor[i * n + j];
  return of_a.read(queue) == expected && info.read(queue) == Values{0};
}

bool solves_by_cholesky(const Promise& call, bool factors) {
  const Size n = call.n;
  const Values x = small_integers(n, columns);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(factors ? cholesky_matrix(n) : lower_factor(n), call.offset()),
      of_b(times(cholesky_matrix(n), n, n, x, columns));
  const Stored<std::int64_t> info({7});
  if (factors) {
    const PosvPlan plan(shared_engine(), {.n = n, .nrhs = columns, .offset_alignment = call.alignment}, call.products);
    const Lent lent(plan.workspace_bytes());
    plan.enqueue(queue(), {.a = of_a.ref(), .b = of_b.ref(), .info = info.ref(), .workspace = lent.ref()}).wait();
  } else {
    potrs(shared_engine(), queue(), {.n = n, .nrhs = columns, .offset_alignment = call.alignment},
          {.a = of_a.ref(), .b = of_b.ref()}, {}, call.products)
        .wait();
  }
  return of_b.read(queue) == x;
}

template <class T>
bool does_lu(const Promise& call, LuTask task, Size refinements = 0) {
  const Size n = call.n;
  const AnyLuPlan plan(shared_engine(),
                       {.task = task,
                        .type = sizeof(T) == 8 ? DataType::f64 : DataType::f32,
                        .m = n,
                        .n = n,
                        .nrhs = columns,
                        .offset_alignment = call.alignment,
                        .refinements = refinements},
                       call.products);
  const bool factors = task == LuTask::getrf || task == LuTask::gesv;
  const Values matrix = lu_matrix(n), x = small_integers(n, columns);
  const cl::CommandQueue queue = make_queue();
  const Stored<T> of_a(factors ? matrix : lu_factors(n), call.offset());
  const Stored<T> of_b(task == LuTask::getri ? Values(n * n) : times(matrix, n, n, x, columns)), determinant({0, 0});
  const Stored<std::int64_t> pivots(dense(n, 1, [](Size i, Size) { return static_cast<double>(i); })), info({7}),
      iterations({7});
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = of_a.ref(),
                         .pivots = pivots.ref(),
                         .info = info.ref(),
                         .b = of_b.ref(),
                         .determinant = determinant.ref(),
                         .iterations = iterations.ref(),
                         .workspace = lent.ref()})
      .wait();
  if (factors && info.read(queue) != Values{0}) return false;
  switch (task) {
    case LuTask::getrf:
      return of_a.read(queue) == lu_factors(n);
    case LuTask::getri:
      return are_close(times(matrix, n, n, of_b.read(queue), n),
                       dense(n, n, [](Size i, Size j) { return i == j ? 1.0 : 0.0; }), 1e-4);
    case LuTask::det:
      return are_close(determinant.read(queue), {1, static_cast<double>(n) * std::log(4.0)}, 1e-2);
    case LuTask::getrs:
    case LuTask::gesv:
      break;
  }
  return refinements == 0 ? of_b.read(queue) == x : are_close(of_b.read(queue), x, 1e-12);
}

// ormqr and orgqr get reflectors whose factors are 0, so that Q is the identity.
bool does_qr(const Promise& call, QrTask task) {
  const Size n = call.n;
  const AnyQrPlan plan(shared_engine(),
                       {.task = task,
                        .m = n,
                        .n = task == QrTask::ormqr ? columns : n,
                        .k = n,
                        .nrhs = task == QrTask::gels ? columns : 0,
                        .offset_alignment = call.alignment},
                       call.products);
  const Values matrix = lu_matrix(n), x = small_integers(n, columns);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(matrix, call.offset()), tau(Values(n, task == QrTask::geqrf ? 7 : 0)),
      of_c(task == QrTask::gels ? times(matrix, n, n, x, columns) : x, call.offset());
  const Stored<std::int64_t> info({7});
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(),
               {.a = of_a.ref(), .tau = tau.ref(), .c = of_c.ref(), .info = info.ref(), .workspace = lent.ref()})
      .wait();
  if (task == QrTask::ormqr) return of_c.read(queue) == x;
  if (task == QrTask::gels) return info.read(queue) == Values{0} && are_close(of_c.read(queue), x, 1e-3);
  const Values after = of_a.read(queue);
  if (task == QrTask::orgqr) return after == dense(n, n, [](Size i, Size j) { return i == j ? 1.0 : 0.0; });
  const Values r = dense(n, n, [&](Size i, Size j) { return i > j ? 0.0 : after[i * n + j]; });
  return are_close(times(transposed(r, n, n), n, n, r, n), times(transposed(matrix, n, n), n, n, matrix, n), 1e-2);
}

template <class T>
bool multiplies(const Promise& call, const GemmProblem& form) {
  const Size n = call.n, count = form.batch.count;
  GemmProblem p = form;
  p.m = p.n = p.k = n;
  p.offset_alignment = call.alignment;
  if (count > 1) p.batch.stride_c = n * n;
  const Values left = lower_factor(n), right = small_integers(n, n);
  const Values product = times(left, n, n, right, n);
  Values expected;
  for (Size x = 0; x < count; ++x) expected.insert(expected.end(), product.begin(), product.end());
  if (p.epilogue.residual)
    for (double& element : expected) element += 1;
  const GemmPlan plan(shared_engine(), p, call.products);
  const cl::CommandQueue queue = make_queue();
  const Stored<T> a(left, call.offset()), b(right), c(Values(expected.size()), call.offset()),
      residual(Values(n * n, 1), call.offset());
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = a.ref(),
                         .b = b.ref(),
                         .c = c.ref(),
                         .workspace = lent.ref(),
                         .residual = p.epilogue.residual ? residual.ref() : MatrixRef{}})
      .wait();
  return c.read(queue) == expected;
}

bool multiplies_by_strassen(const Promise& call, unsigned levels) {
  const Size n = call.n;
  const StrassenPlan plan(shared_engine(),
                          {.product = {.m = n, .n = n, .k = n, .offset_alignment = call.alignment}, .levels = levels},
                          call.products);
  const Values left = lower_factor(n), right = small_integers(n, n);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> a(left, call.offset()), b(right), c(Values(n * n), call.offset());
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = a.ref(), .b = b.ref(), .c = c.ref(), .workspace = lent.ref()}).wait();
  return c.read(queue) == times(left, n, n, right, n);
}

bool multiplies_vector(const Promise& call, Layout layout, std::int64_t sign) {
  const Size n = call.n;
  const Values matrix = lower_factor(n), x = small_integers(n, 1);
  const auto placed = [&](Values vector) {
    if (sign < 0) std::reverse(vector.begin(), vector.end());
    return vector;
  };
  const GemvPlan plan(shared_engine(),
                      {.layout = layout,
                       .trans = layout == Layout::row_major ? Transpose::no : Transpose::yes,
                       .m = n,
                       .n = n,
                       .incx = sign,
                       .incy = sign,
                       .offset_alignment = call.alignment},
                      call.products);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(matrix, call.offset()), of_x(placed(x)), of_y(placed(x), call.offset());
  plan.enqueue(queue(), {.a = of_a.ref(), .x = of_x.ref(), .beta = 1, .y = of_y.ref()}).wait();
  Values expected = times(matrix, n, n, x, 1);
  for (Size i = 0; i < n; ++i) expected[i] += x[i];
  return of_y.read(queue) == placed(expected);
}

bool adds_outer_product(const Promise& call, std::int64_t sign) {
  const Size n = call.n;
  const Values ones(n, 1), x = small_integers(n, 1);
  Values placed = x;
  if (sign < 0) std::reverse(placed.begin(), placed.end());
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_x(placed, call.offset()), of_y(ones), of_a(small_integers(n, n), call.offset());
  ger(shared_engine(), queue(), {.m = n, .n = n, .incx = sign, .incy = sign, .offset_alignment = call.alignment},
      {.x = of_x.ref(), .y = of_y.ref(), .a = of_a.ref()}, {}, call.products)
      .wait();
  return of_a.read(queue) ==
         dense(n, n, [&](Size i, Size j) { return static_cast<double>((3 * i + 5 * j) % 7) - 3 + x[i]; });
}

bool multiplies_triangle_vector(const Promise& call, std::int64_t sign) {
  const Size n = call.n;
  const Values matrix = lower_factor(n), x = small_integers(n, 1);
  Values placed = x;
  if (sign < 0) std::reverse(placed.begin(), placed.end());
  const TrmvPlan plan(shared_engine(), {.n = n, .incx = sign, .offset_alignment = call.alignment});
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(matrix, call.offset()), of_x(placed, call.offset());
  plan.enqueue(queue(), {.a = of_a.ref(), .x = of_x.ref()}).wait();
  Values expected = times(matrix, n, n, x, 1);
  if (sign < 0) std::reverse(expected.begin(), expected.end());
  return of_x.read(queue) == expected;
}

bool multiplies_symmetric_vector(const Promise& call) {
  const Size n = call.n;
  const Values x = small_integers(n, 1);
  const Values matrix = dense(n, n, [](Size i, Size j) { return static_cast<double>((3 * i + 3 * j) % 7) - 3; });
  const SymvPlan plan(shared_engine(), {.n = n, .offset_alignment = call.alignment});
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(matrix, call.offset()), of_x(x, call.offset()), of_y(x, call.offset());
  plan.enqueue(queue(), {.a = of_a.ref(), .x = of_x.ref(), .y = of_y.ref()}).wait();
  return of_y.read(queue) == times(matrix, n, n, x, 1);
}

bool updates_symmetric(const Promise& call, bool has_two) {
  const Size n = call.n;
  const Values x = small_integers(n, 1), ones(n, 1), before = small_integers(n, n);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_x(x, call.offset()), of_y(ones, call.offset()), of_a(before, call.offset());
  if (has_two)
    syr2(shared_engine(), queue(), {.n = n, .offset_alignment = call.alignment},
         {.x = of_x.ref(), .y = of_y.ref(), .a = of_a.ref()})
        .wait();
  else
    syr(shared_engine(), queue(), {.n = n, .offset_alignment = call.alignment}, {.x = of_x.ref(), .a = of_a.ref()})
        .wait();
  return of_a.read(queue) == dense(n, n, [&](Size i, Size j) {
           return before[i * n + j] + (j > i ? 0 : has_two ? x[i] + x[j] : x[i] * x[j]);
         });
}

bool transposes(const Promise& call, bool in_place) {
  const Size m = call.n, n = call.n + (in_place ? 30 : 0);
  const TransposePlan plan(shared_engine(), {.m = m, .n = n, .in_place = in_place, .offset_alignment = call.alignment});
  const Values values = small_integers(m, n);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> a(values, call.offset()), b(Values(m * n), call.offset());
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = a.ref(), .b = in_place ? MatrixRef{} : b.ref(), .workspace = lent.ref()}).wait();
  return (in_place ? a : b).read(queue) == transposed(values, m, n);
}

// C = A B^T + B A^T by syr2k, or A B by gemmt, on the lower triangle; each block of C has an offset.
bool updates_triangle(const Promise& call, bool is_rank_2k) {
  const Size n = call.n, k = call.n;
  const Values a = small_integers(n, k), b = small_integers(k, n), both = times(a, n, k, b, n);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(a, call.offset()), of_b(is_rank_2k ? transposed(b, k, n) : b),
      of_c(Values(n * n, 9), call.offset());
  if (is_rank_2k) {
    const Syr2kPlan plan(shared_engine(), {.n = n, .k = k, .offset_alignment = call.alignment}, call.products);
    const Lent lent(plan.workspace_bytes());
    plan.enqueue(queue(), {.a = of_a.ref(), .b = of_b.ref(), .c = of_c.ref(), .workspace = lent.ref()}).wait();
  } else {
    const GemmtPlan plan(shared_engine(), {.n = n, .k = k, .offset_alignment = call.alignment}, call.products);
    const Lent lent(plan.workspace_bytes());
    plan.enqueue(queue(), {.a = of_a.ref(), .b = of_b.ref(), .c = of_c.ref(), .workspace = lent.ref()}).wait();
  }
  Values expected(n * n, 9);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j <= i; ++j) expected[i * n + j] = both[i * n + j] + (is_rank_2k ? both[j * n + i] : 0);
  return of_c.read(queue) == expected;
}

struct PromiseTask {
  std::string name;
  std::function<bool(const Promise&)> is_right;
};

std::vector<PromiseTask> promise_tasks() {
  using P = const Promise&;
  std::vector<PromiseTask> tasks{
      {"trsm on the left", [](P p) { return solves_triangle(p, Side::left); }},
      {"trsm on the right", [](P p) { return solves_triangle(p, Side::right); }},
      {"trsv", [](P p) { return solves_vector(p, 2); }},
      {"trsv, reversed", [](P p) { return solves_vector(p, -1); }},
      {"trmm on the left", [](P p) { return multiplies_triangle(p, Side::left); }},
      {"trmm on the right", [](P p) { return multiplies_triangle(p, Side::right); }},
      {"symm", [](P p) { return multiplies_symmetric(p); }},
      {"syr2k", [](P p) { return updates_triangle(p, true); }},
      {"gemmt", [](P p) { return updates_triangle(p, false); }},
      {"potrf, lower", [](P p) { return factors_by_cholesky(p, Uplo::lower); }},
      {"potrf, upper", [](P p) { return factors_by_cholesky(p, Uplo::upper); }},
      {"potrs", [](P p) { return solves_by_cholesky(p, false); }},
      {"posv", [](P p) { return solves_by_cholesky(p, true); }},
      {"gemm", [](P p) { return multiplies<float>(p, {}); }},
      {"gemm in a batch", [](P p) { return multiplies<float>(p, {.batch = {.count = 2}}); }},
      {"gemm with a residual", [](P p) { return multiplies<float>(p, {.epilogue = {.residual = true}}); }},
      {"complex gemm", [](P p) { return multiplies<std::complex<float>>(p, {.type = DataType::c64}); }},
      {"strassen, 1 level", [](P p) { return multiplies_by_strassen(p, 1); }},
      {"strassen, 2 levels", [](P p) { return multiplies_by_strassen(p, 2); }},
      {"gemv", [](P p) { return multiplies_vector(p, Layout::row_major, 1); }},
      {"gemv, reversed", [](P p) { return multiplies_vector(p, Layout::column_major, -1); }},
      {"ger", [](P p) { return adds_outer_product(p, 1); }},
      {"ger, reversed", [](P p) { return adds_outer_product(p, -1); }},
      {"trmv", [](P p) { return multiplies_triangle_vector(p, 1); }},
      {"trmv, reversed", [](P p) { return multiplies_triangle_vector(p, -1); }},
      {"symv", [](P p) { return multiplies_symmetric_vector(p); }},
      {"syr", [](P p) { return updates_symmetric(p, false); }},
      {"syr2", [](P p) { return updates_symmetric(p, true); }},
      {"transpose", [](P p) { return transposes(p, false); }},
      {"transpose in place", [](P p) { return transposes(p, true); }}};
  for (const LuTask task : verification::lu_tasks)
    tasks.push_back({std::string(to_string(task)), [task](P p) { return does_lu<float>(p, task); }});
  for (const QrTask task : verification::qr_tasks)
    tasks.push_back({std::string(to_string(task)), [task](P p) { return does_qr(p, task); }});
  if (shared_engine().profile().fp64)
    tasks.push_back({"gesv with refinements", [](P p) { return does_lu<double>(p, LuTask::gesv, 3); }});
  return tasks;
}

void check_promise(const PromiseTask& task, const Promise& promise) {
  CAPTURE(task.name);
  CAPTURE(promise.n);
  CAPTURE(promise.alignment);
  try {
    CHECK(task.is_right(promise));
  } catch (const Error& error) {
    FAIL_CHECK(error.what());
  }
  count_cases();
}

}  // namespace

// Blocks are 16 to 128 wide, panels of LU 128 or 256. These orders need one block, or several.
TEST_SUITE("offset promises") {
  TEST_CASE("every satisfied alignment gives right results") {
    const bool is_quick = test_level() == TestLevel::quick;
    const std::vector<Size> orders =
        is_quick ? std::vector<Size>{17, 128, 257} : std::vector<Size>{15, 17, 33, 65, 127, 128, 257, 300};
    std::uint64_t turn = test_seed();  // at the quick level every second call runs, another one each day
    const auto check = [&](const PromiseTask& task, const Promise& promise) {
      if (!is_quick || turn++ % 2 == 0) check_promise(task, promise);
    };
    for (const PromiseTask& task : promise_tasks()) {
      for (Size alignment = 1; alignment <= 4096; alignment *= is_quick ? 8 : 2)
        for (const Size n : {127U, 129U, 257U})
          if (n == 129 || test_level() == TestLevel::full) check(task, {n, alignment, naive_products});
      for (const Size n : orders)
        for (const Size alignment : {Size{16}, Size{4096}}) check(task, {n, alignment, naive_products});
      count_kernel_of(task.name);
    }
  }

  TEST_CASE("kernels that load vectors give right results, too") {
    if (test_level() == TestLevel::quick) return;
    for (const PromiseTask& task : promise_tasks())
      for (const Size alignment : {Size{1}, Size{4}, Size{1024}}) check_promise(task, {160, alignment, {}});
  }
}

}  // namespace tilewright::test
