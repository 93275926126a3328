#include "bindings/blas/host_library.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>

namespace tilewright::blas {

TEST_SUITE("BLAS of the host") {
  TEST_CASE("functions are found in the process, in a chosen library, and under their other name") {
    void* const function = find_host_function("dgemm_", "scipy_dgemm_", "");
    REQUIRE(function != nullptr);
    CHECK(find_host_function("dgemm_64_not_there_", "dgemm_", "") == function);
    CHECK(find_host_function("dgemm_", "", "/nonexistent/libblas.so") == function);
    CHECK(find_host_function("dgemm_", "", library_of(function)) == function);
    CHECK(find_host_function("no_such_function_", "nor_this_", "") == nullptr);
    CHECK(find_host_function("printf", "", "libm.so.6") != nullptr);  // of a library that the process has
  }

  TEST_CASE("libraries that dlopen() loaded locally are searched") {
    void* const library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return;
    CHECK(find_host_function("zlibVersion", "", "") == dlsym(library, "zlibVersion"));
    dlclose(library);
  }

  TEST_CASE("the BLAS library itself stays in the process, because events and handlers call it") {
    void* const library = dlopen(BLAS_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    REQUIRE(library != nullptr);
    dlclose(library);
    void* const again = dlopen(BLAS_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
    REQUIRE(again != nullptr);
    dlclose(again);
  }

  TEST_CASE("a library of which a function was found stays in the process") {
    void* const library = dlopen(FORTRAN_HOST32, RTLD_LAZY | RTLD_LOCAL);
    REQUIRE(library != nullptr);
    auto* const function = reinterpret_cast<int (*)()>(find_host_function("small_host_", "", ""));
    REQUIRE((function != nullptr));
    dlclose(library);
    REQUIRE(dlopen(FORTRAN_HOST32, RTLD_LAZY | RTLD_NOLOAD) != nullptr);
    CHECK(function() == 1);
  }

  TEST_CASE("a function's own name is searched in all libraries first") {
    void* const first = dlopen(CBLAS_HOST64, RTLD_LAZY | RTLD_LOCAL);
    void* const second = dlopen(FORTRAN_HOST64, RTLD_LAZY | RTLD_LOCAL);
    REQUIRE(first != nullptr);
    REQUIRE(second != nullptr);
    auto* const own = reinterpret_cast<int (*)()>(find_host_function("small_host_", "scipy_small_host_", ""));
    auto* const other = reinterpret_cast<int (*)()>(find_host_function("scipy_small_host_", "small_host_", ""));
    REQUIRE((own != nullptr));
    REQUIRE((other != nullptr));
    CHECK(own() == 1);
    CHECK(other() == 2);
    dlclose(first);
    dlclose(second);
  }

  TEST_CASE("the number of loaded libraries changes when one is loaded") {
    const unsigned long long before = loaded_count();
    CHECK(before > 0);
    CHECK(loaded_count() == before);
    void* const library = dlopen(CBLAS_HOST32, RTLD_LAZY | RTLD_LOCAL);
    REQUIRE(library != nullptr);
    CHECK(loaded_count() != before);
    dlclose(library);
  }

  TEST_CASE("libraries are asked for the width of their integers, whatever their name is") {
    const auto is_wide = [](const char* path, const char* function) {
      void* const library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
      REQUIRE(library != nullptr);
      return has_wide_integers(dlsym(library, function));
    };
    CHECK(is_wide(FORTRAN_HOST64, "small_host_"));
    CHECK(!is_wide(FORTRAN_HOST32, "small_host_"));
    CHECK(is_wide(CBLAS_HOST64, "cblas_small_host"));
    CHECK(!is_wide(CBLAS_HOST32, "cblas_small_host"));
    CHECK(!has_wide_integers(find_host_function("dgemm_", "", "")));
    for (const char* path : {"libblas64.so.3", "liblapack64.so.3", "libopenblas64.so.0", "libblis64.so.4"})
      if (void* const library = dlopen(path, RTLD_LAZY | RTLD_LOCAL))
        CHECK(has_wide_integers(dlsym(library, "dgemm_")));
    CHECK(library_of(nullptr).empty());
    CHECK(!has_wide_integers(nullptr));
  }
}

}  // namespace tilewright::blas
