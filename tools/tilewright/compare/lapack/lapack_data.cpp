#include "compare/lapack/lapack_data.hpp"

#include <cmath>
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

template <class T>
void fill(const LapackProblem& problem, LapackData& data) {
  const std::span<T> a = elements_of<T>(data.a);
  verification::fill_random(a, DataKind::uniform, 1);
  if (problem.operation->is_general() && problem.operation->factors) return;
  using Real = detail::Part<T>;
  const Real scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(problem.n)));
  for (T& element : a) element *= scale;
  for (std::uint64_t x = 0; x < problem.batch; ++x)
    for (std::uint64_t i = 0; i < problem.n; ++i) a[(x * problem.n + i) * problem.n + i] = static_cast<Real>(diagonal);
}

}  // namespace

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
