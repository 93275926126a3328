// A product of matrices in host memory, and views of its matrices.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "gemm/problem.hpp"
#include "kernels/host_type.hpp"
#include "tilewright/gemm_problem.hpp"
#include "verification/common/matrix_view.hpp"

namespace tilewright::verification {

/// Converts alpha or beta to the type of the call's arithmetic.
template <class T>
detail::Accumulator<T> scalar_of(const std::complex<double>& scalar) {
  if constexpr (detail::is_complex_host_type<T>)
    return static_cast<T>(scalar);
  else
    return static_cast<detail::Accumulator<T>>(scalar.real());
}

template <class T>
bool is_zero(const std::complex<double>& scalar) {
  return scalar_of<T>(scalar) == detail::Accumulator<T>{0};
}

/// One call of gemm() with A and B of type T. The pointers refer to the matrices' first elements and include offsets.
template <class T, class C = T>
struct HostGemm {
  GemmProblem problem;
  std::complex<double> alpha = 1;
  const T* a = nullptr;
  const T* b = nullptr;
  std::complex<double> beta = 0;
  const C* c = nullptr;  ///< C before the call; not read if beta = 0
  // Operands of the problem's epilogue.
  const detail::EpilogueType<T>* scale = nullptr;
  const detail::EpilogueType<T>* bias = nullptr;
  const C* residual = nullptr;
  /// Whether kernels multiply the sums of a complex product, instead of B, by an alpha with an imaginary part. The
  /// result may then have an infinity instead of a NaN, or the reverse.
  bool scales_sums = false;

  bool reads_product() const { return problem.k > 0 && !is_zero<T>(alpha); }
  bool reads_c() const { return !is_zero<T>(beta); }
};

template <class T, class C>
MatrixView<T> view_a(const HostGemm<T, C>& call) {
  const GemmProblem& p = call.problem;
  return make_view(call.a, p.layout, p.trans_a, p.m, p.k, p.lda);
}

template <class T, class C>
MatrixView<T> view_b(const HostGemm<T, C>& call) {
  const GemmProblem& p = call.problem;
  return make_view(call.b, p.layout, p.trans_b, p.k, p.n, p.ldb);
}

/// Returns a view of `c`, which is call.c or the call's result.
template <class C>
MatrixView<C> view_c(const GemmProblem& problem, const C* c) {
  return make_view(c, problem.layout, Transpose::no, problem.m, problem.n, problem.ldc);
}

template <class T, class C>
MatrixView<C> view_residual(const HostGemm<T, C>& call) {
  const GemmProblem& p = call.problem;
  return make_view(call.residual, p.layout, Transpose::no, p.m, p.n, p.epilogue.ldr);
}

/// Calls function(std::type_identity<T>(), std::type_identity<C>()) with the host types of A and B and of C. Throws
/// Error(unsupported_type) if there is no product of these types.
template <class Function>
decltype(auto) with_product_types(const GemmProblem& problem, const Function& function) {
  detail::check_types(problem);
  return detail::with_host_type(problem.type, [&]<class T>(std::type_identity<T> type) {
    if constexpr (std::is_integral_v<T>) {
      if constexpr (!std::is_same_v<T, std::int32_t>) {
        if (detail::type_of_c(problem) == DataType::f32) return function(type, std::type_identity<float>());
        if (detail::type_of_c(problem) == problem.type) return function(type, type);
      }
      return function(type, std::type_identity<std::int32_t>());  // for i32, never called
    } else {
      if constexpr (detail::stored_in_fewer_bits<T>)
        if (detail::type_of_c(problem) != problem.type)
          return function(type, std::type_identity<detail::Accumulator<T>>());
      return function(type, type);
    }
  });
}

}  // namespace tilewright::verification

/// For explicit instantiations: apply(T, C) for each T of A and B and each C of C.
#define TILEWRIGHT_FOR_PRODUCT_TYPES(apply)                                                                     \
  apply(float, float) apply(double, double) apply(tilewright::detail::Half, tilewright::detail::Half)           \
      apply(tilewright::detail::Half, float) apply(tilewright::detail::Bfloat16, tilewright::detail::Bfloat16)  \
          apply(tilewright::detail::Bfloat16, float) apply(std::int8_t, std::int32_t) apply(std::int8_t, float) \
              apply(std::int8_t, std::int8_t) apply(std::uint8_t, std::int32_t) apply(std::uint8_t, float)      \
                  apply(std::uint8_t, std::uint8_t) apply(std::int32_t, std::int32_t)
