// The lists of cases' fields: none is forgotten, and every field of a problem follows from those of its case.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "gemm/problem_fields.hpp"
#include "selection/member_count.hpp"
#include "transpose/problem_fields.hpp"
#include "verification/cholesky/cholesky_case.hpp"
#include "verification/gemm/gemm_case.hpp"
#include "verification/gemv/gemv_case.hpp"
#include "verification/level2/level2_case.hpp"
#include "verification/lu/lu_case.hpp"
#include "verification/spmm/spmm_case.hpp"
#include "verification/strassen/strassen_case.hpp"
#include "verification/symm/symm_case.hpp"
#include "verification/transpose/transpose_case.hpp"
#include "verification/triangular/triangular_case.hpp"
#include "verification/trmm/trmm_case.hpp"
#include "verification/vector/vector_case.hpp"

namespace tilewright::verification {
namespace {

template <class Case>
std::size_t listed() {
  CaseText text;
  Case test;
  list_fields(text, test);
  return text.members();
}

// Collects the fields in which two problems differ, by their places.
template <class T>
void collect_differences(const T& left, const T& right, const std::string& name, std::set<std::string>& differences) {
  if constexpr (detail::HasFields<T> && std::is_aggregate_v<T>) {
    int place = 0;
    detail::for_each_field<T>([&](const auto& entry) {
      collect_differences(left.*entry.member, right.*entry.member, name + '.' + std::to_string(place++), differences);
    });
  } else if (!(left == right)) {
    differences.insert(name);
  }
}

// The number of fields of a problem that differ between the first case and any other.
template <class Case>
std::size_t varied_fields(const std::vector<Case>& cases) {
  std::set<std::string> varied;
  for (const Case& test : cases) collect_differences(problem_of(cases.front()), problem_of(test), "problem", varied);
  return varied.size();
}

template <class Problem>
constexpr std::size_t all_fields = detail::values_before<Problem, detail::field_count<Problem>>();

}  // namespace

TEST_SUITE("fields of cases") {
  TEST_CASE("a case's text has all of its fields") {
    using detail::member_count;
    CHECK(listed<GemmCase>() == member_count<GemmCase>() + 1);  // both elements of `shared`
    CHECK(listed<TransposeCase>() == member_count<TransposeCase>());
    CHECK(listed<SpmmCase>() == member_count<SpmmCase>() + 1);  // the problem, and its batch count
    CHECK(listed<VectorCase>() == member_count<VectorCase>());
    CHECK(listed<GemvCase>() == member_count<GemvCase>());
    CHECK(listed<SystemCase>() == member_count<SystemCase>());
    CHECK(listed<TriangularCase>() == member_count<TriangularCase>());
    CHECK(listed<CholeskyCase>() == member_count<CholeskyCase>());
    CHECK(listed<LuCase>() == member_count<LuCase>() - 1);  // one of `matrix` and `factors`
    CHECK(listed<StrassenCase>() == member_count<StrassenCase>());
    CHECK(listed<SymmCase>() == member_count<SymmCase>());
    CHECK(listed<TrmmCase>() == member_count<TrmmCase>());
  }

  TEST_CASE("every field of a problem is varied by a case") {
    const GemmCase gemm{.m = 3, .n = 5, .k = 7};
    std::vector<GemmCase> products(9, gemm);
    products[1].type = DataType::i8;
    products[1].type_c = DataType::u8;
    products[1].epilogue.zero_point = 3;
    products[2].accuracy = Accuracy::tf32;
    products[3].layout = Layout::column_major;
    products[4].trans_a = products[4].trans_b = Transpose::yes;
    products[5].m = products[5].n = products[5].k = 2;
    products[6].offset_alignment = 4;
    products[7].products = 3;
    products[7].epilogue = {.scale = EpilogueVector::per_row, .bias = EpilogueVector::per_row, .residual = true};
    products[8].by_offsets = true;
    products[8].epilogue.activation = Activation::relu;
    const std::size_t unused_strides = 8;  // of vectors, pivots, infos, tau, results and determinants
    CHECK(varied_fields(products) == all_fields<GemmProblem> - unused_strides);

    const TransposeCase transposition{.m = 3, .n = 5};
    std::vector<TransposeCase> transpositions(3, transposition);
    transpositions[1] = {.element = DataType::f64,
                         .layout = Layout::column_major,
                         .trans = Transpose::no,
                         .in_place = true,
                         .m = 2,
                         .n = 2,
                         .offset_alignment = 4};
    transpositions[2].matrices = 3;
    const std::size_t parts_of_element = 1, unused = unused_strides + 2;  // stride_c and by_offsets
    CHECK(varied_fields(transpositions) == all_fields<TransposeProblem> - parts_of_element - unused);
    for (const GemmCase& test : products) CHECK(parse_gemm_case(to_string(test)) == test);
    for (const TransposeCase& test : transpositions) CHECK(parse_transpose_case(to_string(test)) == test);
  }

  TEST_CASE("cases of structured products survive a round trip through their text") {
    const TrmmCase trmm{.type = DataType::c64,
                        .layout = Layout::column_major,
                        .side = Side::right,
                        .uplo = Uplo::upper,
                        .trans = Transpose::conjugate_transpose,
                        .diag = Diag::unit,
                        .m = 3,
                        .n = 5,
                        .alpha = {2, -1},
                        .data = TrmmData::nans,
                        .gaps = {1, 2},
                        .offsets = {3, 4},
                        .count = 2,
                        .shares_a = true,
                        .memory = Memory::exact,
                        .products = {"naive", {}},
                        .seed = 9};
    CHECK(parse_trmm_case(to_string(trmm)) == trmm);
    const SymmCase hemm{.symmetry = Symmetry::hermitian,
                        .type = DataType::c128,
                        .layout = Layout::column_major,
                        .side = Side::right,
                        .uplo = Uplo::upper,
                        .m = 3,
                        .n = 5,
                        .alpha = {2, -1},
                        .beta = {0, 1},
                        .is_whole = true,
                        .gaps = {1, 2, 3},
                        .offsets = {3, 4, 5},
                        .count = 2,
                        .shares_a = true,
                        .memory = Memory::exact,
                        .products = {"naive", {}},
                        .seed = 9};
    CHECK(parse_symm_case(to_string(hemm)) == hemm);
    CHECK_THROWS_AS(parse_trmm_case("type=f32"), std::invalid_argument);
    CHECK_THROWS_AS(parse_symm_case("call=hemv"), std::invalid_argument);
  }

  TEST_CASE("a case without comparison survives a round trip through its text") {
    SpmmCase sparse{.choice = {"row_per_item", {{"wg", 16}}}, .mean = 7, .beta = -2, .gap_b = 1, .shared_values = true};
    sparse.problem = {.type = DataType::f64,
                      .format = SparseFormat::coo,
                      .index_type = IndexType::i64,
                      .index_base = 1,
                      .trans_a = Transpose::yes,
                      .layout_c = Layout::column_major,
                      .m = 3,
                      .n = 4,
                      .k = 5};
    sparse.problem.batch.count = 2;
    const std::string text = to_string(sparse);
    CHECK(text == to_string(parse_spmm_case(text)));
    CHECK(
        text.starts_with("variant=row_per_item config=wg=16 type=f64 format=coo index=i64 base=1 trans=T "
                         "layouts=row,column size=3x4x5 pattern="));
    CHECK(text.find(" batch=2,A ") != std::string::npos);
    const GemvCase product{.call = GemvCall::ger, .incx = -2, .alpha = {1, -2}, .count = 3};
    CHECK(to_string(product) == to_string(parse_gemv_case(to_string(product))));
    const Level2Case update{.call = Level2Call::her2, .uplo = Uplo::upper, .alpha = {1, -2}, .shares_inputs = true};
    CHECK(to_string(update) == to_string(parse_level2_case(to_string(update))));
    const VectorCase vector{.call = VectorCall::dotc, .increments = {-1, 2, 3}, .offsets = {4, 5, 6}, .gap = 7};
    CHECK(to_string(vector) == to_string(parse_vector_case(to_string(vector))));
  }

  TEST_CASE("a malformed field is refused") {
    const auto refuses = [](const std::string& from, const std::string& to) {
      std::string text = to_string(GemmCase{.variant = "naive"});
      text.replace(text.find(from), from.size(), to);
      CHECK_THROWS_AS(parse_gemm_case(text), std::invalid_argument);
    };
    refuses("layout=row", "layout=rows");
    refuses("trans=NN", "trans=N");
    refuses("trans=NN", "trans=NX");
    refuses("gap=0,0,0", "gap=0,0");
    refuses("align=1", "align=x");
    refuses("alpha=1", "alpha=1+2");
    refuses("batch=1", "batch=one");
    refuses("batch=1", "batch=1,ofsets");
    refuses("layout=row", "layout=row epiloge=relu");
  }
}

}  // namespace tilewright::verification
