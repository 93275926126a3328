// Times calls of BLAS and LAPACK of random sizes, for random_shapes.sh: sizes are log-uniform, so that each power of
// two is as likely as any other. Prints a line for each call: its routine, its sizes, and the shortest time in seconds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "host_functions.hpp"

namespace {

// Numbers that are the same on each run, for any library of C++.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double part() { return static_cast<double>(engine_()) / 4294967296.0; }
  int size(int least, int most) {
    return static_cast<int>(std::lround(least * std::pow(static_cast<double>(most) / least, part())));
  }

 private:
  std::mt19937 engine_;
};

template <class T>
std::vector<T> random_matrix(int rows, int columns, Random& random) {
  std::vector<T> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (T& element : matrix) element = static_cast<T>(random.part() - 0.5);
  return matrix;
}

// A matrix whose factorisations are well-conditioned.
std::vector<double> dominant_matrix(int order, Random& random) {
  std::vector<double> matrix = random_matrix<double>(order, order, random);
  for (int i = 0; i < order; ++i) matrix[static_cast<std::size_t>(i) * (static_cast<std::size_t>(order) + 1)] += order;
  return matrix;
}

// The shortest of several calls: as many as fit in 0.1 s, at least 2 and at most 50. `prepare` is not timed.
template <class Prepare, class Function>
double seconds_of(const Prepare& prepare, const Function& call) {
  double least = 1e300, sum = 0;
  for (int count = 0; count < 2 || (count < 50 && sum < 0.1); ++count) {
    prepare();
    const auto began = std::chrono::steady_clock::now();
    call();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    least = std::min(least, seconds);
    sum += seconds;
  }
  return least;
}

void print(const char* routine, int m, int n, int k, double seconds) {
  std::printf("%s %d %d %d %.9f\n", routine, m, n, k, seconds);
  std::fflush(stdout);
}

template <class T, class Gemm>
void time_gemm(const char* name, Gemm* gemm, int m, int n, int k, Random& random) {
  const std::vector<T> a = random_matrix<T>(m, k, random), b = random_matrix<T>(k, n, random);
  std::vector<T> c = random_matrix<T>(m, n, random);
  const T alpha = 1, beta = 1;
  print(name, m, n, k,
        seconds_of([] {},
                   [&] { gemm("N", "N", &m, &n, &k, &alpha, a.data(), &m, b.data(), &k, &beta, c.data(), &m, 1, 1); }));
}

void time_others(int n, int k, Random& random) {
  const double alpha = 1, beta = 1;
  const std::vector<double> a = random_matrix<double>(n, k, random), square = dominant_matrix(n, random);
  std::vector<double> c = random_matrix<double>(n, n, random), b = a, tau(static_cast<std::size_t>(n)),
                      work(static_cast<std::size_t>(n) * 64);
  std::vector<int> pivots(static_cast<std::size_t>(n));
  const int lwork = n * 64;
  int info = 0;
  print("dsyrk", n, n, k,
        seconds_of([] {}, [&] { dsyrk_("L", "N", &n, &k, &alpha, a.data(), &n, &beta, c.data(), &n, 1, 1); }));
  print("dtrsm", n, k, n,
        seconds_of([&] { b = a; },
                   [&] { dtrsm_("L", "L", "N", "N", &n, &k, &alpha, square.data(), &n, b.data(), &n, 1, 1, 1, 1); }));
  print("dgetrf", n, n, n,
        seconds_of([&] { c = square; }, [&] { dgetrf_(&n, &n, c.data(), &n, pivots.data(), &info); }));
  print(
      "dgeqrf", n, n, n,
      seconds_of([&] { c = square; }, [&] { dgeqrf_(&n, &n, c.data(), &n, tau.data(), work.data(), &lwork, &info); }));
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::fprintf(stderr, "usage: %s SHAPES LEAST_SIZE LARGEST_SIZE SEED\n", words[0]);
    return 2;
  }
  const int shapes = std::atoi(words[1]), least = std::atoi(words[2]), most = std::atoi(words[3]);
  Random random(static_cast<unsigned>(std::atoi(words[4])));
  for (int i = 0; i < shapes; ++i) {
    const int m = random.size(least, most), n = random.size(least, most), k = random.size(least, most);
    time_gemm<double>("dgemm", dgemm_, m, n, k, random);
    time_gemm<float>("sgemm", sgemm_, m, n, k, random);
    time_others(n, k, random);
  }
}
