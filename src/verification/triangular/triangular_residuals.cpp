#include "verification/triangular/triangular_residuals.hpp"

#include <cmath>
#include <complex>
#include <vector>

#include "verification/common/residual.hpp"
#include "verification/common/substitution_factor.hpp"

namespace tilewright::verification {

template <class T>
std::string wrong_solution(const TriangularSystem<T>& system, Wide<detail::Part<T>> small_error, bool exact) {
  using Real = Wide<detail::Part<T>>;
  using Number = WideNumber<T>;
  const std::uint64_t k = system.order;
  const auto element = [&](std::uint64_t i, std::uint64_t j) -> Number {
    const T stored = system.t(i, j);
    if constexpr (detail::is_complex_host_type<T>)
      return system.is_conjugated ? std::conj(Number(stored)) : Number(stored);
    else
      return stored;
  };
  std::vector<Number> t(k * k, Number{0}), x(k);  // T by rows
  for (std::uint64_t i = 0; i < k; ++i)
    for (std::uint64_t j = 0; j < k; ++j)
      if (i == j)
        t[i * k + j] = system.is_unit ? Number{1} : element(i, j);
      else if (system.is_lower == (j < i))
        t[i * k + j] = element(i, j);
  const Real factor = substitution_factor<T>(k, 4, 12);
  // Errors of operations with small results, per product.
  const Real small_errors = static_cast<Real>(detail::is_complex_host_type<T> ? 6 : 1) * small_error;
  for (std::uint64_t column = 0; column < system.nrhs; ++column) {
    for (std::uint64_t i = 0; i < k; ++i) x[i] = Number(system.x(i, column));
    for (std::uint64_t i = 0; i < k; ++i) {
      const Number b = Number(system.alpha) * Number(system.b(i, column));
      DotProduct<T> sum{-b, std::abs(b)};
      for (std::uint64_t j = system.is_lower ? 0 : i; j < (system.is_lower ? i + 1 : k); ++j)
        sum.add(t[i * k + j], x[j]);
      const Real small = small_errors * (std::abs(t[i * k + i]) + static_cast<Real>(2 * k));
      const Real bound = exact ? Real{0} : factor * sum.size + small;
      const Real residual = detail::is_complex_host_type<T> ? std::abs(sum.value) : std::real(sum.value);
      if (const std::string wrong = excess(residual, bound); !wrong.empty())
        return "the residual of equation " + std::to_string(i) + ", right-hand side " + std::to_string(column) +
               ", is " + wrong;
    }
  }
  return {};
}

template std::string wrong_solution(const TriangularSystem<float>&, double, bool);
template std::string wrong_solution(const TriangularSystem<double>&, long double, bool);
template std::string wrong_solution(const TriangularSystem<std::complex<float>>&, double, bool);
template std::string wrong_solution(const TriangularSystem<std::complex<double>>&, long double, bool);

}  // namespace tilewright::verification
