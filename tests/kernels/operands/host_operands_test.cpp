// Operands in host memory: exactly those that share elements are refused, by brute force over every pair.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "out_of_core/worker_base.hpp"
#include "support/draws.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

GemmProblem drawn_problem(Draws& draws) {
  const auto trans = [&] { return draws.one_in(2) ? Transpose::no : Transpose::yes; };
  GemmProblem p{.type = draws.one_in(2) ? DataType::f32 : DataType::f64,
                .layout = draws.one_in(2) ? Layout::row_major : Layout::column_major,
                .trans_a = trans(),
                .trans_b = trans(),
                .m = 1 + draws.below(4),
                .n = 1 + draws.below(4),
                .k = draws.below(5)};
  const bool is_shared = draws.one_in(2);  // like blocks of one matrix
  const std::uint64_t ld = 4 + draws.below(9);
  for (std::uint64_t* const each : {&p.lda, &p.ldb, &p.ldc}) *each = is_shared ? ld : 4 + draws.below(9);
  return p;
}

using Bytes = std::set<std::uintptr_t>;

// All bytes of a matrix of rows x columns in the caller's layout.
Bytes bytes_of(const void* data, const GemmProblem& p, Transpose trans, std::uint64_t rows, std::uint64_t columns,
               std::uint64_t ld) {
  if ((p.layout == Layout::row_major) != (trans == Transpose::no)) std::swap(rows, columns);
  Bytes bytes;
  const std::size_t element = size_of(p.type);
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < columns * element; ++j)
      bytes.insert(reinterpret_cast<std::uintptr_t>(data) + i * ld * element + j);
  return bytes;
}

bool meet(const Bytes& one, const Bytes& other) {
  for (const std::uintptr_t byte : one)
    if (other.contains(byte)) return true;
  return false;
}

// The operand that must be refused, in the order of the checks.
std::optional<OperandName> refused_operand(const GemmProblem& p, const HostOperands& o) {
  const Bytes c = bytes_of(o.c, p, Transpose::no, p.m, p.n, p.ldc);
  if (p.k > 0 && o.alpha != 0) {
    if (meet(c, bytes_of(o.a, p, p.trans_a, p.m, p.k, p.lda))) return OperandName::a;
    if (meet(c, bytes_of(o.b, p, p.trans_b, p.k, p.n, p.ldb))) return OperandName::b;
  }
  if (o.beta != 0 && o.c_in != nullptr && o.c_in != o.c && meet(c, bytes_of(o.c_in, p, Transpose::no, p.m, p.n, p.ldc)))
    return OperandName::c;
  return {};
}

}  // namespace

TEST_SUITE("out of core operands") {
  TEST_CASE("every pair of operands, by brute force") {
    alignas(8) static const char memory[512] = {};  // addresses only: nothing is read
    unsigned refused = 0, accepted = 0, interleaved = 0;
    for (unsigned seed = 0; seed < 6000; ++seed) {
      CAPTURE(seed);
      Draws draws(seed);
      const GemmProblem p = drawn_problem(draws);
      const auto place = [&] { return memory + draws.below(60) * size_of(p.type); };
      HostOperands o{.alpha = draws.one_in(8) ? 0.0 : 2.0,
                     .a = place(),
                     .b = place(),
                     .beta = draws.one_in(4) ? 0.0 : 3.0,
                     .c = const_cast<char*>(place())};
      if (draws.one_in(2)) o.c_in = draws.one_in(4) ? o.c : place();
      const std::optional<OperandName> wanted = refused_operand(p, o);
      const auto check = [&] { detail::checked_operands(detail::tile_form(p), o); };
      if (wanted) {
        ++refused;
        expect_error(ErrorCode::overlapping_operands, *wanted, check);
        continue;
      }
      CHECK_NOTHROW(check());
      ++accepted;
      const auto between = [](const Bytes& inner, const Bytes& outer) {
        return !inner.empty() && *inner.begin() < *outer.rbegin() && *outer.begin() < *inner.rbegin();
      };
      interleaved += p.k > 0 && between(bytes_of(o.a, p, p.trans_a, p.m, p.k, p.lda),
                                        bytes_of(o.c, p, Transpose::no, p.m, p.n, p.ldc));
    }
    CHECK(refused > 1000);
    CHECK(accepted > 1000);
    CHECK(interleaved > 200);
  }

  TEST_CASE("a failed wait is a failure of the worker, and keeps whether a part was enqueued") {
    using detail::PartlyEnqueued;
    const auto fail = [](const auto& error) { detail::with_own_waits([&]() -> int { throw error; }); };
    expect_error(ErrorCode::opencl_failure, [&] { fail(Error(ErrorCode::failed_wait, "an event has failed")); });
    expect_error(ErrorCode::out_of_memory, [&] { fail(Error(ErrorCode::out_of_memory, "no memory left")); });
    expect_error(ErrorCode::opencl_failure,
                 [&] { fail(PartlyEnqueued(ErrorCode::failed_wait, "an event has failed")); });
    CHECK_THROWS_AS(fail(PartlyEnqueued(ErrorCode::failed_wait, "an event has failed")), PartlyEnqueued);
    CHECK_THROWS_AS(fail(PartlyEnqueued(ErrorCode::out_of_memory, "no memory left")), PartlyEnqueued);
    CHECK(detail::with_own_waits([] { return 3; }) == 3);
  }

  TEST_CASE("null pointers and addresses between elements") {
    alignas(8) char memory[4096];
    const GemmProblem p{.type = DataType::f64, .m = 3, .n = 3, .k = 3};
    const HostOperands right{.a = memory, .b = memory + 1024, .beta = 1, .c = memory + 2048, .c_in = memory + 3072};
    const auto checked = [&](const HostOperands& o) { detail::checked_operands(detail::tile_form(p), o); };
    CHECK_NOTHROW(checked(right));
    const auto refused = [&](ErrorCode code, OperandName operand, const auto& spoil) {
      HostOperands o = right;
      spoil(o);
      expect_error(code, operand, [&] { checked(o); });
    };
    using enum ErrorCode;
    refused(null_object, OperandName::a, [](HostOperands& o) { o.a = nullptr; });
    refused(null_object, OperandName::b, [](HostOperands& o) { o.b = nullptr; });
    refused(null_object, OperandName::c, [](HostOperands& o) { o.c = nullptr; });
    refused(invalid_offset, OperandName::a, [&](HostOperands& o) { o.a = memory + 4; });
    refused(invalid_offset, OperandName::b, [&](HostOperands& o) { o.b = memory + 1025; });
    refused(invalid_offset, OperandName::c, [&](HostOperands& o) { o.c = memory + 2052; });
    refused(invalid_offset, OperandName::c, [&](HostOperands& o) { o.c_in = memory + 3076; });
  }
}

}  // namespace tilewright::test
