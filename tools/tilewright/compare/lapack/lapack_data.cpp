#include "compare/lapack/lapack_data.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

#include "kernels/host_type.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::tool {
namespace {

using verification::DataKind;

constexpr double diagonal = 3;

template <class T>
std::span<T> elements_of(std::vector<std::byte>& bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

// Makes the further columns of a wide op(A) multiples of its first ones. So the null space is known: X is the solution
// of smallest norm if its further elements are the same multiples of the first ones.
template <class T>
void repeat_lines(const LapackProblem& problem, std::span<T> a) {
  const std::uint64_t k = std::min(problem.m, problem.n);
  const bool repeats_columns = problem.m < problem.n;
  for (std::uint64_t x = 0; x < problem.batch; ++x)
    for (std::uint64_t line = k; line < problem.order(); ++line)
      for (std::uint64_t i = 0; i < k; ++i) {
        T* const matrix = a.data() + x * problem.m * problem.n;
        const auto element = [&](std::uint64_t along) -> T& {
          return repeats_columns ? matrix[along * problem.m + i] : matrix[i * problem.m + along];
        };
        element(line) = element(line % k) * static_cast<detail::Part<T>>(repeated_factor(line));
      }
}

// Sets tau = (1 + p) / |v|^2 with |p| = 1, which makes I - tau v v^H unitary.
template <class T>
void make_unitary(const LapackProblem& problem, std::span<const T> a, std::span<T> tau) {
  for (std::uint64_t i = 0; i < tau.size(); ++i) {
    const std::uint64_t j = i % problem.n;
    const T* const column = a.data() + (i / problem.n * problem.n + j) * problem.m;
    double squares = 1;
    for (std::uint64_t row = j + 1; row < problem.m; ++row) squares += std::norm(column[row]);
    if constexpr (detail::is_complex_host_type<T>)
      tau[i] = T((1.0 + std::polar(1.0, static_cast<double>(i))) / squares);
    else
      tau[i] = static_cast<T>(2 / squares);
  }
}

template <class T>
void fill(const LapackProblem& problem, LapackData& data) {
  const std::span<T> a = elements_of<T>(data.a);
  verification::fill_random(a, DataKind::uniform, 1);
  if (problem.is_underdetermined()) repeat_lines(problem, a);
  if (problem.operation->uses_reflectors()) make_unitary(problem, std::span<const T>(a), elements_of<T>(data.tau));
  if (problem.operation->is_orthogonal() || (problem.operation->is_general() && problem.operation->factors)) return;
  using Real = detail::Part<T>;
  const Real scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(problem.n)));
  for (T& element : a) element *= scale;
  for (std::uint64_t x = 0; x < problem.batch; ++x)
    for (std::uint64_t i = 0; i < problem.n; ++i) a[(x * problem.n + i) * problem.n + i] = static_cast<Real>(diagonal);
}

}  // namespace

double repeated_factor(std::uint64_t line) { return line % 2 == 0 ? -1 : 0.5; }

LapackData random_lapack_data(const LapackProblem& problem) {
  const LapackOperation& operation = *problem.operation;
  const std::uint64_t element = size_of(problem.type);
  LapackData data;
  data.a.resize(problem.m * problem.n * problem.batch * element);
  data.b.resize(problem.rows_of_b() * problem.columns_of_b() * problem.batch * element);
  data.pivots.assign(problem.pivots() * problem.batch, -1);
  data.tau.assign(problem.reflectors() * problem.batch * element, std::byte{0xff});
  if (operation.has_info()) data.info.assign(problem.batch, -1);
  detail::with_host_type(problem.type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_floating_point_v<detail::Part<T>>) {
      fill<T>(problem, data);
      verification::fill_random(elements_of<T>(data.b), DataKind::uniform, 2);
    }
  });
  if (operation.inverts() && operation.has_b()) data.b = data.a;
  if (operation.has_pivots() && !operation.factors)
    for (std::uint64_t i = 0; i < data.pivots.size(); ++i) {
      const std::uint64_t row = i % problem.n;
      data.pivots[i] = static_cast<std::int64_t>(row + verification::random_bits(3, i) % (problem.n - row));
    }
  return data;
}

double lapack_bytes(const LapackProblem& problem) {
  const auto area = [](std::uint64_t rows, std::uint64_t columns) {
    return static_cast<double>(rows) * static_cast<double>(columns);
  };
  return (area(problem.m, problem.n) + area(problem.rows_of_b(), problem.columns_of_b())) *
         static_cast<double>(problem.batch) * static_cast<double>(size_of(problem.type));
}

}  // namespace tilewright::tool
