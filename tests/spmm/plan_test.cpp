// Plans and calls of spmm: accessors, errors, and special cases of the contract.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "verification/spmm/device_sparse.hpp"
#include "verification/spmm/spmm_case.hpp"

namespace tilewright::test {
namespace {

using verification::DeviceSparse;
using verification::HostSparse;

// A is 3 x 4 in csr, with an empty row and a position that is stored twice. B is 4 x 2, and C is 3 x 2.
//   5 . 6 .
//   . . . .
//   . 7 . 8+9
struct Small {
  HostSparse csr{.offsets = {0, 2, 2, 5}, .rows = {}, .columns = {0, 2, 1, 3, 3}};
  SpmmProblem problem{.m = 3, .n = 2, .k = 4, .nonzeros = 5};
  cl::CommandQueue queue = make_queue();
  std::vector<float> values{5, 6, 7, 8, 9}, b{1, 2, 3, 4, 5, 6, 7, 8}, c{-1, -1, -1, -1, -1, -1};

  cl::Buffer buffer(std::vector<float>& from) const {
    return {shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, from.size() * sizeof(float), from.data()};
  }
  SpmmPlan plan(StructureCheck check = StructureCheck::valid, const Choice& choice = {}) const {
    const DeviceSparse device(shared_context(), csr, problem.index_type, problem.index_base);
    SparseStructure structure = device.structure();
    structure.check = check;
    return {shared_engine(), problem, structure, choice};
  }
  std::vector<float> run(double alpha, double beta, const Choice& choice = {}) {
    const cl::Buffer a_buffer = buffer(values), b_buffer = buffer(b), c_buffer = buffer(c);
    const SpmmPlan made = plan(StructureCheck::valid, choice);
    made.enqueue(queue(), {.alpha = alpha, .values = {a_buffer()}, .b = {b_buffer()}, .beta = beta, .c = {c_buffer()}})
        .wait();
    count_cases();
    count_kernel_of("spmm plan " + made.explanation().variant);
    std::vector<float> result(c.size());
    queue.enqueueReadBuffer(c_buffer, CL_TRUE, 0, result.size() * sizeof(float), result.data());
    return result;
  }
  std::string refused(StructureCheck check) const {
    return expect_error(ErrorCode::invalid_structure, OperandName::a, [&] { plan(check); });
  }
};

}  // namespace

TEST_SUITE("spmm plan") {
  TEST_CASE("a small product by hand, and the accessors of a plan") {
    Small small;
    CHECK(small.run(1, 0) == std::vector<float>{35, 46, 0, 0, 140, 164});
    CHECK(small.run(2, 1) == std::vector<float>{69, 91, -1, -1, 279, 327});
    const SpmmPlan plan = small.plan();
    CHECK(plan.problem() == small.problem);
    CHECK(plan.statistics().longest == 3);
    CHECK(plan.statistics().empty_rows == 1);
    CHECK(plan.statistics().columns == 4);
    const Explanation explained = explain_spmm(shared_engine().profile(), small.problem, plan.statistics());
    CHECK(plan.explanation().variant == explained.variant);
    CHECK(plan.explanation().configuration == explained.configuration);
    CHECK(plan.explanation().reason == explained.reason);
    CHECK(plan.explanation().problem == "spmm f32 3x2x4 with 5 nonzeros");
    for (const Candidate& candidate : explained.candidates)
      CHECK(candidate.supported ==
            spmm_support(shared_engine().profile(), candidate.variant, small.problem, plan.statistics()).supported);
    expect_error(ErrorCode::unknown_variant,
                 [&] { return spmm_support(shared_engine().profile(), "no", small.problem, plan.statistics()); });
    CHECK(plan.structure_bytes() >= 9 * 4);
  }

  TEST_CASE("NaN and infinity pass through stored elements, also zeros, and through nothing else") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const VariantInfo& variant : spmm_variants()) {
      CAPTURE(variant.name);
      Small small;
      small.values[1] = 0;  // A(0, 2)
      small.b[4] = nan;     // B(2, 0)
      small.b[7] = infinity;
      small.c[0] = small.c[3] = nan;
      const auto result = small.run(1, 0, {variant.name, {}});
      CHECK(std::isnan(result[0]));
      CHECK(result[1] == 10);
      CHECK(result[2] == 0);
      CHECK(result[3] == 0);
      CHECK(result[5] == infinity);
    }
  }

  TEST_CASE("invalid structures are errors that name the position") {
    const auto refused = [](const char* place, const auto& spoil, StructureCheck check = StructureCheck::valid) {
      Small small;
      spoil(small);
      const std::string message = small.refused(check);
      CHECK_MESSAGE(mentions(message, place), message);
    };
    constexpr std::uint64_t minus_one = ~std::uint64_t{0};
    refused("row 0", [](Small& s) { s.csr.offsets[0] = 1; });
    refused("row 1", [](Small& s) { s.csr.offsets[2] = 1; });
    refused("row 1", [](Small& s) { s.csr.offsets[2] = 6; });
    refused("last offset", [](Small& s) { s.csr.offsets[3] = 4; });
    refused("position 2 (row 2)", [](Small& s) { s.csr.columns[2] = 4; });
    refused("position 0 (row 0)", [](Small& s) { s.csr.columns[0] = minus_one; });
    refused("row 0", [](Small& s) { s.csr.offsets[0] = minus_one; });
    refused("index_base", [](Small& s) { s.problem.index_base = 2; });
    refused(
        "position 4 (row 2)", [](Small&) {}, StructureCheck::canonical);
    const auto as_places = [](Small& s) {
      s.problem.format = SparseFormat::coo;
      s.csr.rows = {0, 0, 2, 2, 2};
    };
    refused("position 3", [&](Small& s) { as_places(s), s.csr.rows[3] = 3; });
    refused("position 1", [&](Small& s) { as_places(s), s.csr.columns[1] = 4; });
    refused("position 4", as_places, StructureCheck::canonical);
    refused("column 1", [](Small& s) {
      s.problem.format = SparseFormat::csc;
      s.csr = {.offsets = {0, 1, 2, 3, 6}, .rows = {0, 2, 0, 2, 2}, .columns = {}};
      s.csr.offsets[2] = 0;
    });
  }

  TEST_CASE("invalid problems and operands are errors that name the operand") {
    const auto refused = [](ErrorCode code, OperandName operand, const auto& spoil) {
      Small small;
      spoil(small);
      expect_error(code, operand, [&] { small.plan(); });
    };
    refused(ErrorCode::unsupported_type, OperandName::none, [](Small& s) { s.problem.type = DataType::f16; });
    refused(ErrorCode::invalid_leading_dimension, OperandName::b, [](Small& s) { s.problem.ldb = 1; });
    refused(ErrorCode::invalid_leading_dimension, OperandName::c, [](Small& s) { s.problem.ldc = 1; });
    refused(ErrorCode::size_overflow, OperandName::a, [](Small& s) { s.problem.m = std::uint64_t{1} << 31; });
    refused(ErrorCode::size_overflow, OperandName::b, [](Small& s) { s.problem.n = std::uint64_t{1} << 61; });
    refused(ErrorCode::overlapping_operands, OperandName::c, [](Small& s) { s.problem.batch = {2, 5, 8, 5}; });
    refused(ErrorCode::buffer_too_small, OperandName::a, [](Small& s) { s.csr.columns.pop_back(); });
    expect_error(ErrorCode::unknown_variant, [] { Small().plan(StructureCheck::valid, {"no", {}}); });
    expect_error(ErrorCode::null_object, OperandName::a, [] { SpmmPlan(shared_engine(), Small().problem, {}); });

    Small small;
    const SpmmPlan plan = small.plan();
    const cl::Buffer a = small.buffer(small.values), b = small.buffer(small.b), c = small.buffer(small.c);
    const auto call = [&](const SpmmOperands& operands) { plan.enqueue(small.queue(), operands).wait(); };
    expect_error(ErrorCode::null_object, OperandName::a, [&] { call({.b = {b()}, .c = {c()}}); });
    expect_error(ErrorCode::null_object, OperandName::b, [&] { call({.values = {a()}, .c = {c()}}); });
    expect_error(ErrorCode::null_object, OperandName::c, [&] { call({.values = {a()}, .b = {b()}}); });
    expect_error(ErrorCode::buffer_too_small, OperandName::a, [&] {
      call({.values = {a(), 1}, .b = {b()}, .c = {c()}});
    });
    expect_error(ErrorCode::overlapping_operands, OperandName::c,
                 [&] { call({.values = {a()}, .b = {b()}, .c = {b()}}); });
    CHECK_NOTHROW(call({.alpha = 0, .beta = 2, .c = {c()}}));
  }

  TEST_CASE("empty products do nothing, and products without elements scale C") {
    Small small;
    for (SpmmProblem problem : {SpmmProblem{.m = 0, .n = 2, .k = 4}, SpmmProblem{.m = 3, .n = 0, .k = 4}})
      CHECK_NOTHROW(SpmmPlan(shared_engine(), problem, {}).enqueue(small.queue(), {}).wait());
    small.csr = {.offsets = {0, 0, 0, 0}, .rows = {}, .columns = {}};
    small.problem.nonzeros = 0;
    CHECK(small.run(1, 3) == std::vector<float>(6, -3));
    small.problem.k = 0;
    small.c[1] = std::numeric_limits<float>::quiet_NaN();
    CHECK(small.run(1, 0) == std::vector<float>(6, 0));
  }

  TEST_CASE("a plan works with new values, and without the caller's structure") {
    Small small;
    const SpmmPlan plan = small.plan(StructureCheck::none);
    for (int turn = 0; turn < 2; ++turn) {
      const cl::Buffer a = small.buffer(small.values), b = small.buffer(small.b), c = small.buffer(small.c);
      plan.enqueue(small.queue(), {.values = {a()}, .b = {b()}, .c = {c()}}).wait();
      std::vector<float> result(6);
      small.queue.enqueueReadBuffer(c, CL_TRUE, 0, 24, result.data());
      CHECK(result[0] == small.values[0] + 5 * small.values[1]);
      small.values[0] = 50;
    }
  }
}

}  // namespace tilewright::test
