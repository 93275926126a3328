// Typical mistakes in kernels are found on every device, including PoCL, and are reported in helpful words.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/environment.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tools/temporary_directory.hpp"
#include "verification/check/isolated_check.hpp"
#include "verification/check/worker_process.hpp"
#include "verification/common/guarded_pages.hpp"

namespace tilewright::test {
namespace {

// Changes one place of a kernel, `file` below cl/, in a copy of cl/, and checks a variant, or parts of its check.
verification::CheckReport check_with(const std::string& operation, const std::string& variant, const std::string& file,
                                     const std::string& from, const std::string& to,
                                     const std::vector<std::string>& parts = {}) {
  const TemporaryDirectory directory;
  const std::string kernels = directory.file("cl");
  std::filesystem::copy(TILEWRIGHT_TEST_KERNELS, kernels, std::filesystem::copy_options::recursive);
  const std::string path = kernels + '/' + file;
  std::ifstream input(path);
  std::string text{std::istreambuf_iterator<char>(input), {}};
  REQUIRE_MESSAGE(text.find(from) != std::string::npos, from);
  text.replace(text.find(from), from.size(), to);
  std::ofstream(path) << text;

  const ScopedEnvironment variable("TILEWRIGHT_KERNEL_DIR", kernels);
  // A sanitizer would turn the signal into an exit.
  const ScopedEnvironment for_asan("ASAN_OPTIONS", "handle_segv=0");
  const ScopedEnvironment for_tsan("TSAN_OPTIONS", "handle_segv=0");
  verification::CheckRequest request{.operation = operation, .variant = variant, .parts = parts};
  request.breadth = verification::Breadth::quick;
  if (device_under_test().profile.vendor == Vendor::oclgrind)
    request.oclgrind = environment("OCL_ICD_VENDORS");
  else
    request.device = device_under_test().index();
  auto report = run_check({verification::path_of_this_program(), "--check-worker"}, request);
  for (const auto& part : report.parts) count_kernels(part.kernels);
  return report;
}

verification::CheckReport check_with(const std::string& variant, const std::string& from, const std::string& to) {
  return check_with("gemm", variant, "gemm/" + variant + ".cl", from, to);
}

// Checks that changes of kernels are found. Each change compiles kernels of its own, so the quick level plants a third
// of those of a test case.
struct DailyFaults {
  // `wrong` describes the change, which is found in a part.
  void check_found(const std::string& operation, const std::string& variant, const std::string& file,
                   const std::string& from, const std::string& to, const std::string& part, const std::string& wrong) {
    if (!share.selects_next()) return;
    CAPTURE(file);
    CAPTURE(to);
    const auto report = check_with(operation, variant, file, from, to, {part});
    CHECK_MESSAGE(mentions(report.wrong, wrong), report.wrong);
    const bool has_variants = operation == "gemm" || operation == "transpose" || operation == "spmm";
    const bool has_call = operation != "strassen" && operation != "trmm";
    CHECK(mentions(report.failed, has_variants ? "variant=" + variant : has_call ? "call=" + variant : "size="));
  }

  DailyShare share{3};
};

bool has_cpu_kernels() { return device_under_test().profile.type == DeviceType::cpu; }

}  // namespace

TEST_SUITE("planted faults") {
  TEST_CASE("an out-of-bounds read that does not affect the result") {
    if (!verification::uses_host_memory_in_place(device_under_test().profile))
      return count_skip("reads past an edge", "kernels do not use host memory where it is");
    for (const char* const element : {"A_AT(i, k)", "B_AT(k, j)"}) {
      const auto report = check_with("naive", "accum_t sum = 0;",
                                     std::string("accum_t sum = 0;\n  if (") + element + " > (accum_t)1e30) sum = 1;");
      CHECK(mentions(report.wrong, "signal 11"));
      CHECK(mentions(report.wrong, "past an edge"));
      CHECK(mentions(report.failed, "variant=naive"));
    }
  }

  TEST_CASE("a store without an edge check") {
    const auto report = check_with("naive", "if (i >= m || j >= n) return;", "");
    CHECK_FALSE(report.wrong.empty());
    CHECK(mentions(report.failed, "variant=naive"));
  }

  TEST_CASE("an epilogue of the wrong element") {
    const auto report = check_with("naive", "EPILOGUE_AT(i, j)", "EPILOGUE_AT(i, 0)");
    CHECK(mentions(report.failed, "epilogue="));
  }

  TEST_CASE("more local memory than the host file declares") {
    const auto report = check_with("local_tile", "b_tile[TILE_K * TILE_N];", "b_tile[TILE_K * TILE_N + 300];");
    if (report.wrong.empty()) return count_skip("local memory", "the driver does not tell what a kernel takes");
    CHECK(mentions(report.wrong, "local_bytes() is"));
  }

  TEST_CASE("a rule that the kernel does not enforce") {
    const auto report = check_with("register_strip", "#if TILE_M % STRIP != 0", "#if 0");
    CHECK(mentions(report.wrong, "breaks the constraint 'tile_m is a multiple of strip'"));
    CHECK(mentions(report.wrong, "add an #error to gemm/register_strip.cl"));
    CHECK(mentions(report.failed, "rules variant=register_strip"));
  }

  TEST_CASE("a rule that is missing from the host file") {
    const auto report = check_with("register_strip", "#if TILE_M % STRIP != 0", "#if TILE_M % STRIP != 0 || PAD == 2");
    CHECK(mentions(report.wrong, "pad=2"));
    CHECK(mentions(report.wrong, "gemm/register_strip.cl:"));
    CHECK(mentions(report.wrong, "add the missing constraint"));
  }

  TEST_CASE("a parameter that the kernel does not use") {
    const auto report = check_with("register_strip", "(TILE_M + PAD)", "TILE_M");
    CHECK(mentions(report.wrong, "gemm/register_strip.cl or its shared files uses the macro PAD"));
  }

  TEST_CASE_FIXTURE(DailyFaults, "faults of operations on a triangle and vectors") {
    // Elements of the block on the diagonal are counted twice.
    if (has_cpu_kernels())
      check_found("level2", "symv", "level2/product_rows.cl", "UPPER ? i + rows : 0", "UPPER ? i + 1 : 0", "f32", "y(");
    // The diagonal is read although it counts as ones; it is NaN.
    check_found("level2", "trmv", "level2/product.cl", "#if UNIT\n", "#if 0\n", "f32", "x(");
    check_found("level2", "her", "level2/update.cl", "scale(alpha, x)", "scale(x, x)", "f32", "A(");
  }

  TEST_CASE_FIXTURE(DailyFaults, "infinities for NaN in complex products") {
    // An infinite part of B, multiplied by an imaginary alpha, counts as 0.
    check_found("gemm", "naive", "gemm/complex_elements.cl", "times_i(x) * (type)(im)",
                "select(times_i(x), (type)(0), isinf(times_i(x))) * (type)(im)", "c64", "inf, expected");
    if (has_cpu_kernels())
      check_found("gemm", "packed_panel", "gemm/packed_panel_complex.cl", "times_i * (term_n)(im)",
                  "select(times_i, (term_n)(0), isinf(times_i)) * (term_n)(im)", "c64", "inf, expected");
  }

  TEST_CASE_FIXTURE(DailyFaults, "faults of transposition, vectors and sparse products") {
    // One element after the end of B. After other lines, work-groups would race for elements of B.
    check_found("transpose", "square_tile", "transpose/square_tile.cl", "if (j0 + y < n && i0 + x < m)",
                "if (j0 + y < n && i0 + x < m + (j0 + y == n - 1))", "f32", "memory outside the matrix changed");
    check_found("transpose", "square_tile", "transpose/square_tile.cl", "tile[x * TILE + y]), b", "tile[x * TILE]), b",
                "f32", "expected");
    check_found("spmm", "row_per_item", "spmm/row_per_item.cl", "offsets[i + 1];", "offsets[i + 1] - (i == 2 ? 1 : 0);",
                "f32", "expected");
    check_found("spmm", "row_per_item", "spmm/scale.cl", "beta != 0 ? beta * *c : 0", "beta * *c", "f32", "nan");
    // The index is that of the first of several largest elements.
    check_found("vector", "iamax", "vector/iamax.cl", "other.index < sum->index", "other.index > sum->index", "f16",
                "the index is");
    check_found("vector", "nrm2", "vector/nrm2.cl", "size > (type)(MAX_MEDIUM) ? square : zero", "zero", "f32",
                "expected");
  }

  TEST_CASE_FIXTURE(DailyFaults, "faults of triangular systems") {
    const std::string pack = has_cpu_kernels() ? "triangular/pack_item.cl" : "triangular/pack_diagonal.cl";
    // The diagonal is read although it counts as ones; it is NaN.
    check_found("triangular", "trsm", pack, "(c == r && !is_unit)", "c == r", "f32 forms", "nan");
    // Reciprocals where only divisions keep the bound.
    check_found("triangular", "trsm", pack, "!is_unit && !has_reciprocal", "0 && !has_reciprocal", "f32 extremes",
                "times its bound");
    check_found("triangular", "trsm", pack, "is_upper ? rows - 1 : 0", "is_upper ? rows : 0", "f32 forms", "");
    // The element on the diagonal is subtracted, too. CPUs solve for one right-hand side in one launch.
    if (has_cpu_kernels())
      check_found("triangular", "trsv", "triangular/few_lines.cl", "is_upper ? row + 1 : 0", "is_upper ? row : 0",
                  "f32 forms", "");
  }

  TEST_CASE_FIXTURE(DailyFaults, "faults of rank-k updates") {
    const std::string merge = "rank_k/merge_triangle.cl";
    check_found("rank_k", "syrk", merge, "end = is_upper ? size : y + 1", "end = size", "f16 forms",
                "C: an element changed");
    check_found("rank_k", "syr2k", merge, "w[y * block + x] + w[x * block + y]", "w[y * block + x]", "f32 forms", "C(");
    check_found("rank_k", "gemmt", merge, "if (!is_zero(beta)) value", "value", "f16 forms", "is nan");
    check_found("rank_k", "syrk", merge, "if (x == y) value = element_of(real_of(value));", "", "c64 forms",
                "the imaginary part of C(");
    // Products that skip tiles.
    const std::string triangle = "gemm/triangle.cl";
    check_found("rank_k", "syrk", triangle, "return column < TRIANGLE_PARTS * (row + 1)", "return true", "f32 forms",
                "C: an element changed");
    check_found("rank_k", "syr2k", triangle, "return column >= TRIANGLE_PARTS * row", "return true", "f32 forms",
                "C: an element changed");
    check_found("rank_k", "syrk", triangle, "if (c_column == 2 * c_row + 1) sum = 0;", "", "c64 forms",
                "the imaginary part of C(");
  }

  TEST_CASE_FIXTURE(DailyFaults, "faults of Cholesky's factorisation") {
    const std::string subtract = "cholesky/subtract_tiles.cl", panel = "cholesky/factor_panel.cl";
    if (has_cpu_kernels()) {
      check_found("cholesky", "potrf", subtract, "(is_upper ? x >= y : x <= y)", "1", "f32 forms",
                  "A: an element changed");
      check_found("cholesky", "posv", subtract, "-= w[y * BLOCK + x]", "-= x == 5 ? 0 : w[y * BLOCK + x]", "f32 forms",
                  "the error of L L^H at (");
    } else {
      check_found("cholesky", "potrf", panel, "!(factors && column > row)) a[", "true) a[", "f32 forms",
                  "A: an element changed");
      check_found("cholesky", "posv", panel, "p[j] *= inverse;", "p[j] *= j == 5 ? inverse * 1.001f : inverse;",
                  "f32 forms", "the error of L L^H at (");
    }
    check_found("cholesky", "potrf", has_cpu_kernels() ? "cholesky/factor_item.cl" : "cholesky/factor_panel.cl",
                "before + bad + 1", "before + bad", "f32 extremes", "info is ");
  }

  TEST_CASE_FIXTURE(DailyFaults, "faults of LU") {
    if (has_cpu_kernels())
      check_found("lu", "getrf", "lu/dense_columns.cl", "most = size > most ? size : most;", "most = size;",
                  "f32 forms", "L U - P A at (");
    check_found("lu", "det", "lu/determinant.cl", "if (pivots[i] != i) sign = -sign;", "", "f32 forms",
                "the determinant's sign");
    check_found("lu", "det", "lu/determinant.cl", "is_zero(sign) ? -INFINITY : log_size", "log_size + (accum_t)1e-3",
                "f32 forms", "expected");
    check_found("lu", "getri", "lu/identity.cl", "side == line ? 1 : 0", "side == line ? 1 : line > 70 ? 1e-3f : 0",
                "f32 forms", "right-hand side");
  }

  TEST_CASE_FIXTURE(DailyFaults, "faults of QR") {
    check_found("qr", "geqrf", "qr/steps.cl", "alpha - element_of(h.beta)", "alpha - element_of(h.beta * 1.001f)",
                "f32 forms", "LAPACK's ratio of");
    check_found("qr", "ormqr", "qr/blocks.cl", "i > j ? AT(a, i, j) : element_of(i == j ? 1 : 0);", "AT(a, i, j);",
                "f32 forms", "the product is nan");
    check_found("qr", "orgqr", "qr/blocks.cl", "ROW(by_columns) == COLUMN(by_columns) + shift ? 1 : 0",
                "ROW(by_columns) == COLUMN(by_columns) + shift ? 1 : ROW(by_columns) > 70 ? 1e-3f : 0", "f32 forms",
                "LAPACK's ratio of Q is");
    check_found("qr", "gels", "qr/blocks.cl", "first == order ? 0 : first + 1", "first == order ? 0 : first",
                "f32 extremes", "info is ");
  }

  TEST_CASE_FIXTURE(DailyFaults, "faults of Strassen's method") {
    check_found("strassen", "strassen", "strassen/sums.cl", "s3 = q22 - q12;", "s3 = q22 + q12;", "f32 forms",
                "times the error bound");
    check_found("strassen", "strassen", "strassen/sums.cl", "if (beta != 0) last += beta * LOAD(c22);",
                "last += beta * LOAD(c22);", "f32 forms", "is nan");
  }

  TEST_CASE_FIXTURE(DailyFaults, "faults of products with a triangular or symmetric matrix") {
    const std::string kernel = has_cpu_kernels() ? "trmm/multiply_rows.cl" : "trmm/multiply_tiles.cl";
    // The zeros outside the triangle are multiplied, and turn NaN in other rows into NaN.
    if (has_cpu_kernels())
      check_found("trmm", "trmm", kernel, "sum = IF_LANE(is_in_t[v], next, sum)", "sum = next", "f32 forms", "nan");
    else
      check_found("trmm", "trmm", kernel, "if (i > k)", "if (i != k)", "f16 forms", "nan");
    check_found("trmm", "trmm", "trmm/sums.cl", "alpha_re * im + alpha_im * re", "alpha_re * im", "c64 forms",
                "expected");
    // Tiles leave out too many steps of k, or too few.
    check_found("trmm", "trmm", "gemm/k_range.cl", "(RANGE_BLOCK(i0, j0) + 1)", "(RANGE_BLOCK(i0, j0) + 2)",
                "f32 ranges", "nan");
    check_found("trmm", "trmm", "gemm/k_range.cl", "(RANGE_BLOCK(i0, j0) * RANGE_STEPS)", "0", "f32 ranges", "nan");
    // A panel's square has too many steps, or a unit diagonal is read.
    if (has_cpu_kernels()) {
      check_found("trmm", "trmm", "gemm/packed_panel_diagonal.cl", "K_RANGE == 1 ? i / PARTS >= q : i / PARTS <= q",
                  "1", "f32 whole", "nan");
      check_found("trmm", "trmm", "gemm/packed_panel_diagonal.cl", "lane >= first :", "lane >= 0 :", "f32 whole",
                  "nan");
    }
    check_found("symm", "symm", "symm/expand.cl", "STORE(CONJUGATE(", "STORE((element_t)(0) & (", "f16 forms",
                "expected");
    check_found("symm", "hemm", "symm/expand.cl", "r == c ? REAL(value)", "r == c ? value", "c64 forms", "expected");
    // A panel's square is read from the other triangle, or its imaginary parts are kept.
    if (has_cpu_kernels()) {
      check_found("symm", "symm", "gemm/packed_panel_symmetric.cl", "? p > line : p < line", "? p < line : p > line",
                  "f32 whole", "nan");
      check_found("symm", "symm", "gemm/packed_panel_symmetric.cl", "? p <= line : p >= line",
                  "? p >= line : p <= line", "f32 whole", "nan");
      check_found("symm", "hemm", "gemm/packed_panel_symmetric.cl", "is_diagonal ? 0 :", "", "c64 whole", "expected");
    }
  }

  TEST_CASE("a compilation error, with its position") {
    const auto report = check_with("naive", "accum_t sum = 0;", "accum_t sum = nothing_of_the_kind;");
    CHECK(mentions(report.wrong, "gemm/naive.cl:"));
    CHECK(mentions(report.wrong, "nothing_of_the_kind"));
  }
}

}  // namespace tilewright::test
