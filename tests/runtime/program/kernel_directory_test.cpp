// TILEWRIGHT_KERNEL_DIR: kernels from a directory instead of the library, with a warning and clear errors.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/environment.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/log.hpp"

namespace tilewright::test {
namespace {

// A copy of cl/ that is removed after the test.
class KernelDirectory {
 public:
  KernelDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "tilewright-kernels-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
    std::filesystem::copy(TILEWRIGHT_TEST_KERNELS, path_, std::filesystem::copy_options::recursive);
  }
  ~KernelDirectory() { std::filesystem::remove_all(path_); }
  KernelDirectory(const KernelDirectory&) = delete;
  KernelDirectory& operator=(const KernelDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_SUITE("kernel directory") {
  TEST_CASE("kernels come from TILEWRIGHT_KERNEL_DIR, with a warning and clear errors") {
    std::vector<std::string> warnings;
    set_log_callback([&](std::string_view message) { warnings.emplace_back(message); });
    const KernelDirectory kernels;
    const ScopedEnvironment variable("TILEWRIGHT_KERNEL_DIR", kernels.path().string());

    // A complete copy behaves like the library. The warning appears once, however many programs are made.
    const Engine engine(device_under_test());
    const SmallProduct product(engine);
    product.expect_right({"naive", {}});
    product.expect_right({"local_tile", {}});
    REQUIRE(warnings.size() == 1);
    CHECK(mentions(warnings.front(), "TILEWRIGHT_KERNEL_DIR"));
    CHECK(mentions(warnings.front(), kernels.path().string()));

    // The contents of the directory are compiled.
    std::ofstream(kernels.path() / "gemm" / "row_per_item.cl", std::ios::app) << "\n#error broken on purpose\n";
    const auto broken = product.expect_refused(ErrorCode::build_failed, {"row_per_item", {}});
    CHECK(mentions(broken, engine.profile().name));
    CHECK(mentions(broken, "row_per_item"));
    CHECK(mentions(broken, "-DACCUM_BITS=32"));
    CHECK(mentions(broken, "broken on purpose"));
    // The message gives the position in the file, and gives it once.
    std::ifstream edited(kernels.path() / "gemm" / "row_per_item.cl");
    const auto lines = std::count(std::istreambuf_iterator<char>(edited), {}, '\n');
    const std::string place = "gemm/row_per_item.cl:" + std::to_string(lines);
    CHECK(mentions(broken, place));
    CHECK(broken.find(place) == broken.rfind(place));
    // A failed program is not cached as a success.
    product.expect_refused(ErrorCode::build_failed, {"row_per_item", {}});

    // A very long log is cut at its start, because compilers write their summary at the end.
    {
      std::ofstream file(kernels.path() / "gemm" / "private_row.cl");
      for (int line = 0; line < 3000; ++line) file << "#warning line " << line << " of a long log\n";
      file << "#error the end of the log\n";
    }
    const auto long_log = product.expect_refused(ErrorCode::build_failed, {"private_row", {}});
    CHECK(long_log.size() < 20000);

    std::filesystem::remove(kernels.path() / "gemm" / "local_column.cl");
    const auto missing = product.expect_refused(ErrorCode::missing_kernel_source, {"local_column", {}});
    CHECK(mentions(missing, "local_column.cl"));
    CHECK(mentions(missing, "TILEWRIGHT_KERNEL_DIR"));

    // A file without the kernel that the library needs.
    std::ofstream(kernels.path() / "gemm" / "local_column.cl") << "__kernel void other(void) {}\n";
    CHECK_THROWS_AS(GemmPlan(engine, product.problem, {"local_column", {}}), Error);
    set_log_callback({});
  }
}

}  // namespace tilewright::test
