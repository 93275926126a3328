#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "tilewright/gemm_problem.hpp"

namespace tilewright::test {

/// Dense matrices in host memory. Scalars are exact in T, or every library rounds them to T.
template <typename T>
struct HostOperands {
  std::complex<double> alpha = 1, beta = 0;
  std::vector<T> a, b, c;
};

/// Another library's product.
template <typename T>
struct SecondOpinion {
  std::string name;
  std::function<std::vector<T>(const GemmProblem&, const HostOperands<T>&)> gemm;
};

/// The libraries that this build found; double precision only if the device has it.
template <typename T>
std::vector<SecondOpinion<T>> second_opinions();

/// One line per library that this build did not find.
std::vector<std::string> missing_second_opinions();

extern template std::vector<SecondOpinion<float>> second_opinions();
extern template std::vector<SecondOpinion<double>> second_opinions();
extern template std::vector<SecondOpinion<std::complex<float>>> second_opinions();
extern template std::vector<SecondOpinion<std::complex<double>>> second_opinions();

/// Elements from one line of a dense matrix to the next.
inline std::uint64_t dense_leading(const GemmProblem& problem, Transpose transpose, std::uint64_t rows,
                                   std::uint64_t columns) {
  return (problem.layout == Layout::row_major) == (transpose == Transpose::no) ? columns : rows;
}

// Defined in clblast_opinion.cpp and openblas_opinion.cpp if the library was found.
template <typename T>
std::vector<T> clblast_gemm(const GemmProblem& problem, const HostOperands<T>& host);
template <typename T>
std::vector<T> openblas_gemm(const GemmProblem& problem, const HostOperands<T>& host);

}  // namespace tilewright::test
