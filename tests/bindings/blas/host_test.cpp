#include "bindings/blas/host.hpp"

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

  TEST_CASE("the names of libraries tell the width of their integers") {
    for (const char* wide :
         {"/lib/libblas64.so.3", "liblapack64.so.3", "/x/libopenblas64.so.0", "libmkl_intel_ilp64.so"})
      CHECK(has_wide_integers(wide));
    for (const char* narrow : {"/usr/lib64/libblas.so.3", "/lib/x86_64/libopenblas.so.0", "libmkl_lp64.so", ""})
      CHECK(!has_wide_integers(narrow));
    CHECK(library_of(nullptr).empty());
  }
}

}  // namespace tilewright::blas
