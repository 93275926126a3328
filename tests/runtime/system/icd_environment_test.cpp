#include "runtime/system/icd_environment.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>

#include "support/child_process.hpp"
#include "support/environment.hpp"

namespace tilewright::test {

TEST_SUITE("ICD environment") {
  TEST_CASE("a variable truncated by the loader is distinguished from another value") {
    CHECK(detail::is_cut("libpocl.so.2", "libpocl.so.2:libnvidia-opencl.so.1"));
    CHECK(detail::is_cut("", ":b"));
    CHECK_FALSE(detail::is_cut("libpocl.so.2:libnvidia-opencl.so.1", "libpocl.so.2:libnvidia-opencl.so.1"));
    CHECK_FALSE(detail::is_cut("libpocl.so", "libpocl.so.2:b"));
    CHECK_FALSE(detail::is_cut("other", "libpocl.so.2:b"));
    CHECK_FALSE(detail::is_cut("", ""));
  }

  // The worker truncates the variable as the loader does, then starts a child as the command does.
  TEST_CASE("a child process finds every driver of the program") {
    const ScopedEnvironment drivers("OCL_ICD_FILENAMES", "first.so:second.so:third.so");
    ChildProcess worker({TILEWRIGHT_ICD_WORKER, "parent"});
    CHECK(worker.wait() == 0);
  }
}

}  // namespace tilewright::test
