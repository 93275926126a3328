// C = alpha op(A) + beta op(B): every transpose, layout and type, odd sizes, gaps, offsets and batches; and errors of
// calls.
#include "tilewright/matrix_add.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

struct SumCase {
  MatrixAddProblem problem;
  double alpha, beta;
  std::uint64_t offset;
};

StoredShape shape_of(const MatrixAddProblem& p, Transpose trans, std::uint64_t gap) {
  const bool by_columns = (p.layout == Layout::column_major) != (trans == Transpose::yes);
  StoredShape shape{by_columns ? p.n : p.m, by_columns ? p.m : p.n, 0};
  shape.leading = shape.length + gap;
  return shape;
}

template <class T>
void fill(GuardedMatrix<T>& matrix, std::uint64_t seed) {
  const StoredShape& shape = matrix.shape();
  const auto values = random_data<T>(matrix.count() * shape.lines * shape.length, DataKind::uniform, seed);
  for (std::uint64_t x = 0, at = 0; x < matrix.count(); ++x)
    for (std::uint64_t line = 0; line < shape.lines; ++line)
      for (std::uint64_t i = 0; i < shape.length; ++i) matrix.data(x)[line * shape.leading + i] = values[at++];
}

// Element (i, j) of op(X).
template <class T>
double at(const T* x, const MatrixAddProblem& p, Transpose trans, std::uint64_t ld, std::uint64_t i, std::uint64_t j) {
  const bool by_columns = (p.layout == Layout::column_major) != (trans == Transpose::yes);
  return static_cast<double>(x[by_columns ? j * ld + i : i * ld + j]);
}

template <class T>
void check_sum(const SumCase& test) {
  MatrixAddProblem p = test.problem;
  const StoredShape a_shape = shape_of(p, p.trans_a, 3), b_shape = shape_of(p, p.trans_b, 0),
                    c_shape = shape_of(p, Transpose::no, 2);
  p.lda = a_shape.leading;
  p.ldb = b_shape.leading;
  p.ldc = c_shape.leading;
  if (p.batch.count > 1) p.batch = {p.batch.count, a_shape.span() + 5, 0, c_shape.span() + 1};
  const Engine& engine = shared_engine();
  const cl::CommandQueue queue = make_queue();
  GuardedMatrix<T> a(engine, a_shape, test.offset, Memory::exact, p.batch.count, p.batch.stride_a);
  GuardedMatrix<T> b(engine, b_shape, 0, Memory::sub_buffer);
  GuardedMatrix<T> c(engine, c_shape, test.offset, Memory::banded, p.batch.count, p.batch.stride_c);
  fill(a, 1);
  fill(b, 2);
  if (test.alpha == 0) a.poison();
  if (test.beta == 0) b.poison();
  a.upload(queue);
  b.upload(queue);
  c.upload(queue);
  matrix_add(engine, queue(), p, {test.alpha, a.ref(), test.beta, b.ref(), c.ref()}).wait();
  count_cases();
  count_kernel_of("matrix_add");
  a.download(queue);
  b.download(queue);
  c.download(queue);
  const double roundoff = detail::element_type(p.type).roundoff;
  for (std::uint64_t x = 0; x < p.batch.count; ++x)
    for (std::uint64_t i = 0; i < p.m; ++i)
      for (std::uint64_t j = 0; j < p.n; ++j) {
        using Scalar = detail::Accumulator<T>;
        const double alpha = static_cast<double>(static_cast<Scalar>(test.alpha));
        const double beta = static_cast<double>(static_cast<Scalar>(test.beta));
        const double left = alpha == 0 ? 0 : alpha * at(a.data(x), p, p.trans_a, p.lda, i, j);
        const double right = beta == 0 ? 0 : beta * at(b.data(0), p, p.trans_b, p.ldb, i, j);
        const double error = std::abs(at(c.result(x), p, Transpose::no, p.ldc, i, j) - (left + right));
        REQUIRE_FALSE(!(error <= 3 * roundoff * (std::abs(left) + std::abs(right)) + 1e-7 * (sizeof(T) == 2)));
      }
  CHECK(c.damage(true).empty());
  CHECK(a.damage(false).empty());
  CHECK(b.damage(false).empty());
}

}  // namespace

TEST_SUITE("matrix add") {
  TEST_CASE("every type, layout and transpose, at the edges of tiles") {
    for (const detail::ElementType& type : detail::element_types()) {
      if (detail::is_integer(type.type)) {
        expect_error(ErrorCode::unsupported_type,
                     [&] { MatrixAddPlan(shared_engine(), {.type = type.type, .m = 2, .n = 2}); });
        continue;
      }
      if (is_complex(type.type) || !detail::why_unsupported(type.type, shared_engine().profile()).empty()) continue;
      std::size_t turn = 0;
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Transpose trans_a : {Transpose::no, Transpose::yes})
          for (const Transpose trans_b : {Transpose::no, Transpose::yes}) {
            constexpr std::uint64_t sizes[][2] = {{33, 31}, {16, 17}, {1, 40}, {32, 64}, {15, 1}};
            const auto& [m, n] = sizes[turn % 5];
            const double alpha = turn % 4 == 3 ? 0 : 1.5, beta = turn % 4 == 1 ? 0 : -0.7;
            const SumCase test{{type.type, layout, trans_a, trans_b, m, n, 0, 0, 0, {.count = turn % 3 == 2 ? 3U : 1U}},
                               alpha,
                               beta,
                               turn % 2 == 0 ? 0U : 7U};
            CAPTURE(turn);
            detail::with_real_host_type(type.type, [&]<class T>(std::type_identity<T>) { check_sum<T>(test); });
            ++turn;
          }
    }
  }

  TEST_CASE("a plan explains its kernel, needs no workspace, and makes no event on request") {
    const SmallProduct memory;
    const std::vector<float> ones(16, 1);
    const auto buffer = [&] {
      return cl::Buffer(memory.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, ones.size() * sizeof(float),
                        const_cast<float*>(ones.data()));
    };
    const cl::Buffer a = buffer(), b = buffer(), c = buffer(), lent(memory.context, CL_MEM_READ_WRITE, 512);
    const MatrixAddPlan plan(memory.engine, {.m = 4, .n = 4});
    CHECK(plan.workspace_bytes() == 0);
    CHECK(plan.explanation().problem == "matrix_add f32 4x4");
    CHECK(plan.explanation().variant == "matrix_add");
    CHECK(plan.explanation().configuration["tile"] >= 16);
    MatrixAddOperands operands{.alpha = 2, .a = {a()}, .beta = 3, .b = {b()}, .c = {c()}, .event = false};
    operands.workspace = {lent(), 256};
    plan.enqueue(memory.queue(), operands);
    std::vector<float> result(16);
    memory.queue.enqueueReadBuffer(c, CL_TRUE, 0, 64, result.data());
    CHECK(result == std::vector<float>(16, 5));
    const auto refused = [&](ErrorCode code, const WorkspaceRef& workspace) {
      operands.workspace = workspace;
      expect_error(code, OperandName::workspace, [&] { plan.enqueue(memory.queue(), operands); });
    };
    refused(ErrorCode::invalid_workspace, {lent(), 8});
    refused(ErrorCode::workspace_too_small, {lent(), 1024});
    const cl::Buffer elsewhere(cl::Context(cl::Device(device_under_test().id, true)), CL_MEM_READ_WRITE, 512);
    refused(ErrorCode::foreign_object, {elsewhere()});
  }

  TEST_CASE("each bad argument has its own error, and nothing is enqueued") {
    const SmallProduct memory;
    const cl::Buffer a(memory.context, CL_MEM_READ_WRITE, 4096), b(memory.context, CL_MEM_READ_WRITE, 4096);
    const MatrixAddProblem problem{.m = 4, .n = 5};
    const auto sum = [&](const MatrixAddProblem& p, const MatrixAddOperands& operands) {
      matrix_add(memory.engine, memory.queue(), p, operands).wait();
    };
    expect_error(ErrorCode::null_object, OperandName::a, [&] { sum(problem, {1, {}, 1, {b(), 0}, {b(), 100}}); });
    expect_error(ErrorCode::null_object, OperandName::b, [&] { sum(problem, {1, {a(), 0}, 1, {}, {b(), 0}}); });
    expect_error(ErrorCode::null_object, OperandName::c, [&] { sum(problem, {1, {a(), 0}, 1, {b(), 0}, {}}); });
    expect_error(ErrorCode::buffer_too_small, OperandName::c, [&] {
      sum(problem, {1, {a(), 0}, 1, {a(), 0}, {b(), 1010}});
    });
    expect_error(ErrorCode::overlapping_operands, OperandName::c, [&] {
      sum(problem, {1, {a(), 0}, 1, {b(), 0}, {a(), 3}});
    });
    MatrixAddProblem narrow = problem;
    narrow.ldb = 4;
    expect_error(ErrorCode::invalid_leading_dimension, OperandName::b, [&] {
      sum(narrow, {1, {a(), 0}, 1, {b(), 0}, {b(), 100}});
    });
    MatrixAddProblem together = problem;
    together.batch = {3, 0, 0, 7};
    expect_error(ErrorCode::overlapping_operands, OperandName::c, [&] {
      sum(together, {1, {a(), 0}, 1, {b(), 0}, {b(), 100}});
    });
    CHECK_NOTHROW(sum({.m = 0, .n = 5}, {}));
    CHECK_NOTHROW(sum(problem, {0, {}, 1, {a(), 0}, {b(), 0}}));
  }
}

}  // namespace tilewright::test
