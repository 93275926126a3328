// Positive definite matrices with diagonals of any size, subnormal to huge: info and L agree with LAPACK.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "kernels/host_type.hpp"
#include "support/extreme_values.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/cholesky.hpp"
#include "verification/cholesky/cholesky_residuals.hpp"
#include "verification/triangular/lower_triangle.hpp"

namespace tilewright::test {
namespace {

// A batch of row-major matrices with lower triangles, their factors, and their infos.
template <class T>
class ExtremeFactors {
 public:
  using Real = detail::Part<T>;

  ExtremeFactors(std::uint64_t n, std::uint64_t count) : n_(n), a_(count * n * n), infos_(count, 7) {}

  T& a(std::uint64_t x, std::uint64_t i, std::uint64_t j) { return a_[(x * n_ + i) * n_ + j]; }
  T l(std::uint64_t x, std::uint64_t i, std::uint64_t j) const { return l_[(x * n_ + i) * n_ + j]; }
  std::uint64_t count() const { return infos_.size(); }
  std::int64_t info(std::uint64_t x) const { return infos_[x]; }

  // Fills A = D (I + N) D, where the diagonal D has elements of any size and |N| < coupling.
  void fill(RandomStream& random, int least, int most, double coupling) {
    std::vector<double> roots(n_);
    for (std::uint64_t x = 0; x < count(); ++x)
      for (std::uint64_t i = 0; i < n_; ++i) {
        const Real diagonal = std::abs(random.of_any_size<Real>(least, most));
        roots[i] = std::sqrt(static_cast<double>(diagonal));
        for (std::uint64_t j = 0; j < i; ++j) {
          const auto part = [&] {
            return roots[i] * roots[j] * coupling * random.symmetric() / static_cast<double>(n_);
          };
          a(x, i, j) = verification::with_imaginary<T>(part(), part);
        }
        a(x, i, i) = diagonal;
      }
  }

  void factor(const Engine& engine) {
    const cl::CommandQueue queue = make_queue();
    const cl::Context context = shared_context();
    const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    const cl::Buffer matrices(context, copied, a_.size() * sizeof(T), a_.data());
    const cl::Buffer infos(context, copied, infos_.size() * 8, infos_.data());
    potrf(engine, queue(), {.type = detail::HostType<T>::type, .n = n_, .batch = {count(), n_ * n_}},
          {.a = {matrices()}, .info = {infos()}}, {}, Choice{"naive", {}})
        .wait();
    count_cases();
    count_kernel_of("potrf");
    l_ = a_;
    queue.enqueueReadBuffer(matrices, CL_TRUE, 0, l_.size() * sizeof(T), l_.data());
    queue.enqueueReadBuffer(infos, CL_TRUE, 0, infos_.size() * 8, infos_.data());
  }

  // Describes the first element of L L^H whose error exceeds its bound; empty if there is none.
  std::string wrong() const {
    for (std::uint64_t x = 0; x < count(); ++x) {
      const auto view = [&](const std::vector<T>& of) {
        return verification::lower_view(&of[x * n_ * n_], Layout::row_major, Uplo::lower, n_, n_);
      };
      std::string text = wrong_cholesky_factor(view(a_), view(l_), n_, n_, small_numbers<T>().error());
      if (!text.empty()) return text;
    }
    return {};
  }

 private:
  std::uint64_t n_;
  std::vector<T> a_, l_;
  std::vector<std::int64_t> infos_;
};

template <class T>
void check_any_size(const Engine& engine, std::uint64_t n, RandomStream& random) {
  CAPTURE(n);
  CAPTURE(static_cast<int>(detail::HostType<T>::type));
  ExtremeFactors<T> factors(n, 2);
  for (const double coupling : {0.0, 0.5}) {
    factors.fill(random, min_exponent<T>(), std::numeric_limits<detail::Part<T>>::max_exponent - 1, coupling);
    factors.factor(engine);
    for (std::uint64_t x = 0; x < factors.count(); ++x) CHECK(factors.info(x) == 0);
    CHECK(factors.wrong() == "");
  }
}

// Factors a diagonal matrix and compares info and L with those of LAPACK.
template <class T>
void check_diagonal(const Engine& engine, const std::vector<detail::Part<T>>& diagonal) {
  const std::uint64_t n = diagonal.size();
  ExtremeFactors<T> factors(n, 1);
  for (std::uint64_t i = 0; i < n; ++i) factors.a(0, i, i) = diagonal[i];
  factors.factor(engine);
  const auto bad = std::find_if(diagonal.begin(), diagonal.end(), [](auto element) { return !(element > 0); });
  CHECK(factors.info(0) == (bad == diagonal.end() ? 0 : bad - diagonal.begin() + 1));
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(bad - diagonal.begin()); ++i)
    CHECK(static_cast<double>(std::real(factors.l(0, i, i))) ==
          doctest::Approx(std::sqrt(static_cast<double>(diagonal[i])))
              .epsilon(4 * std::numeric_limits<detail::Part<T>>::epsilon()));
}

template <class T>
void check_diagonals(const Engine& engine) {
  using Real = detail::Part<T>;
  using Limits = std::numeric_limits<Real>;
  const Real least = std::ldexp(Real{1}, min_exponent<T>());
  check_diagonal<T>(engine, {Limits::min(), Real{1}});
  check_diagonal<T>(engine, {least, Real{1}});
  check_diagonal<T>(engine, {Real{1}, 5 * least, Limits::max(), least});
  check_diagonal<T>(engine, {least, Real{0}, Real{1}});
  check_diagonal<T>(engine, {Limits::max(), -least, Real{1}});
  check_diagonal<T>(engine, {least, Real{1}, Limits::quiet_NaN()});
}

}  // namespace

TEST_SUITE("potrf") {
  TEST_CASE("diagonals of any size") {
    RandomStream random(77);
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      check_diagonals<float>(engine);
      if (engine.profile().fp64) check_diagonals<double>(engine);
      for (const std::uint64_t n : {2U, 16U, 100U, 150U}) check_any_size<float>(engine, n, random);
      check_diagonals<std::complex<float>>(engine);
      for (const std::uint64_t n : {2U, 100U}) check_any_size<std::complex<float>>(engine, n, random);
      if (!engine.profile().fp64) continue;
      check_any_size<double>(engine, 150, random);
      if (test_level() == TestLevel::quick) continue;
      check_diagonals<std::complex<double>>(engine);
      check_any_size<std::complex<double>>(engine, 70, random);
    }
  }
}

// Small cases for slow devices.
TEST_SUITE("every kernel at extremes") {
  TEST_CASE("potrf with diagonals of any size") {
    RandomStream random(1);
    for (const DeviceType type : kernel_types()) check_any_size<float>(engine_with_kernels_for(type), 13, random);
  }
}

}  // namespace tilewright::test
