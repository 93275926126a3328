#include "support/second_opinion.hpp"

namespace tilewright::test {

template <typename T>
std::vector<SecondOpinion<T>> second_opinions() {
  return {
#ifdef TILEWRIGHT_TEST_WITH_CLBLAST
      {"CLBlast", clblast_gemm<T>},
#endif
#ifdef TILEWRIGHT_TEST_WITH_OPENBLAS
      {"OpenBLAS", openblas_gemm<T>},
#endif
  };
}

std::vector<std::string> missing_second_opinions() {
  return {
#ifndef TILEWRIGHT_TEST_WITH_CLBLAST
      "CLBlast was not found when this was built",
#endif
#ifndef TILEWRIGHT_TEST_WITH_OPENBLAS
      "OpenBLAS was not found when this was built",
#endif
  };
}

template std::vector<SecondOpinion<float>> second_opinions();
template std::vector<SecondOpinion<double>> second_opinions();
template std::vector<SecondOpinion<std::complex<float>>> second_opinions();
template std::vector<SecondOpinion<std::complex<double>>> second_opinions();

}  // namespace tilewright::test
