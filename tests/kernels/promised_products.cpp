// Products, updates and transposes whose operands begin at offsets that satisfy a promised alignment.
#include <complex>
#include <cstdint>
#include <vector>

#include "kernels/promises.hpp"

namespace tilewright::test::promises {
namespace {

bool multiplies_triangle(const Promise& call, Side side) {
  const Values b = small_integers(call.n, columns);
  return turns_into<TrmmPlan>(call, side, b, times(lower_factor(call.n), call.n, call.n, b, columns));
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

}  // namespace

std::vector<PromiseTask> products() {
  using P = const Promise&;
  return {{"trmm on the left", [](P p) { return multiplies_triangle(p, Side::left); }},
          {"trmm on the right", [](P p) { return multiplies_triangle(p, Side::right); }},
          {"symm", [](P p) { return multiplies_symmetric(p); }},
          {"syr2k", [](P p) { return updates_triangle(p, true); }},
          {"gemmt", [](P p) { return updates_triangle(p, false); }},
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
}

}  // namespace tilewright::test::promises
