#include <algorithm>

#include "transpose/variants/cpu_blocks.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

struct RowCopy {
  std::int64_t wg_m, wg_n, vector;
};

using Problem = const TransposeProblem&;
using Profile = const DeviceProfile&;

std::int64_t vector_of(Problem p) {
  return std::clamp<std::int64_t>(16 / static_cast<std::int64_t>(p.type.bytes()), 1, 16);
}

}  // namespace

extern constexpr TransposeVariant row_copy{
    .name = "row_copy",
    .summary = "copies rows, for op(A) = A",
    .program = {.file = "transpose/row_copy.cl",
                .shared_files = {"transpose/lines.cl"},
                .extra_defines = [](const RowCopy& c, Problem p) { return line_defines(p, c.vector); }},
    .parameters =
        {
            {"wg_m", &RowCopy::wg_m, "work-items of a group along m", {1, 2, 4, 8}},
            {"wg_n", &RowCopy::wg_n, "work-items of a group along n", {1, 16, 32, 64, 128, 256}},
            {"vector", &RowCopy::vector, "elements of a line", {1, 2, 4, 8, 16}},
        },
    .constraints = {vector_exists<RowCopy>, vector_of_small_elements<RowCopy>},
    .preferences = [](Problem p, Profile) -> std::vector<ParameterValues> {
      return {RowCopy{4, 64, vector_of(p)}, RowCopy{1, 16, vector_of(p)}, RowCopy{1, 1, 1}};
    },
    .edges = [](const RowCopy& c) -> Edges {
      return {{c.wg_m}, {c.vector * c.wg_n, c.vector}};
    },
    .needs = {.unsupported = [](Problem p, Profile) -> std::string {
      if (p.trans == Transpose::yes) return "it does not transpose";
      if (p.in_place && p.lda != p.ldb) return "rows of B would overwrite rows of A before they are read";
      return {};
    }},
    .execution = [](const RowCopy& c, Problem p, Profile) -> Execution {
      const auto wg_m = static_cast<std::size_t>(c.wg_m), wg_n = static_cast<std::size_t>(c.wg_n);
      return {.launches = {{.kernel = "transpose",
                            .arguments = transpose_arguments(p),
                            .global = {ceil_div(p.n, c.wg_n * c.vector) * wg_n, ceil_div(p.m, c.wg_m) * wg_m},
                            .local = {wg_n, wg_m}}}};
    },
};

}  // namespace tilewright::detail::transpose_variants
