// Kernels in inline PTX are valid OpenCL C, with the options of products and with their defaults. Only NVIDIA's driver
// compiles them, so Clang parses them where that driver is missing.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gemm/core_problem.hpp"
#include "gemm/program.hpp"
#include "gemm/selector.hpp"
#include "gemm/variant.hpp"
#include "kernels/element_type.hpp"
#include "lu/lu_kernels.hpp"
#include "runtime/probe.hpp"
#include "runtime/program/kernel_source.hpp"
#include "support/profiles.hpp"
#include "support/run_report.hpp"
#include "verification/common/temporary_file.hpp"

namespace tilewright::test {
namespace {

// Rows that are whole vectors and rows that are not, few and many steps of k, and an epilogue.
std::vector<GemmProblem> problems(DataType type) {
  GemmProblem whole{.type = type, .m = 512, .n = 256, .k = 64}, odd{.type = type, .m = 301, .n = 203, .k = 19};
  GemmProblem deep{.type = type, .trans_a = Transpose::yes, .trans_b = Transpose::yes, .m = 64, .n = 65, .k = 60001};
  GemmProblem residual = odd;
  residual.epilogue.residual = true;
  std::vector<GemmProblem> result{whole, odd, deep};
  if (!detail::is_integer(type)) result.push_back(residual);
  return result;
}

// These problems, and triangles and ranges of k of real and complex products.
std::vector<detail::CoreProblem> cores(const detail::GemmVariant& variant, DataType type, bool on_tensor_cores,
                                       const DeviceProfile& device) {
  std::vector<detail::CoreProblem> result;
  const auto add = [&](GemmProblem problem, std::optional<detail::WantedTriangle> triangle,
                       std::optional<detail::KRange> range = {}) {
    if (problem.type == DataType::f32 && on_tensor_cores) problem.accuracy = Accuracy::tf32;
    const detail::CoreProduct product{detail::normalized(problem), triangle, range};
    detail::CoreProblem core = detail::core_of(product, device);
    if (is_complex(problem.type) && detail::why_unsupported(variant, core.problem, device).empty())
      core = detail::core_of(product, device, variant, variant.preferences(core.problem, device).front());
    // Others have no program for a triangle.
    const bool has_triangle = range && range->is_triangle;
    if (!has_triangle || std::string_view(variant.name) == "tensor_f64") result.push_back(std::move(core));
  };
  for (const GemmProblem& problem : problems(type)) add(problem, std::nullopt);
  if (detail::is_integer(type)) return result;
  const bool has_complex = type == DataType::f64 || (type == DataType::f32 && !on_tensor_cores);
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const auto& [n, k] : {std::pair(512U, 64U), {301U, 19U}, {65U, 60001U}}) {
      add({.type = type, .m = n, .n = n, .k = k}, detail::WantedTriangle{.uplo = uplo});
      if (has_complex)
        add({.type = type == DataType::f64 ? DataType::c128 : DataType::c64, .m = n, .n = n, .k = k},
            detail::WantedTriangle{.uplo = uplo, .real_diagonal = n == 301});
    }
  for (const bool of_rows : {false, true})
    for (const bool is_upper : {false, true})
      for (const auto& [n, k] : {std::pair(512U, 512U), {301U, 256U}}) {
        const detail::KRange blocks{.of_rows = of_rows, .is_upper = is_upper, .block = 64};
        detail::KRange triangle = blocks;
        triangle.is_triangle = true;
        triangle.is_unit = n == 301;
        for (const detail::KRange& range : {blocks, triangle}) {
          add({.type = type, .m = n, .n = n, .k = k}, std::nullopt, range);
          if (has_complex)
            add({.type = type == DataType::f64 ? DataType::c128 : DataType::c64, .m = n, .n = n, .k = k}, std::nullopt,
                range);
        }
      }
  return result;
}

// Returns Clang's errors.
std::string errors_in(const std::string& source, const std::string& options) {
  const verification::TemporaryFile kernel, errors;
  std::ofstream(kernel.path()) << source;
  // OpenCL C has no asm, which NVIDIA's compiler adds.
  const std::string command = "clang -w -target nvptx64-nvidia-nvcl -x cl -Dasm=__asm__ -Dcl_khr_fp16 -fsyntax-only " +
                              options + " '" + kernel.path() + "' 2>'" + errors.path() + "'";
  if (std::system(command.c_str()) == 0) return {};
  std::ifstream input(errors.path());
  return {std::istreambuf_iterator<char>(input), {}};
}

bool has_clang() {
  if (std::system("clang -x cl -fsyntax-only -target nvptx64-nvidia-nvcl /dev/null 2>/dev/null") == 0) return true;
  MESSAGE("not tried: Clang is not installed");
  return false;
}

}  // namespace

TEST_SUITE("ptx syntax") {
  TEST_CASE("products: kernels in PTX are valid OpenCL C") {
    if (!has_clang()) return;
    CHECK_FALSE(errors_in("kernel void wrong(global int* c) { *c = missing; }", "").empty());
    const DeviceProfile device = typical_hopper();
    std::size_t checked = 0;
    for (const detail::GemmVariant* const variant : detail::Operation<GemmProblem>::variants()) {
      CAPTURE(std::string(variant->name));
      const bool on_tensor_cores = std::string_view(variant->name).starts_with("tensor");
      for (const DataType type : {DataType::f16, DataType::f32, DataType::f64, DataType::i8}) {
        CAPTURE(to_string(type));
        std::string source;
        std::set<std::string> tried;
        for (const detail::CoreProblem& core : cores(*variant, type, on_tensor_cores, device)) {
          const detail::CoreProduct& product = core.problem;
          if (!detail::why_unsupported(*variant, product, device).empty()) continue;
          const detail::ParameterValues values = variant->preferences(product, device).front();
          const detail::ProgramRequest request =
              detail::program_request(detail::gemm_source(*variant, values, core, device),
                                      variant->execution(values, product, device).launches);
          if (request.source.find("asm volatile(") == std::string::npos || !tried.insert(request.options).second)
            continue;
          source = request.source;
          CAPTURE(request.options);
          CHECK(errors_in(source, request.options) == "");
          count_cases();
          ++checked;
        }
        if (!source.empty()) CHECK(errors_in(source, "-cl-std=CL1.2" + detail::element_options(type)) == "");
      }
    }
    CHECK(checked > 100);
  }

  TEST_CASE("probes: kernels in PTX are valid OpenCL C") {
    if (!has_clang()) return;
    for (const Ability ability : {Ability::inline_ptx, Ability::tensor_cores, Ability::warpgroup_tensor_cores,
                                  Ability::fp64_tensor_cores, Ability::tensor_maps}) {
      const detail::ProgramRequest request = detail::probe_program(ability);
      CAPTURE(request.name);
      CHECK(request.source.find("asm") != std::string::npos);
      CHECK(errors_in(request.source, request.options) == "");
      count_cases();
    }
  }

  TEST_CASE("LU: kernels in PTX are valid OpenCL C") {
    if (!has_clang()) return;
    const auto problem_of = [](DataType type, std::uint64_t m, std::uint64_t n, std::uint64_t count) {
      return detail::LuProblem{.type = type, .m = m, .n = n, .lda = m, .batch = {.count = count, .stride_a = m * n}};
    };
    for (const DataType type : {DataType::f32, DataType::f64, DataType::c64, DataType::c128})
      for (const detail::LuProblem& problem : {problem_of(type, 500, 500, 1), problem_of(type, 20000, 300, 1),
                                               problem_of(type, 33000, 33000, 1), problem_of(type, 30, 20, 100)}) {
        CAPTURE(to_string(type));
        CAPTURE(problem.m);
        const detail::LuShape shape = detail::lu_shape(typical_hopper(), problem);
        CHECK(shape.wide_index == (problem.m == 33000));
        const detail::ProgramRequest request = detail::program_request(detail::lu_source(shape, type), {});
        CHECK((request.source.find("asm volatile(") != std::string::npos) == (problem.batch.count == 1));
        CHECK(errors_in(request.source, request.options) == "");
        count_cases();
      }
  }
}

}  // namespace tilewright::test
