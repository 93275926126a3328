// C = alpha A + beta B where C is A, B or both: the result has the same bits as out of place, and nothing else changes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/element_type.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/matrix_add.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

// Random choices of a case, determined by its seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t end) { return verification::random_bits(seed_, drawn_++) % end; }
  double scalar() { return std::vector<double>{0, 1, -0.7, 1.5}[below(4)]; }

 private:
  std::uint64_t seed_, drawn_ = 0;
};

struct InPlaceCase {
  MatrixAddProblem problem{};
  double alpha = 0, beta = 0;
  bool replaces_a = false, replaces_b = false;  // at least one of them
  std::uint64_t offset = 0, elements = 0;
};

InPlaceCase drawn_case(DataType type, std::uint64_t seed) {
  Draw draw(seed);
  InPlaceCase test{.problem = {.type = type}, .alpha = draw.scalar(), .beta = draw.scalar()};
  MatrixAddProblem& p = test.problem;
  p.layout = draw.below(2) == 0 ? Layout::row_major : Layout::column_major;
  p.m = 1 + draw.below(70);
  p.n = 1 + draw.below(70);
  const bool by_rows = p.layout == Layout::row_major;
  p.ldc = (by_rows ? p.n : p.m) + draw.below(4);
  p.batch.count = 1 + draw.below(3);
  p.batch.stride_c = p.ldc * (by_rows ? p.m : p.n) + draw.below(9);
  const std::uint64_t replaced = draw.below(3);
  test.replaces_a = replaced != 1;
  test.replaces_b = replaced != 0;
  // The input that C does not replace may be transposed.
  const auto set = [&](bool replaces, Transpose& trans, std::uint64_t& ld, std::uint64_t& stride) {
    trans = !replaces && draw.below(2) == 0 ? Transpose::yes : Transpose::no;
    const std::uint64_t length = by_rows == (trans == Transpose::no) ? p.n : p.m;
    ld = replaces ? p.ldc : length + draw.below(4);
    stride = replaces ? p.batch.stride_c : draw.below(2) * (ld * (p.m + p.n - length) + draw.below(5));
  };
  set(test.replaces_a, p.trans_a, p.lda, p.batch.stride_a);
  set(test.replaces_b, p.trans_b, p.ldb, p.batch.stride_b);
  test.offset = draw.below(5);
  test.elements = test.offset + p.batch.count * 75 * 75 + 64;
  return test;
}

cl::Buffer buffer_of(std::vector<std::byte> bytes) {
  return {shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data()};
}

// Random numbers without NaN, because arithmetic may change the bits of a NaN.
std::vector<std::byte> random_numbers(DataType type, std::uint64_t count, std::uint64_t seed) {
  std::vector<std::byte> bytes(count * size_of(type));
  for (std::uint64_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(verification::random_bits(seed, i) >> 40);
  // The last byte of a little-endian number holds the upper bits of the exponent: use those of numbers near 1.
  for (std::uint64_t i = size_of(type) - 1; i < bytes.size(); i += size_of(type))
    bytes[i] = (bytes[i] & std::byte{0x80}) | std::byte{0x3C};
  return bytes;
}

std::vector<std::byte> read(const cl::CommandQueue& queue, const cl::Buffer& buffer) {
  std::vector<std::byte> bytes(buffer.getInfo<CL_MEM_SIZE>());
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes.size(), bytes.data());
  return bytes;
}

void check_in_place(const InPlaceCase& test) {
  const MatrixAddPlan plan(shared_engine(), test.problem);
  const cl::CommandQueue queue = make_queue();
  const std::vector<std::byte> old_c = random_numbers(test.problem.type, test.elements, 1);
  const cl::Buffer other = buffer_of(random_numbers(test.problem.type, test.elements, 2));
  const std::vector<std::byte> old_other = read(queue, other);
  const cl::Buffer input = buffer_of(old_c), elsewhere = buffer_of(old_c), in_place = buffer_of(old_c);
  const auto sum = [&](const cl::Buffer& replaced, const cl::Buffer& c) {
    const auto ref = [&](bool replaces) { return MatrixRef{replaces ? replaced() : other(), test.offset}; };
    plan.enqueue(queue(), {test.alpha, ref(test.replaces_a), test.beta, ref(test.replaces_b), {c(), test.offset}})
        .wait();
  };
  sum(input, elsewhere);
  sum(in_place, in_place);
  CHECK(read(queue, in_place) == read(queue, elsewhere));
  CHECK(read(queue, input) == old_c);
  CHECK(read(queue, other) == old_other);
  count_cases();
}

// C of 4 x 4 elements with leading dimension 5 that should replace A, with one mistake.
struct RefusedSum {
  const char* what;
  MatrixAddProblem problem{.m = 4, .n = 4, .lda = 5, .ldb = 5, .ldc = 5};
  std::uint64_t offset = 0;  // offset of A
  double alpha = 2;
  bool is_refused = true;
};

std::vector<RefusedSum> refused_sums() {
  std::vector<RefusedSum> sums(1, {"right", {.m = 4, .n = 4, .lda = 5, .ldb = 5, .ldc = 5}, 0, 2, false});
  const auto add = [&](const char* what, const auto& change) {
    RefusedSum sum{what};
    change(sum);
    sums.push_back(sum);
  };
  add("another offset", [](RefusedSum& sum) { sum.offset = 1; });
  add("a row further", [](RefusedSum& sum) { sum.offset = 5; });
  add("between C's rows", [](RefusedSum& sum) {
    sum.problem.n = 2;
    sum.offset = 2;
    sum.is_refused = false;
  });
  add("another leading dimension", [](RefusedSum& sum) { sum.problem.lda = 6; });
  add("another leading dimension of one row", [](RefusedSum& sum) {
    sum.problem.m = 1;
    sum.problem.lda = 6;
    sum.is_refused = false;
  });
  add("transposed", [](RefusedSum& sum) { sum.problem.trans_a = Transpose::yes; });
  add("transposed, but not read", [](RefusedSum& sum) {
    sum.problem.trans_a = Transpose::yes;
    sum.alpha = 0;
    sum.is_refused = false;
  });
  add("one A for all sums", [](RefusedSum& sum) { sum.problem.batch = {2, 0, 0, 20}; });
  add("another stride", [](RefusedSum& sum) { sum.problem.batch = {2, 25, 0, 20}; });
  add("the same stride", [](RefusedSum& sum) {
    sum.problem.batch = {2, 20, 0, 20};
    sum.is_refused = false;
  });
  return sums;
}

}  // namespace

TEST_SUITE("matrix add in place") {
  TEST_CASE("the result has the same bits as out of place, whatever it replaces") {
    const std::uint64_t count = test_level() == TestLevel::full ? 2000 : 12;
    for (const detail::ElementType& type : detail::element_types()) {
      if (detail::is_integer(type.type) || is_complex(type.type)) continue;
      if (!detail::why_unsupported(type.type, shared_engine().profile()).empty()) continue;
      for (std::uint64_t seed = 0; seed < count; ++seed) {
        CAPTURE(seed);
        CAPTURE(to_string(type.type));
        check_in_place(drawn_case(type.type, seed));
      }
    }
    count_kernel_of("matrix add in place");
  }

  TEST_CASE("C must not be a part of A or B, or the same elements in another order") {
    const cl::CommandQueue queue = make_queue();
    const cl::Buffer c(shared_context(), CL_MEM_READ_WRITE, 4096), other(shared_context(), CL_MEM_READ_WRITE, 4096);
    for (const RefusedSum& sum : refused_sums())
      for (const bool is_b : {false, true}) {
        CAPTURE(sum.what);
        CAPTURE(is_b);
        MatrixAddProblem problem = sum.problem;
        MatrixAddOperands operands{sum.alpha, {c(), sum.offset}, 3, {other(), 0}, {c(), 0}};
        if (is_b) {
          std::swap(problem.trans_a, problem.trans_b);
          std::swap(problem.lda, problem.ldb);
          std::swap(problem.batch.stride_a, problem.batch.stride_b);
          std::swap(operands.a, operands.b);
          std::swap(operands.alpha, operands.beta);
        }
        const auto run = [&] { matrix_add(shared_engine(), queue(), problem, operands).wait(); };
        if (!sum.is_refused) {
          CHECK_NOTHROW(run());
        } else {
          const std::string what = expect_error(ErrorCode::overlapping_operands, OperandName::c, run);
          CHECK_MESSAGE(mentions(what, is_b ? "C shares elements with B" : "C shares elements with A"), what);
          CHECK_MESSAGE(mentions(what, "may only replace an input that is not transposed"), what);
        }
        count_cases();
      }
  }

  TEST_CASE("A may be C through a sub-buffer of C's buffer") {
    constexpr std::size_t begin = 4096;
    std::vector<float> values(begin / 4 + 16, 1), result(16);
    const cl::CommandQueue queue = make_queue();
    cl::Buffer whole(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * values.size(), values.data());
    cl_buffer_region region{begin, 64};
    const cl::Buffer part = whole.createSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &region);
    matrix_add(shared_engine(), queue(), {.m = 4, .n = 4},
               {.alpha = 2, .a = {part()}, .beta = 3, .b = {whole()}, .c = {whole(), begin / 4}})
        .wait();
    queue.enqueueReadBuffer(whole, CL_TRUE, begin, 64, result.data());
    CHECK(result == std::vector<float>(16, 5));
    count_cases();
  }
}

}  // namespace tilewright::test
