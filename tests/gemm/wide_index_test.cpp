// Matrices beyond 2^31 elements. A matrix with one line and a huge leading dimension costs no memory but makes every
// device compile and run kernels with 64-bit indices. If the device has enough memory, lines that far apart are really
// used.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/gemm_runner.hpp"
#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

constexpr std::uint64_t two_to_33 = std::uint64_t{1} << 33;

// A product with one huge leading dimension, where this matrix has only one line.
GemmCase with_one_line(const std::string& variant, DataType type, int matrix, bool transposed) {
  GemmCase test;
  test.variant = variant;
  test.type = type;
  test.m = 19;
  test.n = 21;
  test.k = 10;
  test.beta = 1;
  test.data = verification::DataKind::integers;
  test.gaps[static_cast<std::size_t>(matrix)] = two_to_33;
  if (transposed) (matrix == 0 ? test.trans_a : test.trans_b) = Transpose::yes;
  std::uint64_t& lines = matrix == 0   ? (transposed ? test.k : test.m)
                         : matrix == 1 ? (transposed ? test.n : test.k)
                                       : test.m;
  lines = 1;
  return test;
}

// Writes one line of a matrix whose lines are far apart.
void write_line(const cl::CommandQueue& queue, const cl::Buffer& buffer, std::uint64_t first,
                const std::vector<float>& values) {
  queue.enqueueWriteBuffer(buffer, CL_TRUE, first * sizeof(float), values.size() * sizeof(float), values.data());
}

}  // namespace

TEST_SUITE("wide indices") {
  TEST_CASE("every variant has kernels with 64-bit indices") {
    for (const VariantInfo& variant : third_of_variants(0))
      for (const DataType type : {DataType::f32, DataType::f64})
        for (int matrix = 0; matrix < 3; ++matrix)
          for (const bool transposed : {false, true}) {
            if (matrix == 2 && transposed) continue;
            if (test_level() == TestLevel::quick && type == DataType::f64) continue;
            GemmCase test = with_one_line(variant.name, type, matrix, transposed);
            if (!gemm_support(device_under_test().profile, variant.name, problem_of(test)).supported) continue;
            std::vector<Configuration> strategies = variant.strategies;
            if (test_level() == TestLevel::quick && transposed) strategies.clear();
            strategies.emplace_back();
            for (const Configuration& strategy : strategies) {
              test.configuration = strategy;
              const std::string wrong = run_gemm_case(test);
              CHECK_MESSAGE(wrong.empty(), wrong);
            }
          }
  }

  TEST_CASE("elements past 2^31 are read and written correctly") {
    // Lines are 2^30 + 8 elements apart: the third line starts past 2^31.
    constexpr std::uint64_t leading = (std::uint64_t{1} << 30) + 8;
    const SmallProduct product(shared_engine(), 3, 3, 3);
    const std::uint64_t bytes = (2 * leading + 3) * sizeof(float);
    if (shared_engine().profile().max_allocation_bytes < bytes)
      return count_skip("elements past 2^31", "the device allocates at most " +
                                                  std::to_string(shared_engine().profile().max_allocation_bytes) +
                                                  " bytes at once");
    for (const VariantInfo& variant : third_of_variants(1))
      for (int matrix = 0; matrix < 3; ++matrix) {
        GemmProblem problem = product.problem;
        GemmOperands operands = product.operands;
        (matrix == 0 ? problem.lda : matrix == 1 ? problem.ldb : problem.ldc) = leading;
        if (!gemm_support(shared_engine().profile(), variant.name, problem).supported) continue;
        CAPTURE(variant.name);
        CAPTURE(matrix);
        const cl::Buffer far(product.context, CL_MEM_READ_WRITE, bytes);
        const auto& values = matrix == 0 ? product.a_values() : matrix == 1 ? product.b_values() : product.before();
        for (std::size_t line = 0; line < 3; ++line)
          write_line(product.queue, far, line * leading,
                     {values.begin() + 3 * static_cast<std::ptrdiff_t>(line),
                      values.begin() + 3 * static_cast<std::ptrdiff_t>(line) + 3});
        (matrix == 0 ? operands.a : matrix == 1 ? operands.b : operands.c) = MatrixRef{far(), 0};
        product.reset_c();
        const GemmPlan plan(product.engine, problem, {variant.name, {}});
        plan.enqueue(product.queue(), operands).wait();
        count_kernel(plan);
        count_cases();
        std::vector<float> result = product.read(product.c);
        if (matrix == 2)
          for (std::size_t line = 0; line < 3; ++line)
            product.queue.enqueueReadBuffer(far, CL_TRUE, line * leading * sizeof(float), 3 * sizeof(float),
                                            result.data() + 3 * line);
        CHECK(result == product.after());
      }
  }

  TEST_CASE("a matrix may start past 2^31 elements") {
    constexpr std::uint64_t offset = (std::uint64_t{1} << 31) + 16;
    const SmallProduct product;
    const std::uint64_t bytes = (offset + 35) * sizeof(float);
    if (shared_engine().profile().max_allocation_bytes < bytes)
      return count_skip("offsets past 2^31", "the device allocates at most " +
                                                 std::to_string(shared_engine().profile().max_allocation_bytes) +
                                                 " bytes at once");
    const cl::Buffer far(product.context, CL_MEM_READ_WRITE, bytes);
    for (const VariantInfo& variant : third_of_variants(0)) {
      if (!gemm_support(shared_engine().profile(), variant.name, product.problem).supported) continue;
      CAPTURE(variant.name);
      GemmOperands operands = product.operands;
      operands.c = {far(), offset};
      write_line(product.queue, far, offset, product.before());
      gemm(product.engine, product.queue(), product.problem, operands, {}, {variant.name, {}}).wait();
      count_cases();
      std::vector<float> result(35);
      product.queue.enqueueReadBuffer(far, CL_TRUE, offset * sizeof(float), result.size() * sizeof(float),
                                      result.data());
      CHECK(result == product.after());
    }
  }
}

}  // namespace tilewright::test
