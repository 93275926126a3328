#include "transpose/variant.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

struct RowReads {
  std::int64_t wg_m, wg_n;
};

}  // namespace

extern constexpr TransposeVariant row_reads{
    .name = "row_reads",
    .summary = "one element per work-item, reads along rows of A",
    .program = {.file = "transpose/row_reads.cl"},
    .parameters =
        {
            {"wg_m", &RowReads::wg_m, "work-items of a group along m", {1, 2, 4, 8, 16, 32}},
            {"wg_n", &RowReads::wg_n, "work-items of a group along n", {1, 8, 16, 32, 64, 128, 256}},
        },
    .preferences = [](const TransposeProblem&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {RowReads{8, 32}, RowReads{1, 64}, RowReads{1, 1}};
    },
    .edges = [](const RowReads& c) -> Edges {
      return {{c.wg_m}, {c.wg_n}};
    },
    .needs = {.unsupported = only_out_of_place},
    .execution = [](const RowReads& c, const TransposeProblem& p, const DeviceProfile&) -> Execution {
      const auto wg_m = static_cast<std::size_t>(c.wg_m), wg_n = static_cast<std::size_t>(c.wg_n);
      return {.launches = {{.kernel = "transpose",
                            .arguments = transpose_arguments(p),
                            .global = {ceil_div(p.n, c.wg_n) * wg_n, ceil_div(p.m, c.wg_m) * wg_m},
                            .local = {wg_n, wg_m}}}};
    },
};

}  // namespace tilewright::detail::transpose_variants
