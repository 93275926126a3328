#include "gemm/variant.hpp"

namespace tilewright::detail::gemm_variants {
namespace {

struct RowPerItem {
  std::int64_t wg;
};

}  // namespace

extern constexpr GemmVariant row_per_item{
    .name = "row_per_item",
    .summary = "one row of C per work-item",
    .program = {.file = "gemm/row_per_item.cl", .launch_parameters = {&RowPerItem::wg}},
    .parameters = {{"wg", &RowPerItem::wg, "work-items per group", {1, 2, 4, 8, 16, 32, 64, 128, 256}}},
    .preferences = [](const CoreProduct&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {RowPerItem{32}, RowPerItem{1}};
    },
    .edges = [](const RowPerItem& c) -> Edges {
      return {{c.wg}, {}};
    },
    .execution = [](const RowPerItem& c, const CoreProduct& p, const DeviceProfile&) { return over_rows(p, c.wg); },
};

}  // namespace tilewright::detail::gemm_variants
