// Memory that starts at any element: host memory (CL_MEM_USE_HOST_PTR), which some drivers use in place, and the
// smallest sub-buffers. No kernel may assume aligned vectors.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/host_bytes.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

using verification::DataKind;
using verification::random_data;

// The smallest sub-buffer that starts after its parent.
cl::Buffer smallest_part(const cl::Buffer& whole, std::size_t size) {
  const std::size_t step = cl::Device(shared_engine().device(), true).getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
  const cl_buffer_region region{step, size};
  return cl::Buffer(whole).createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
}

// C = 2 op(A) op(B) - C on small integers, so the result is exact. The rows of all operands are whole vectors.
template <typename T>
struct Product {
  static constexpr std::uint64_t m = 48, n = 64, k = 80;
  GemmProblem problem{.type = sizeof(T) == 4 ? DataType::f32 : DataType::f64, .m = m, .n = n, .k = k};
  std::vector<T> a = random_data<T>(m * k, DataKind::integers, 1);
  std::vector<T> b = random_data<T>(k * n, DataKind::integers, 2);
  std::vector<T> c = random_data<T>(m * n, DataKind::integers, 3);
  std::vector<T> expected = c;
  cl::CommandQueue queue = make_queue();

  explicit Product(Transpose transpose) {
    problem.trans_a = problem.trans_b = transpose;
    const bool transposed = transpose == Transpose::yes;
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (std::uint64_t p = 0; p < k; ++p)
          sum += (transposed ? a[p * m + i] * b[j * k + p] : a[i * k + p] * b[p * n + j]);
        expected[i * n + j] = 2 * sum - c[i * n + j];
      }
  }

  void write(const cl::Buffer& buffer, const std::vector<T>& values) const {
    queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  }

  // Describes the error in the plan's result in these buffers; empty if it is right.
  std::string run(const GemmPlan& plan, const cl::Buffer& in_a, const cl::Buffer& in_b, const cl::Buffer& in_c,
                  const WorkspaceRef& workspace) const {
    write(in_a, a);
    write(in_b, b);
    write(in_c, c);
    plan.enqueue(queue(), {.alpha = 2, .a = {in_a()}, .b = {in_b()}, .beta = -1, .c = {in_c()}, .workspace = workspace})
        .wait();
    count_kernel(plan);
    std::vector<T> result(c.size());
    queue.enqueueReadBuffer(in_c, CL_TRUE, 0, result.size() * sizeof(T), result.data());
    count_cases();
    for (std::size_t i = 0; i < result.size(); ++i)
      if (!(result[i] == expected[i]))
        return "element " + std::to_string(i) + " is " + std::to_string(result[i]) + ", not " +
               std::to_string(expected[i]);
    return {};
  }
};

template <typename T>
void check_plan(const Product<T>& product, const GemmPlan& plan) {
  const auto bytes = [](const std::vector<T>& values) { return values.size() * sizeof(T); };
  const std::size_t workspace = plan.workspace_bytes();
  for (const std::size_t shift : {sizeof(T), std::size_t{16}, std::size_t{32}}) {
    CAPTURE(shift);
    const HostBytes a(bytes(product.a), shift), b(bytes(product.b), shift), c(bytes(product.c), shift);
    const HostBytes lent(workspace + 1, shift);
    CHECK(product.run(plan, a.buffer, b.buffer, c.buffer, {workspace > 0 ? lent.buffer() : nullptr}) == "");
  }
  const auto whole = [](std::size_t size) { return cl::Buffer(shared_context(), CL_MEM_READ_WRITE, size + 4096); };
  const cl::Buffer a = whole(bytes(product.a)), b = whole(bytes(product.b)), c = whole(bytes(product.c));
  const cl::Buffer lent = whole(workspace + 1);
  const cl::Buffer part = smallest_part(lent, workspace + 1);
  CHECK(product.run(plan, smallest_part(a, bytes(product.a)), smallest_part(b, bytes(product.b)),
                    smallest_part(c, bytes(product.c)), {workspace > 0 ? part() : nullptr}) == "");
}

template <typename T>
void check_variant(const VariantInfo& variant, Transpose transpose) {
  const Product<T> product(transpose);
  const std::string name = variant.name + " " + std::string(to_string(product.problem.type));
  const Support support = gemm_support(device_under_test().profile, variant.name, product.problem);
  if (!support.supported) return count_skip("host pointers of " + name, support.reason);
  CAPTURE(name);
  std::vector<Configuration> configurations{{}};
  for (const Parameter& parameter : variant.parameters)
    if (parameter.name == "slice_k") configurations.push_back({{"slice_k", 16}});  // sliced sums in a workspace
  for (const Configuration& configuration : configurations) {
    CAPTURE(to_string(configuration));
    check_plan(product, GemmPlan(shared_engine(), product.problem, {variant.name, configuration}));
  }
}

}  // namespace

TEST_SUITE("host pointers") {
  TEST_CASE("operands and workspaces may start at any element") {
    for (const VariantInfo& variant : third_of_variants(1)) {
      check_variant<float>(variant, Transpose::no);
      if (device_under_test().profile.fp64) check_variant<double>(variant, Transpose::yes);
      if (test_level() != TestLevel::full) continue;
      check_variant<float>(variant, Transpose::yes);
      if (device_under_test().profile.fp64) check_variant<double>(variant, Transpose::no);
    }
  }

  TEST_CASE("std::vector memory with the defaults of gemm()") {
    const Product<float> product(Transpose::no);
    std::vector<float> a = product.a, b = product.b, c = product.c;
    const auto in_place = [](std::vector<float>& values) {
      return cl::Buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, values.size() * sizeof(float),
                        values.data());
    };
    const cl::Buffer in_a = in_place(a), in_b = in_place(b), in_c = in_place(c);
    gemm(shared_engine(), product.queue(), product.problem,
         {.alpha = 2, .a = {in_a()}, .b = {in_b()}, .beta = -1, .c = {in_c()}})
        .wait();
    product.queue.enqueueReadBuffer(in_c, CL_TRUE, 0, c.size() * sizeof(float), c.data());
    CHECK(c == product.expected);
    count_cases();
  }
}

}  // namespace tilewright::test
