// Systems of equations and factorisations whose operands begin at offsets that satisfy a promised alignment.
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/promises.hpp"
#include "verification/lu/lu_operation.hpp"
#include "verification/qr/qr_operation.hpp"

namespace tilewright::test::promises {
namespace {

using verification::AnyLuPlan, verification::LuOperands, verification::LuTask, verification::AnyQrPlan,
    verification::QrTask;

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

bool solves_triangle(const Promise& call, Side side) {
  const Values x = small_integers(call.n, columns);
  return turns_into<TrsmPlan>(call, side, times(lower_factor(call.n), call.n, call.n, x, columns), x);
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

}  // namespace

std::vector<PromiseTask> systems() {
  using P = const Promise&;
  std::vector<PromiseTask> tasks{{"trsm on the left", [](P p) { return solves_triangle(p, Side::left); }},
                                 {"trsm on the right", [](P p) { return solves_triangle(p, Side::right); }},
                                 {"trsv", [](P p) { return solves_vector(p, 2); }},
                                 {"trsv, reversed", [](P p) { return solves_vector(p, -1); }},
                                 {"potrf, lower", [](P p) { return factors_by_cholesky(p, Uplo::lower); }},
                                 {"potrf, upper", [](P p) { return factors_by_cholesky(p, Uplo::upper); }},
                                 {"potrs", [](P p) { return solves_by_cholesky(p, false); }},
                                 {"posv", [](P p) { return solves_by_cholesky(p, true); }}};
  for (const LuTask task : verification::lu_tasks)
    tasks.push_back({std::string(to_string(task)), [task](P p) { return does_lu<float>(p, task); }});
  for (const QrTask task : verification::qr_tasks)
    tasks.push_back({std::string(to_string(task)), [task](P p) { return does_qr(p, task); }});
  if (shared_engine().profile().fp64)
    tasks.push_back({"gesv with refinements", [](P p) { return does_lu<double>(p, LuTask::gesv, 3); }});
  return tasks;
}

}  // namespace tilewright::test::promises
