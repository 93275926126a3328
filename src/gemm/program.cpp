#include "gemm/program.hpp"

#include <string>

#include "gemm/epilogue.hpp"
#include "kernels/variant_source.hpp"

namespace tilewright::detail {
namespace {

// The options of cl/gemm/triangle.cl.
std::string triangle_options(const std::optional<WantedTriangle>& triangle) {
  if (!triangle) return {};
  return define("TRIANGLE", triangle->uplo == Uplo::lower ? 1 : 2) + define("TRIANGLE_PARTS", triangle->parts) +
         define_if(triangle->real_diagonal, "REAL_DIAGONAL");
}

// The options of cl/gemm/k_range.cl, cl/gemm/packed_panel_range.cl and cl/gemm/tensor_f64_triangle.cl.
std::string range_options(const std::optional<KRange>& range) {
  if (!range) return {};
  return define("K_RANGE", range->is_upper ? 2 : 1) + define("K_RANGE_OF_ROWS", range->of_rows ? 1 : 0) +
         define("K_RANGE_BLOCK", range->block) + define("K_RANGE_STEPS", range->steps()) +
         define_if(range->is_triangle, "TRIANGULAR_FACTOR") + define_if(range->is_unit, "UNIT_DIAGONAL");
}

// The options of cl/gemm/packed_panel_symmetric.cl.
std::string symmetric_options(const std::optional<SymmetricFactor>& factor) {
  if (!factor) return {};
  return define("SYMMETRIC_FACTOR", factor->is_a ? 1 : 2) + define("SYMMETRIC_UPPER", factor->uplo == Uplo::upper) +
         define("IS_HERMITIAN", factor->is_hermitian);
}

// The options of cl/gemm/packed_panel_complex.cl and cl/gemm/tensor_f64_complex.cl.
std::string complex_options(const std::optional<ComplexFactors>& complex) {
  if (!complex) return {};
  return define("COMPLEX_FACTORS", 1) + define("CONJUGATED_A", complex->conjugated_a) +
         define("CONJUGATED_B", complex->conjugated_b);
}

}  // namespace

KernelSource gemm_source(const GemmVariant& variant, const ParameterValues& values, const CoreProduct& problem,
                         const DeviceProfile& device) {
  const std::string options =
      element_options(problem.type, type_of_c(problem)) +
      define("INDEX_BITS", needs_64_bit_indices(problem) ? 64 : 32) +
      define("TRANS_A", problem.trans_a == Transpose::yes) + define("TRANS_B", problem.trans_b == Transpose::yes) +
      define_if(device.aligned_buffers, "ALIGNED_BUFFERS") +
      (is_batched(problem) ? define("BATCH", problem.batch.by_offsets ? 2 : 1) : "") + epilogue_options(problem) +
      triangle_options(problem.triangle) + range_options(problem.k_range) + symmetric_options(problem.symmetric) +
      complex_options(problem.complex);
  return variant_source(variant, values, problem,
                        variant_files(variant, {"common/index.cl", "common/bfloat16.cl", "common/types.cl",
                                                "gemm/epilogue.cl", "gemm/triangle.cl", "gemm/operands.cl"}),
                        options);
}

KernelSource gemm_source(const GemmVariant& variant, const ParameterValues& values, const CoreProblem& core,
                         const DeviceProfile& device) {
  KernelSource source = gemm_source(variant, values, core.problem, device);
  source.files.insert(source.files.end(), core.files.begin(), core.files.end());
  return source;
}

}  // namespace tilewright::detail
