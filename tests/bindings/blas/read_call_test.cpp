#include "bindings/blas/read_call.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tilewright::blas {
namespace {

constexpr Argument gemm_arguments[]{Argument::trans_a, Argument::trans_b, Argument::m,   Argument::n, Argument::k,
                                    Argument::alpha,   Argument::a,       Argument::lda, Argument::b, Argument::ldb,
                                    Argument::beta,    Argument::c,       Argument::ldc};
constexpr Argument syrk_arguments[]{Argument::uplo, Argument::trans_a};

std::optional<Call> gemm_call(DataType type, const char* trans_a, int m, int n, int k, const void* alpha, int lda) {
  Face face{"dgemm_", "", Routine::gemm, type, Language::fortran, false, gemm_arguments};
  static double matrix[1] = {};
  const int ld = 100;
  const void* const values[]{trans_a, "N", &m, &n, &k, alpha, matrix, &lda, matrix, &ld, alpha, matrix, &ld};
  return read_call(face, values);
}

bool takes_trans(Routine routine, DataType type, const char* trans) {
  Face face{"", "", routine, type, Language::fortran, false, syrk_arguments};
  const void* const values[]{"U", trans};
  return read_call(face, values).has_value();
}

}  // namespace

TEST_SUITE("BLAS arguments") {
  TEST_CASE("Fortran's letters, sizes and scalars") {
    const double alpha = 2.5;
    const std::optional<Call> call = gemm_call(DataType::f64, "t", 3, 4, 5, &alpha, 7);
    REQUIRE(call);
    CHECK(call->trans_a == Transpose::yes);
    CHECK(call->trans_b == Transpose::no);
    CHECK(call->m == 3);
    CHECK(call->k == 5);
    CHECK(call->alpha == Scalar(2.5));
    CHECK(call->layout == Layout::column_major);
    CHECK(is_regular(*call));
    CHECK(flops_of(*call) == 120);
    const float pair[]{1, -2};
    CHECK(gemm_call(DataType::c64, "c", 3, 4, 5, pair, 7)->alpha == Scalar(1, -2));
    CHECK(flops_of(*gemm_call(DataType::c64, "c", 3, 4, 5, pair, 7)) == 480);
  }

  TEST_CASE("what is not permitted, and what is nothing to compute, is not regular") {
    const double one = 1, zero = 0;
    CHECK(!gemm_call(DataType::f64, "x", 3, 4, 5, &one, 7));
    CHECK(!gemm_call(DataType::f64, "n", -3, 4, 5, &one, 7));
    CHECK(!is_regular(*gemm_call(DataType::f64, "n", 0, 4, 5, &one, 7)));
    CHECK(!is_regular(*gemm_call(DataType::f64, "n", 3, 4, 0, &one, 7)));
    CHECK(!is_regular(*gemm_call(DataType::f64, "n", 3, 4, 5, &zero, 7)));
    CHECK(!is_regular(*gemm_call(DataType::f64, "n", 8, 4, 5, &one, 7)));  // lda
    CHECK(is_regular(*gemm_call(DataType::f64, "t", 8, 4, 7, &one, 7)));
  }

  TEST_CASE("sizes are widened before they are multiplied") {
    const double one = 1;
    constexpr int largest = std::numeric_limits<int>::max();
    CHECK(flops_of(*gemm_call(DataType::f64, "n", largest, largest, largest, &one, largest)) > 1e28);
    CHECK(matrices_of(*gemm_call(DataType::f64, "n", 50000, 4, 60000, &one, largest))[0].ld == largest);
  }

  TEST_CASE("the leading dimension of a single line may be as large as an integer can be") {
    const Face face{"dgemm_64_", "", Routine::gemm, DataType::f64, Language::fortran, true, gemm_arguments};
    const std::int64_t m = 3, one_column = 1, k = 5, ld = std::numeric_limits<std::int64_t>::max(), too_small = 2;
    const double alpha = 1, matrix[1] = {};
    const void* values[]{"N", "N", &m, &one_column, &k, &alpha, matrix, &m, matrix, &ld, &alpha, matrix, &ld};
    const std::optional<Call> call = read_call(face, values);
    REQUIRE(call);
    CHECK(call->lda == 3);
    CHECK(call->ldb == 5);
    CHECK(call->ldc == 3);
    CHECK(is_regular(*call));
    values[12] = &too_small;
    CHECK(!is_regular(*read_call(face, values)));
  }

  TEST_CASE("the first argument that is not permitted is found, leading dimensions last") {
    const auto wrong = [](const char* trans_a, int m, int k, int lda, int ldb, int ldc) {
      const Face face{"dgemm_", "", Routine::gemm, DataType::f64, Language::fortran, false, gemm_arguments};
      const int n = 4;
      const double one = 1;
      double matrix[1] = {};
      const void* const values[]{trans_a, "N", &m, &n, &k, &one, matrix, &lda, matrix, &ldb, &one, matrix, &ldc};
      return wrong_argument(face, values);
    };
    CHECK(wrong("N", 3, 5, 3, 5, 3) == 0);
    CHECK(wrong("X", -1, 5, 0, 5, 3) == 1);
    CHECK(wrong("N", -1, -1, 0, 5, 3) == 3);
    CHECK(wrong("N", 3, -1, 3, 5, 3) == 5);
    CHECK(wrong("N", 3, 5, 2, -1, 3) == 8);
    CHECK(wrong("N", 3, 5, 3, -1, 3) == 10);
    CHECK(wrong("T", 3, 5, 3, 5, 3) == 8);
    CHECK(wrong("N", 0, 5, 0, 5, 1) == 8);  // at least 1
    CHECK(wrong("N", 3, 5, 3, 5, 0) == 13);
  }

  TEST_CASE("the workspace and the reflectors of QR are checked as LAPACK does") {
    const auto read_gels = [](int m, int n, int nrhs, int lwork) {
      constexpr Argument arguments[]{Argument::trans_a, Argument::m,     Argument::n,   Argument::nrhs,
                                     Argument::a,       Argument::lda,   Argument::b,   Argument::ldb,
                                     Argument::work,    Argument::lwork, Argument::info};
      const Face face{"dgels_", "", Routine::gels, DataType::f64, Language::fortran, false, arguments};
      static double matrix[1] = {};
      const int ld = 100;
      int info = 0;
      const void* const values[]{"N", &m, &n, &nrhs, matrix, &ld, matrix, &ld, matrix, &lwork, &info};
      CHECK(wrong_argument(face, values) == (lwork == -1 || lwork >= n + std::max(n, nrhs) || m < n ? 0U : 10U));
      return *read_call(face, values);
    };
    CHECK(is_regular(read_gels(30, 20, 5, 40)));
    CHECK(!is_regular(read_gels(30, 20, 5, 39)));
    CHECK(!is_regular(read_gels(30, 20, 25, 40)));
    CHECK(is_query(read_gels(30, 20, 5, -1)));
    CHECK(!is_regular(read_gels(30, 20, 5, -1)));
    CHECK(!is_regular(read_gels(20, 30, 5, 100)));  // LAPACK returns an LQ factorisation
    CHECK(flops_of(read_gels(30, 20, 5, 40)) == 2.0 * 400 * (30 - 20 / 3.0) + 2 * 5 * 20 * 40 + 400 * 5);

    constexpr Argument reflectors[]{Argument::side, Argument::trans_a, Argument::m, Argument::n, Argument::k};
    const auto wrong_reflectors = [&](const char* side, int k) {
      const Face face{"dormqr_", "", Routine::ormqr, DataType::f64, Language::fortran, false, reflectors};
      const int m = 7, n = 9;
      const void* const values[]{side, "N", &m, &n, &k};
      return wrong_argument(face, values);
    };
    CHECK(wrong_reflectors("L", 8) == 5);
    CHECK(wrong_reflectors("R", 10) == 5);
  }

  TEST_CASE("the size of a workspace is rounded up") {
    float work[3] = {7, 7, 7};
    Call call{.routine = Routine::geqrf, .type = DataType::c64, .n = 5, .work = work, .lwork = (1 << 24) + 1};
    set_work_size(call);
    CHECK(work[0] == float{(1 << 24) + 2});
    CHECK(work[1] == 0);
    CHECK(work[2] == 7);
    double wide[3] = {7, 7, 7};
    call.type = DataType::c128;
    call.work = wide;
    set_work_size(call);
    CHECK(wide[0] == (1 << 24) + 1);
    CHECK(wide[1] == 0);
    CHECK(wide[2] == 7);
    wide[1] = 7;
    call.type = DataType::f64;
    set_work_size(call);
    CHECK(wide[1] == 7);  // a real workspace may have one element
  }

  TEST_CASE("least squares of 0 have the solution 0") {
    double a[8] = {0, -0.0, 9, 0, 0, 9, 9, 9}, b[8] = {1, 2, 3, 4, 5, 6, 7, 8}, work[1] = {};
    int info = 1;
    Call call{.routine = Routine::gels,
              .type = DataType::f64,
              .m = 2,
              .n = 2,
              .nrhs = 2,
              .lda = 3,
              .ldb = 4,
              .a = a,
              .b = b,
              .info = &info,
              .work = work,
              .lwork = 4};
    CHECK(is_zero_system(call));
    store_zero_solution(call);
    const double expected[8] = {0, 0, 3, 4, 0, 0, 7, 8};
    CHECK(std::equal(b, b + 8, expected));
    CHECK(info == 0);
    CHECK(work[0] == 4);
    for (const double element : {1.0, 1e-320, std::numeric_limits<double>::quiet_NaN()}) {
      a[4] = element;
      CHECK(!is_zero_system(call));
    }
    call.n = 1;
    CHECK(is_zero_system(call));
    call.type = DataType::c128;  // with the imaginary part of the second row
    call.lda = 4;
    CHECK(!is_zero_system(call));
    call.routine = Routine::geqrf;
    CHECK(!is_zero_system(call));
  }

  TEST_CASE("rank-k updates of complex matrices permit one transpose") {
    CHECK(takes_trans(Routine::syrk, DataType::c64, "T"));
    CHECK(!takes_trans(Routine::syrk, DataType::c64, "C"));
    CHECK(!takes_trans(Routine::syr2k, DataType::c128, "c"));
    CHECK(takes_trans(Routine::syrk, DataType::f64, "C"));
    CHECK(takes_trans(Routine::herk, DataType::c64, "C"));
    CHECK(!takes_trans(Routine::her2k, DataType::c64, "T"));
    CHECK(takes_trans(Routine::ormqr, DataType::f32, "t"));
    CHECK(!takes_trans(Routine::ormqr, DataType::f64, "C"));
    CHECK(takes_trans(Routine::gels, DataType::c64, "C"));
    CHECK(!takes_trans(Routine::gels, DataType::c128, "T"));
  }
}

}  // namespace tilewright::blas
