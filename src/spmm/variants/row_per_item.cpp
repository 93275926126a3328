#include "spmm/variant.hpp"

namespace tilewright::detail::spmm_variants {
namespace {

struct RowPerItem {
  std::int64_t wg;
};

}  // namespace

extern constexpr SpmmVariant row_per_item{
    .name = "row_per_item",
    .summary = "a work-item walks a row of A for each element of C",
    .program = {.file = "spmm/row_per_item.cl", .launch_parameters = {&RowPerItem::wg}},
    .parameters = {{"wg", &RowPerItem::wg, "work-items of a group", {16, 64, 128, 256}}},
    .preferences = [](const SpmmCore&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {RowPerItem{128}, RowPerItem{16}, RowPerItem{1}};
    },
    .edges = [](const RowPerItem& c) -> Edges {
      return {{c.wg}, {}};
    },
    .needs = reals,
    .execution = [](const RowPerItem& c, const SpmmCore& core, const DeviceProfile&) -> Execution {
      const auto wg = static_cast<std::size_t>(c.wg);
      return {.launches = {{.kernel = "spmm",
                            .arguments = spmm_arguments(core),
                            .global = {ceil_div(core.a.rows, c.wg) * wg, core.n},
                            .local = {wg, 1}}}};
    },
};

}  // namespace tilewright::detail::spmm_variants
