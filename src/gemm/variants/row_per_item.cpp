#include "gemm/variant.hpp"

namespace tilewright::detail {

extern const GemmVariant row_per_item;

const GemmVariant row_per_item{
    .name = "row_per_item",
    .summary = "one row of C per work-item",
    .file = "gemm/row_per_item.cl",
    .parameters = {{"wg", {}, "work-items per group", {1, 2, 4, 8, 16, 32, 64, 128, 256}}},
    .edges = [](const Configuration& c) -> Edges {
      return {{c["wg"]}, {}};
    },
    .unsupported = always_supported,
    .preferences =
        [](const GemmProblem&, const DeviceProfile&) {
          return std::vector<Configuration>{{{"wg", 32}}, {{"wg", 1}}};
        },
    .launches = launch_over_rows,
};

}  // namespace tilewright::detail
