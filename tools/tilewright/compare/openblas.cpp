#include <cblas.h>

#include <complex>
#include <limits>
#include <stdexcept>

#include "compare/references.hpp"

namespace tilewright::tool {
namespace {

CBLAS_TRANSPOSE to_cblas(Transpose transpose) {
  switch (transpose) {
    case Transpose::no:
      return CblasNoTrans;
    case Transpose::yes:
      return CblasTrans;
    case Transpose::conjugate_transpose:
      break;
  }
  return CblasConjTrans;
}

/// Calls CBLAS on the host's copy of the operands.
class OpenblasProduct {
 public:
  explicit OpenblasProduct(Workload& workload) : workload_(workload) {
    const GemmProblem& problem = workload.problem();
    for (const std::uint64_t extent : {problem.m, problem.n, problem.k}) {
      if (extent > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
        throw std::invalid_argument("a size exceeds 2^31 - 1, the largest that OpenBLAS takes");
      }
    }
  }

  void multiply() const {
    const GemmProblem& problem = workload_.problem();
    const CBLAS_TRANSPOSE trans_a = to_cblas(problem.trans_a);
    const CBLAS_TRANSPOSE trans_b = to_cblas(problem.trans_b);
    const int m = static_cast<int>(problem.m);
    const int n = static_cast<int>(problem.n);
    const int k = static_cast<int>(problem.k);
    const int lda = problem.trans_a != Transpose::no ? m : k;
    const int ldb = problem.trans_b != Transpose::no ? k : n;
    const Batch& batch = problem.batch;
    for (std::uint64_t x = 0; x < batch.count; ++x) {  // CBLAS has no batched call
      if (multiply_vector(x)) continue;
      switch (problem.type) {
        case DataType::f32:
          cblas_sgemm(CblasRowMajor, trans_a, trans_b, m, n, k, 1,
                      static_cast<const float*>(workload_.host_a()) + x * batch.stride_a, lda,
                      static_cast<const float*>(workload_.host_b()) + x * batch.stride_b, ldb, 0,
                      static_cast<float*>(workload_.host_c()) + x * batch.stride_c, n);
          break;
        case DataType::f64:
          cblas_dgemm(CblasRowMajor, trans_a, trans_b, m, n, k, 1,
                      static_cast<const double*>(workload_.host_a()) + x * batch.stride_a, lda,
                      static_cast<const double*>(workload_.host_b()) + x * batch.stride_b, ldb, 0,
                      static_cast<double*>(workload_.host_c()) + x * batch.stride_c, n);
          break;
        case DataType::c64:
          multiply_complex<float>(cblas_cgemm, trans_a, trans_b, lda, ldb, x);
          break;
        case DataType::c128:
          multiply_complex<double>(cblas_zgemm, trans_a, trans_b, lda, ldb, x);
          break;
        case DataType::f16:
        case DataType::bf16:
        case DataType::i8:
        case DataType::u8:
        case DataType::i32:
          throw std::logic_error("OpenBLAS is not compared for this type");  // check_references() rejects these types
      }
    }
  }

 private:
  /// Computes a single column or row of C as a matrix-vector product, for which CBLAS has gemv. Returns false for other
  /// shapes and complex types.
  bool multiply_vector(std::uint64_t product) const {
    const GemmProblem& problem = workload_.problem();
    const bool is_column = problem.n == 1;
    if ((!is_column && problem.m != 1) || is_complex(problem.type)) return false;
    const bool is_stored = (is_column ? problem.trans_a : problem.trans_b) == Transpose::no;
    const std::uint64_t length = is_column ? problem.m : problem.n;
    const auto rows = static_cast<int>(is_column == is_stored ? length : problem.k);
    const auto columns = static_cast<int>(is_column == is_stored ? problem.k : length);
    const CBLAS_TRANSPOSE trans = is_column == is_stored ? CblasNoTrans : CblasTrans;
    const auto multiply = [&]<class T>(T, const auto& function) {
      const T* const a = static_cast<const T*>(workload_.host_a()) + product * problem.batch.stride_a;
      const T* const b = static_cast<const T*>(workload_.host_b()) + product * problem.batch.stride_b;
      T* const c = static_cast<T*>(workload_.host_c()) + product * problem.batch.stride_c;
      function(CblasRowMajor, trans, rows, columns, T{1}, is_column ? a : b, columns, is_column ? b : a, 1, T{0}, c, 1);
    };
    if (problem.type == DataType::f32) multiply(float{}, cblas_sgemv);
    if (problem.type == DataType::f64) multiply(double{}, cblas_dgemv);
    return true;
  }

  template <class T, class Function>
  void multiply_complex(const Function& function, CBLAS_TRANSPOSE trans_a, CBLAS_TRANSPOSE trans_b, int lda, int ldb,
                        std::uint64_t product) const {
    using Element = std::complex<T>;
    const GemmProblem& problem = workload_.problem();
    const Element one = 1, zero = 0;
    const auto n = static_cast<int>(problem.n);
    function(CblasRowMajor, trans_a, trans_b, static_cast<int>(problem.m), n, static_cast<int>(problem.k), &one,
             static_cast<const Element*>(workload_.host_a()) + product * problem.batch.stride_a, lda,
             static_cast<const Element*>(workload_.host_b()) + product * problem.batch.stride_b, ldb, &zero,
             static_cast<Element*>(workload_.host_c()) + product * problem.batch.stride_c, n);
  }

  Workload& workload_;
};

}  // namespace

Contender openblas_contender(Workload& workload) {
  return {.run = repeat([product = OpenblasProduct(workload)] { product.multiply(); }),
          .check = [&workload] { return workload.check_host_result(); },
          .settle = let_openblas_sleep};
}

}  // namespace tilewright::tool
