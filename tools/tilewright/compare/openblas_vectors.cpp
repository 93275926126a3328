#include <cblas.h>

#include <limits>
#include <type_traits>

#include "compare/vector_calls.hpp"

namespace tilewright::tool {
namespace {

template <class T>
std::function<void()> vector_call(std::string_view name, blasint n, T* x, T* y) {
  constexpr bool is_float = std::is_same_v<T, float>;
  const auto pick = []([[maybe_unused]] auto of_float, [[maybe_unused]] auto of_double) {
    if constexpr (is_float)
      return of_float;
    else
      return of_double;
  };
  // Stores results, so that the compiler cannot remove the calls.
  [[maybe_unused]] static volatile T sink;
  if (name == "axpy") return [=, f = pick(cblas_saxpy, cblas_daxpy)] { f(n, T(0.5), x, 1, y, 1); };
  if (name == "axpby") return [=, f = pick(cblas_saxpby, cblas_daxpby)] { f(n, T(0.5), x, 1, T(-1), y, 1); };
  if (name == "scal") return [=, f = pick(cblas_sscal, cblas_dscal)] { f(n, T(-1), x, 1); };
  if (name == "copy") return [=, f = pick(cblas_scopy, cblas_dcopy)] { f(n, x, 1, y, 1); };
  if (name == "swap") return [=, f = pick(cblas_sswap, cblas_dswap)] { f(n, x, 1, y, 1); };
  if (name == "dot") return [=, f = pick(cblas_sdot, cblas_ddot)] { f(n, x, 1, y, 1); };
  if (name == "nrm2") return [=, f = pick(cblas_snrm2, cblas_dnrm2)] { f(n, x, 1); };
  if (name == "asum") return [=, f = pick(cblas_sasum, cblas_dasum)] { f(n, x, 1); };
  if (name == "iamax") return [=, f = pick(cblas_isamax, cblas_idamax)] { f(n, x, 1); };
  return {};
}

template <class T>
T* elements(std::vector<std::byte>& bytes) {
  return reinterpret_cast<T*>(bytes.data());
}

}  // namespace

std::function<void()> openblas_vector_call(std::string_view name, DataType type, std::uint64_t n,
                                           HostVectors& vectors) {
  if (n > static_cast<std::uint64_t>(std::numeric_limits<blasint>::max())) return {};
  const auto size = static_cast<blasint>(n);
  if (type == DataType::f32) return vector_call(name, size, elements<float>(vectors[0]), elements<float>(vectors[1]));
  if (type == DataType::f64) return vector_call(name, size, elements<double>(vectors[0]), elements<double>(vectors[1]));
  return {};
}

}  // namespace tilewright::tool
