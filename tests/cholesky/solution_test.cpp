// potrs and posv with few right-hand sides, which one launch solves on CPUs: every form and type, and orders and
// numbers of right-hand sides around those of vectors.
#include <doctest/doctest.h>

#include <complex>

#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "verification/cholesky/cholesky_case.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

template <class T>
void check_forms() {
  constexpr TriangleKind kinds[] = {TriangleKind::dominant, TriangleKind::scaled, TriangleKind::tiny,
                                    TriangleKind::huge};
  constexpr std::uint64_t orders[] = {16, 35, 64, 131}, columns[] = {1, 2, 3, 5, 16, 17};
  std::uint64_t turn = 0;
  for (const CholeskyCall call : {CholeskyCall::potrs, CholeskyCall::posv})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const std::uint64_t nrhs : columns) {
          CholeskyCase test{.call = call, .uplo = uplo, .n = orders[turn % 4], .nrhs = nrhs, .data = kinds[turn % 4]};
          test.storage.type = detail::HostType<T>::type;
          test.storage.layout = layout;
          test.storage.gaps = {turn % 5, turn % 2};
          test.storage.offsets = {turn % 3, 1};
          test.storage.count = 1 + turn % 2;
          if (call == CholeskyCall::posv && turn % 4 == 0) {
            test.data = TriangleKind::dominant;
            test.indefinite = test.n / 2;
            test.has_nan = turn % 8 == 0;
          }
          ++turn;
          CAPTURE(to_string(test));
          CHECK(try_cholesky_case(shared_engine(), test) == "");
          count_cases();
        }
}

}  // namespace

TEST_SUITE("cholesky solutions") {
  TEST_CASE("few right-hand sides") {
    check_forms<float>();
    check_forms<std::complex<float>>();
    if (!shared_engine().profile().fp64) return;
    check_forms<double>();
    check_forms<std::complex<double>>();
  }
}

}  // namespace tilewright::test
