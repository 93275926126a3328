#include "transpose/variant.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

struct RowWrites {
  std::int64_t wg_m, wg_n;
};

}  // namespace

extern constexpr TransposeVariant row_writes{
    .name = "row_writes",
    .summary = "one element per work-item, writes along rows of B",
    .program = {.file = "transpose/row_writes.cl"},
    .parameters =
        {
            {"wg_m", &RowWrites::wg_m, "work-items of a group along m", {1, 8, 16, 32, 64, 128, 256}},
            {"wg_n", &RowWrites::wg_n, "work-items of a group along n", {1, 2, 4, 8, 16, 32}},
        },
    .preferences = [](const TransposeProblem&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {RowWrites{32, 8}, RowWrites{64, 1}, RowWrites{1, 1}};
    },
    .edges = [](const RowWrites& c) -> Edges {
      return {{c.wg_m}, {c.wg_n}};
    },
    .needs = {.unsupported = only_out_of_place},
    .execution = [](const RowWrites& c, const TransposeProblem& p, const DeviceProfile&) -> Execution {
      const auto wg_m = static_cast<std::size_t>(c.wg_m), wg_n = static_cast<std::size_t>(c.wg_n);
      return {.launches = {{.kernel = "transpose",
                            .arguments = transpose_arguments(p),
                            .global = {ceil_div(p.m, c.wg_m) * wg_m, ceil_div(p.n, c.wg_n) * wg_n},
                            .local = {wg_m, wg_n}}}};
    },
};

}  // namespace tilewright::detail::transpose_variants
