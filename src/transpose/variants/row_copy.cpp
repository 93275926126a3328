#include <algorithm>

#include "transpose/variants/cpu_blocks.hpp"

namespace tilewright::detail {

extern const TransposeVariant row_copy;
namespace {

using Config = const Configuration&;
using Problem = const TransposeProblem&;
using Profile = const DeviceProfile&;

std::int64_t vector_of(Problem p) {
  return std::clamp<std::int64_t>(16 / static_cast<std::int64_t>(p.type.bytes()), 1, 16);
}

}  // namespace

const TransposeVariant row_copy{
    .name = "row_copy",
    .summary = "copies rows, for op(A) = A",
    .file = "transpose/row_copy.cl",
    .shared_files = {"transpose/lines.cl"},
    .parameters =
        {
            {"wg_m", {}, "work-items of a group along m", {1, 2, 4, 8}},
            {"wg_n", {}, "work-items of a group along n", {1, 16, 32, 64, 128, 256}},
            {"vector", {}, "elements of a line", {1, 2, 4, 8, 16}},
        },
    .constraints = vector_constraints(),
    .edges = [](const Configuration& c) -> Edges {
      return {{c["wg_m"]}, {c["vector"] * c["wg_n"], c["vector"]}};
    },
    .unsupported = [](Problem p, Profile) -> std::string {
      if (p.trans == Transpose::yes) return "it does not transpose";
      if (p.in_place && p.lda != p.ldb) return "rows of B would overwrite rows of A before they are read";
      return {};
    },
    .preferences =
        [](Problem p, Profile) {
          return std::vector<Configuration>{{{"wg_m", 4}, {"wg_n", 64}, {"vector", vector_of(p)}},
                                            {{"wg_m", 1}, {"wg_n", 16}, {"vector", vector_of(p)}},
                                            {{"wg_m", 1}, {"wg_n", 1}, {"vector", 1}}};
        },
    .launch_parameters = {"wg_m", "wg_n"},
    .extra_defines = [](Config c, Problem p) { return line_defines(p, c["vector"]); },
    .launches =
        [](Config c, Problem p, Profile) {
          const auto wg_m = static_cast<std::size_t>(c["wg_m"]), wg_n = static_cast<std::size_t>(c["wg_n"]);
          return std::vector<Launch>{
              {.kernel = "transpose",
               .arguments = transpose_arguments(p),
               .global = {ceil_div(p.n, c["wg_n"] * c["vector"]) * wg_n, ceil_div(p.m, c["wg_m"]) * wg_m},
               .local = {wg_n, wg_m}}};
        },
};

}  // namespace tilewright::detail
