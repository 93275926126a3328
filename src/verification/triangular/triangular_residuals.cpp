#include "verification/triangular/triangular_residuals.hpp"

#include <cmath>
#include <vector>

#include "verification/common/residual.hpp"

namespace tilewright::verification {

template <class T>
std::string wrong_solution(const TriangularSystem<T>& system, Wide<T> small_error, bool exact) {
  using Real = Wide<T>;
  const std::uint64_t k = system.order;
  std::vector<Real> t(k * k, Real{0}), x(k);  // T by rows
  for (std::uint64_t i = 0; i < k; ++i)
    for (std::uint64_t j = 0; j < k; ++j)
      if (i == j)
        t[i * k + j] = system.is_unit ? T{1} : system.t(i, j);
      else if (system.is_lower == (j < i))
        t[i * k + j] = system.t(i, j);
  const Real gamma = gamma_factor<T>(k + 4);
  for (std::uint64_t column = 0; column < system.nrhs; ++column) {
    for (std::uint64_t i = 0; i < k; ++i) x[i] = system.x(i, column);
    for (std::uint64_t i = 0; i < k; ++i) {
      const Real b = static_cast<Real>(system.alpha) * static_cast<Real>(system.b(i, column));
      DotProduct<T> sum{-b, std::abs(b)};
      for (std::uint64_t j = system.is_lower ? 0 : i; j < (system.is_lower ? i + 1 : k); ++j)
        sum.add(t[i * k + j], x[j]);
      const Real small = small_error * (std::abs(t[i * k + i]) + static_cast<Real>(2 * k));
      const Real bound = exact ? Real{0} : gamma * sum.size + small;
      if (const std::string wrong = excess(sum.value, bound); !wrong.empty())
        return "the residual of equation " + std::to_string(i) + ", right-hand side " + std::to_string(column) +
               ", is " + wrong;
    }
  }
  return {};
}

template std::string wrong_solution(const TriangularSystem<float>&, double, bool);
template std::string wrong_solution(const TriangularSystem<double>&, long double, bool);

}  // namespace tilewright::verification
