// Other libraries agree with this one, and with the reference of all other checks.
#include "support/second_opinion.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/test_seed.hpp"
#include "tilewright/gemm.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::test {
namespace {

using verification::DataKind;

struct Sizes {
  std::uint64_t m, n, k;
};

template <typename T>
cl::Buffer buffer_with(const cl::CommandQueue& queue, const std::vector<T>& values) {
  cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE, values.size() * sizeof(T));
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  return buffer;
}

template <typename T>
std::vector<T> ours(const GemmProblem& problem, const HostOperands<T>& host) {
  const cl::CommandQueue queue = make_queue();
  const cl::Buffer a = buffer_with(queue, host.a), b = buffer_with(queue, host.b), c = buffer_with(queue, host.c);
  const GemmPlan plan(shared_engine(), problem);
  plan.enqueue(queue(), {host.alpha, {a(), 0}, {b(), 0}, host.beta, {c(), 0}}).wait();
  count_kernel(plan);
  std::vector<T> result(host.c.size());
  queue.enqueueReadBuffer(c, CL_TRUE, 0, result.size() * sizeof(T), result.data());
  return result;
}

template <typename T>
void compare(const GemmProblem& problem, DataKind kind) {
  HostOperands<T> host;
  host.alpha = kind == DataKind::integers ? -2 : -0.7;
  host.beta = kind == DataKind::integers ? 3 : 1.3;
  if (is_complex(problem.type)) {
    host.alpha.imag(kind == DataKind::integers ? 1 : 0.4);
    host.beta.imag(kind == DataKind::integers ? -1 : -0.6);
  }
  host.a = verification::random_data<T>(problem.m * problem.k, kind, 11);
  host.b = verification::random_data<T>(problem.k * problem.n, kind, 12);
  host.c = verification::random_data<T>(problem.m * problem.n, kind, 13);
  const verification::GemmCheck<T> check(
      {problem, host.alpha, host.a.data(), host.b.data(), host.beta, host.c.data()},
      kind == DataKind::integers ? verification::Tolerance::exact : verification::Tolerance::rounding);

  const std::vector<T> our_result = ours(problem, host);
  CHECK(check(our_result.data()).passed());
  for (const SecondOpinion<T>& other : second_opinions<T>()) {
    CAPTURE(other.name);
    const std::vector<T> other_result = other.gemm(problem, host);
    CHECK(check(other_result.data()).passed());
    // With integers both results are exact, so all bits agree.
    if (kind == DataKind::integers) CHECK(other_result == our_result);
    count_cases();
  }
}

// CLBlast compiles all kernels of a type, so the quick level compares one of the types 0 to 2, another one each day.
bool is_compared(std::uint64_t type) { return test_level() != TestLevel::quick || (test_seed() + type) % 3 == 0; }

template <typename T>
void compare_all(DataType type) {
  int turn = 0;
  std::size_t form = 0;
  std::vector<Transpose> transposes{Transpose::no, Transpose::yes};
  if (is_complex(type)) transposes.push_back(Transpose::conjugate_transpose);
  std::vector<Layout> layouts{Layout::row_major, Layout::column_major};
  if (is_complex(type)) layouts.erase(type == DataType::c64 ? layouts.begin() : layouts.begin() + 1);  // one per type
  for (const Layout layout : layouts)
    for (const Transpose trans_a : transposes)
      for (const Transpose trans_b : transposes) {
        if (type == DataType::c128 && trans_a == trans_b) continue;  // c64 and c128 share their code
        // One size below CLBlast's switch between its two kinds of kernel, and one above it. At the quick level each
        // form has one of them.
        const std::vector<Sizes> sizes{{33, 65, 17}, {200, 131, 257}};
        for (std::size_t i = 0; i < sizes.size(); ++i) {
          if (test_level() == TestLevel::quick && i != (form + test_seed()) % 2) continue;
          const Sizes& size = sizes[i];
          const DataKind kind = static_cast<DataKind>(turn++ % 3);
          const GemmProblem problem{.type = type,
                                    .layout = layout,
                                    .trans_a = trans_a,
                                    .trans_b = trans_b,
                                    .m = size.m,
                                    .n = size.n,
                                    .k = size.k};
          CAPTURE(turn);
          compare<T>(problem, kind);
        }
        ++form;
      }
}

}  // namespace

TEST_SUITE("second opinion") {
  TEST_CASE("CLBlast and OpenBLAS agree in single precision") {
    for (const std::string& missing : missing_second_opinions()) count_skip("a second opinion", missing);
    if (is_compared(0)) compare_all<float>(DataType::f32);
  }

  TEST_CASE("CLBlast and OpenBLAS agree in double precision") {
    if (device_under_test().profile.fp64 && is_compared(1)) compare_all<double>(DataType::f64);
  }

  TEST_CASE("CLBlast and OpenBLAS agree on complex products") {
    if (is_compared(2)) compare_all<std::complex<float>>(DataType::c64);
    if (device_under_test().profile.fp64 && test_level() != TestLevel::quick)
      compare_all<std::complex<double>>(DataType::c128);
  }
}

}  // namespace tilewright::test
