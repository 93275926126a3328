// Zeros in C structs mean the defaults of C++.
#include <doctest/doctest.h>

#include <cstring>

#include "bindings/c/conversions.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::c {
namespace {

template <class C>
C zeros() {
  C c;
  std::memset(&c, 0, sizeof c);
  c.struct_size = sizeof c;
  return c;
}

template <class Cpp, class C>
void check_default(const Counterparts<Cpp, C>& /*pair*/) {
  INFO(struct_name<C>);
  CHECK(from_c(zeros<C>()) == Cpp{});
}

Form form() { return {}; }

// A struct that has got a member since its first release.
struct Grown {
  std::uint32_t struct_size;
  std::uint32_t reserved1;
  std::uint64_t old;
  std::uint64_t added;
};

}  // namespace

template <>
inline constexpr const char* struct_name<Grown> = "grown";
template <>
inline constexpr std::array<std::size_t, 2> struct_sizes<Grown>{16, sizeof(Grown)};

TEST_SUITE("C structs") {
  TEST_CASE("a struct of an older release ends with zeros, and receives what it has room for") {
    Grown given{.struct_size = 16, .reserved1 = 0, .old = 5, .added = 7};
    CHECK(Input(&given)->old == 5);
    CHECK(Input(&given)->added == 0);
    expect_output(&given);
    write_output(&given, {.struct_size = sizeof(Grown), .reserved1 = 0, .old = 6, .added = 8});
    CHECK(given.old == 6);
    CHECK(given.added == 7);
    CHECK(given.struct_size == 16);
    for (const std::uint32_t size : {0U, 8U, 12U, 17U, 20U, 28U, max_struct_size + 8}) {
      given.struct_size = size;
      CHECK_THROWS_AS(Input{&given}, Failure);
      CHECK_THROWS_AS(expect_output(&given), Failure);
    }
  }

  TEST_CASE("scalars of operations on real matrices are one number with every type") {
    CHECK_FALSE(form_of(MatrixAddProblem{.type = DataType::c64}).is_complex);
    CHECK_FALSE(form_of(StrassenProblem{.product = {.type = DataType::c64}}).is_complex);
    CHECK(form_of(GemmProblem{.type = DataType::c64}).is_complex);
  }

  TEST_CASE("a problem of zeros is the default problem of C++") {
    std::apply([](const auto&... pairs) { (check_default(pairs), ...); }, Problems{});
    CHECK(std::tuple_size_v<Problems> > 25);
  }

  TEST_CASE("scalars are 1 and 0 unless they are given, and complex ones have two parts") {
    Form real = form(), complex = form();
    complex.is_complex = true;
    auto c = zeros<tilewright_gemm_operands>();
    CHECK(from_c(c, real).alpha == Scalar(1));
    CHECK(from_c(c, real).beta == Scalar(0));
    const double numbers[2] = {2, 3};
    c.alpha = c.beta = numbers;
    CHECK(from_c(c, real).alpha == Scalar(2));
    CHECK(from_c(c, complex).alpha == Scalar(2, 3));
    CHECK(from_c(c, complex).beta == Scalar(2, 3));
  }

  TEST_CASE("every constant is converted to its value and back") {
    for (const Transpose value : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
      CHECK(from_c(to_c(value), Transpose::no) == value);
    for (const DataType value : {DataType::f32, DataType::f64, DataType::f16, DataType::bf16, DataType::i8,
                                 DataType::u8, DataType::i32, DataType::c64, DataType::c128})
      CHECK(from_c(to_c(value), DataType::f32) == value);
    CHECK(from_c(121, Uplo::lower) == Uplo::upper);
    CHECK(from_c(142, Side::left) == Side::right);
    CHECK(from_c(132, Diag::non_unit) == Diag::unit);
    CHECK(from_c(102, Layout::row_major) == Layout::column_major);
    CHECK_THROWS_AS(from_c(103, Layout::row_major), Failure);
    CHECK_THROWS_AS(from_c(-1, Layout::row_major), Failure);
  }

  TEST_CASE("the largest number means 0 where 0 means a default") {
    auto batch = zeros<tilewright_batch>();
    batch.count = TILEWRIGHT_ZERO;
    CHECK(from_c(batch).count == 0);
    auto strassen = zeros<tilewright_strassen_problem>();
    CHECK_FALSE(from_c(strassen).levels);
    strassen.levels = TILEWRIGHT_ZERO_32;
    CHECK(from_c(strassen).levels == 0U);
    strassen.max_workspace_bytes = UINT64_MAX;
    CHECK(from_c(strassen).max_workspace_bytes == UINT64_MAX);
    auto group = zeros<tilewright_device_group_options>();
    CHECK(from_c(group).copy_threads == 1);
    group.copy_threads = TILEWRIGHT_ZERO_32;
    CHECK(from_c(group).copy_threads == 0);
  }
}

}  // namespace tilewright::c
