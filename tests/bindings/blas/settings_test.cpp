#include "bindings/blas/settings.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>

namespace tilewright::blas {
namespace {

Settings with(std::initializer_list<std::pair<const char*, const char*>> variables) {
  for (const auto& [name, value] : variables) setenv(name, value, 1);
  const Settings settings = read_settings();
  for (const auto& [name, value] : variables) unsetenv(name);
  return settings;
}

}  // namespace

TEST_SUITE("BLAS settings") {
  TEST_CASE("the defaults") {
    const Settings settings = with({});
    CHECK(settings.mode == Mode::automatic);
    CHECK(settings.min_flops == 1e7);
    CHECK(settings.memory == 0);
    CHECK(settings.routines.empty());
    CHECK(settings.report.empty());
    CHECK(!settings.wide_integers);
    CHECK(settings.accuracy == Accuracy::full);
  }

  TEST_CASE("every variable") {
    const Settings settings = with({{"TILEWRIGHT_BLAS", "always"},
                                    {"TILEWRIGHT_BLAS_HOST", "/lib/x.so"},
                                    {"TILEWRIGHT_BLAS_ROUTINES", "gemm,,trsm"},
                                    {"TILEWRIGHT_BLAS_MEMORY", "1.5G"},
                                    {"TILEWRIGHT_BLAS_ACCURACY", "tf32"},
                                    {"TILEWRIGHT_BLAS_REPORT", "calls.json"}});
    CHECK(settings.mode == Mode::always);
    CHECK(settings.min_flops == 0);  // `always` means every call
    CHECK(settings.host == "/lib/x.so");
    CHECK(settings.routines == std::vector<std::string>{"gemm", "trsm"});
    CHECK(settings.memory == std::uint64_t{3} << 29);
    CHECK(settings.accuracy == Accuracy::tf32);
    CHECK(settings.report == "calls.json");
    CHECK(with({{"TILEWRIGHT_BLAS", "always"}, {"TILEWRIGHT_BLAS_MIN_FLOPS", "1e9"}}).min_flops == 1e9);
    CHECK(with({{"TILEWRIGHT_BLAS_REPORT", "0"}}).report.empty());
    CHECK(with({{"TILEWRIGHT_BLAS_INTEGERS", "64"}}).wide_integers == true);
    CHECK(with({{"TILEWRIGHT_BLAS_INTEGERS", "32"}}).wide_integers == false);
    CHECK(!with({{"TILEWRIGHT_BLAS_INTEGERS", "ilp64"}}).wide_integers);
  }

  TEST_CASE("routines are named in any case, and unknown names are ignored") {
    const auto routines = [](const char* names) { return with({{"TILEWRIGHT_BLAS_ROUTINES", names}}).routines; };
    CHECK(routines("GEMM, Trsm ,gemmtr") == std::vector<std::string>{"gemm", "trsm", "gemmt"});
    CHECK(routines("gemm,nosuch") == std::vector<std::string>{"gemm"});
    CHECK(routines("nosuch").empty());
    CHECK(routines(",").empty());
  }

  TEST_CASE("values that cannot be understood count as not set") {
    for (const char* value : {"", "-1", "many", "5 ", "nan", "inf", "1e", "0x10", "1.5GG"}) {
      CAPTURE(value);
      CHECK(with({{"TILEWRIGHT_BLAS_MIN_FLOPS", value}}).min_flops == 1e7);
      CHECK(with({{"TILEWRIGHT_BLAS_MEMORY", value}}).memory == 0);
      CHECK(with({{"TILEWRIGHT_BLAS", value}}).mode == Mode::automatic);
      CHECK(with({{"TILEWRIGHT_BLAS_ACCURACY", value}}).accuracy == Accuracy::full);
    }
    CHECK(with({{"TILEWRIGHT_BLAS_MEMORY", "1e300"}}).memory > std::uint64_t{1} << 62);
  }
}

}  // namespace tilewright::blas
