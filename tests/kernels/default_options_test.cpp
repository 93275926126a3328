// Every kernel file compiles as OpenCL C after the files that it builds on: the defaults of its parameters keep its own
// rules.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gemm/core_problem.hpp"
#include "gemm/program.hpp"
#include "gemm/selector.hpp"
#include "gemm/variant.hpp"
#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "spmm/program.hpp"
#include "spmm/variant.hpp"
#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/test_level.hpp"
#include "transpose/program.hpp"
#include "transpose/variant.hpp"

namespace tilewright::test {
namespace {

// Compiles files with their default parameters. The quick level compiles half of those of a test case.
struct DailyFiles {
  // Compiles some files together, with no options but those given.
  void check_compiles(std::string_view name, const std::vector<std::string_view>& files,
                      const std::string& options = {}) {
    if (!share.selects_next()) return;
    static detail::ProgramStore store;
    CAPTURE(name);
    CHECK_NOTHROW(store.get(shared_context(), cl::Device(device_under_test().id, true),
                            {std::string(name), detail::kernel_source(files), "-cl-std=CL1.2" + options}));
  }

  DailyShare share{2};
};

std::vector<std::string_view> after_common(std::vector<std::string_view> files) {
  files.insert(files.begin(), {"common/index.cl", "common/bfloat16.cl", "common/types.cl"});
  return files;
}

// The files of a variant, for a complex type with those that prepare its product.
std::vector<std::string_view> files_of(const detail::GemmVariant& variant, DataType type) {
  const DeviceProfile& profile = device_under_test().profile;
  const GemmProblem problem{.type = type, .m = 64, .n = 64, .k = 64, .lda = 64, .ldb = 64, .ldc = 64};
  if (!is_complex(type)) {
    const GemmProblem single{.m = 64, .n = 64, .k = 64, .lda = 64, .ldb = 64, .ldc = 64};
    return detail::gemm_source(variant, variant.preferences(single, profile).back(), single, profile).files;
  }
  const detail::CoreProblem core = detail::core_of(detail::normalized(problem), profile);
  return detail::gemm_source(variant, variant.preferences(core.problem, profile).back(), core, profile).files;
}

}  // namespace

TEST_SUITE("default options") {
  TEST_CASE_FIXTURE(DailyFiles, "gemm") {
    const DeviceProfile& profile = device_under_test().profile;
    std::set<std::pair<std::string, bool>> tried;
    for (const detail::ElementType& element : detail::element_types())
      for (const detail::GemmVariant* variant : detail::Operation<GemmProblem>::variants()) {
        const GemmProblem part{
            .type = detail::part_of(element.type), .m = 64, .n = 64, .k = 64, .lda = 64, .ldb = 64, .ldc = 64};
        if (!detail::may_multiply(element.type) || !detail::why_unsupported(*variant, part, profile).empty()) continue;
        // The rules do not depend on the type. Complex types add files.
        const bool is_new = tried.emplace(variant->name, is_complex(element.type)).second;
        if (test_level() == TestLevel::quick && !is_new) continue;
        check_compiles(variant->name, files_of(*variant, element.type), detail::element_options(element.type));
      }
  }

  TEST_CASE_FIXTURE(DailyFiles, "spmm and transpose") {
    for (const detail::SpmmVariant* variant : detail::Operation<detail::SpmmCore>::variants())
      check_compiles(variant->name, detail::spmm_files(*variant));
    for (const detail::TransposeVariant* variant : detail::Operation<TransposeProblem>::variants())
      check_compiles(variant->name, detail::transpose_files(*variant, true), " -DNUMBER=32");
  }

  TEST_CASE_FIXTURE(DailyFiles, "systems of equations") {
    for (const char* const factor : {"cholesky/factor_item.cl", "cholesky/factor_panel.cl", "cholesky/factor_small.cl",
                                     "cholesky/invert_block.cl"})
      for (const char* const options : {"", " -DCOMPLEX=1"})
        check_compiles(factor,
                       after_common({"common/complex.cl", "common/reciprocal.cl", "common/small_tiles.cl", factor,
                                     "cholesky/subtract_tiles.cl"}),
                       options);
    for (const auto& [solver, pack] : {std::pair{"triangular/solve_item.cl", "triangular/pack_item.cl"},
                                       {"triangular/solve_group.cl", "triangular/pack_diagonal.cl"}})
      for (const char* const options : {"", " -DCOMPLEX=1", " -DCOMPLEX=1 -DCONJUGATED=1"})
        check_compiles(solver,
                       after_common({"common/complex.cl", "common/reciprocal.cl", "triangular/conjugation.cl", pack,
                                     solver, "triangular/clear.cl", "triangular/update_rows.cl"}),
                       options);
    for (const char* const solver :
         {"triangular/small_item.cl", "triangular/small_group.cl", "triangular/small_line.cl"})
      for (const char* const options : {"", " -DCOMPLEX=1", " -DCOMPLEX=1 -DCONJUGATED=1", " -DSTAGED=1"})
        check_compiles(solver,
                       after_common({"common/complex.cl", "common/reciprocal.cl", "common/quads.cl",
                                     "common/small_tiles.cl", "triangular/conjugation.cl", solver}),
                       options);
    for (const char* const options : {"", " -DCOMPLEX=1", " -DLINES=4"})
      check_compiles("few lines",
                     after_common({"common/complex.cl", "common/reciprocal.cl", "triangular/few_lines.cl"}), options);
    for (const char* const product : {"trmm/multiply_lines.cl", "trmm/multiply_rows.cl", "trmm/multiply_tiles.cl"})
      check_compiles(product, after_common({"trmm/sums.cl", "trmm/multiply_blocks.cl", product}));
    for (const char* const options : {" -DPARTS=2 -DSTRIP=8", " -DADJACENT_ROWS=1"})
      check_compiles("trmm tiles", after_common({"trmm/sums.cl", "trmm/multiply_blocks.cl", "trmm/multiply_tiles.cl"}),
                     options);
    for (const char* const options : {"", " -DSTORED_AS_HALF=1", " -DSTORED_AS_BFLOAT=1"})
      for (const char* const product : {"trmm/multiply_lines.cl", "trmm/multiply_tiles.cl"})
        check_compiles("trmm of two bytes",
                       after_common({"trmm/sums.cl", "trmm/multiply_blocks.cl", product, "trmm/round_sums.cl"}),
                       std::string(options) + " -DKEEPS_SUMS=1");
    for (const char* const options :
         {"", " -DCOMPLEX=1 -DHERMITIAN=1", " -DMIRRORED=1", " -DSTORED_AS_HALF=1", " -DCOMPLEX=1 -DALIGNED_BUFFERS=1"})
      check_compiles("rank_k", after_common({"common/complex.cl", "rank_k/merge_triangle.cl"}), options);
    check_compiles("rank_k factors", {"common/index.cl", "rank_k/join_factors.cl"});
    check_compiles("symm", {"common/index.cl", "symm/expand.cl"});
    for (const std::string options : {"", " -DCOMPLEX=1", " -DCOMPLEX=1 -DALIGNED_BUFFERS=1"}) {
      check_compiles(
          "lu",
          after_common({"common/complex.cl", "common/reciprocal.cl", "common/factor_panels.cl", "lu/steps.cl",
                        "lu/candidates.cl", "lu/subpanel_groups.cl", "lu/row_swaps.cl", "lu/substitution.cl",
                        "lu/solve.cl", "lu/update.cl", "lu/small_solve.cl", "lu/determinant.cl", "lu/identity.cl"}),
          " -DINDEX_BITS=64" + options);
      for (const auto& [factoring, copy] : {std::pair<std::string, std::string>{"lu/panel_item.cl", ""},
                                            {"lu/whole_item.cl", ""},
                                            {"lu/whole_item.cl", " -DPRIVATE_COPY=1"}})
        check_compiles(
            "lu on CPUs",
            after_common({"common/complex.cl", "common/reciprocal.cl", "common/factor_panels.cl", "lu/steps.cl",
                          "lu/row_swaps_item.cl", "lu/dense_columns.cl", "lu/dense_updates.cl", factoring}),
            " -DINDEX_BITS=64 -DWG=1 -DLANES=4" + options + copy);
      for (const std::string rows : {"", " -DSMALL_ROWS=32 -DMATRICES=2"})
        check_compiles("lu of small matrices",
                       after_common({"common/complex.cl", "common/reciprocal.cl", "common/factor_panels.cl",
                                     "lu/steps.cl", "common/quads.cl", "common/small_tiles.cl", "lu/factor_small.cl"}),
                       " -DINDEX_BITS=64" + options + rows);
      for (const std::string panel : {"qr/panel_item.cl", "qr/panel_groups.cl", "qr/factor_small.cl"})
        check_compiles("qr",
                       after_common({"common/complex.cl", "common/factor_panels.cl", "qr/steps.cl", "common/quads.cl",
                                     "common/small_tiles.cl", panel, "qr/blocks.cl"}),
                       " -DINDEX_BITS=64" + options);
      check_compiles("lu_refinement",
                     after_common({"common/complex.cl", "common/reciprocal.cl", "common/factor_panels.cl",
                                   "lu/steps.cl", "lu/refinement.cl"}),
                     " -DINDEX_BITS=64 -DACCUM_BITS=64" + options);
    }
  }

  TEST_CASE_FIXTURE(DailyFiles, "vectors and sums") {
    check_compiles("vector_copy", {"common/index.cl", "common/vector_copy.cl"});
    check_compiles("strassen", {"common/index.cl", "strassen/sums.cl"});
    check_compiles("elementwise", after_common({"vector/elements.cl", "vector/elementwise.cl"}));
    check_compiles("moves", after_common({"vector/elements.cl", "vector/moves.cl"}), " -DMOVED_BYTES=4");
    for (const char* const sum : {"vector/dot.cl", "vector/nrm2.cl", "vector/asum.cl", "vector/iamax.cl"})
      check_compiles(sum, after_common({"vector/elements.cl", sum, "vector/reduction.cl"}));
  }
}

}  // namespace tilewright::test
