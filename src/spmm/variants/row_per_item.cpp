#include "spmm/variant.hpp"

namespace tilewright::detail {

extern const SpmmVariant row_per_item_spmm;

const SpmmVariant row_per_item_spmm{
    .name = "row_per_item",
    .summary = "a work-item walks a row of A for each element of C",
    .file = "spmm/row_per_item.cl",
    .parameters = {{"wg", {}, "work-items of a group", {16, 64, 128, 256}}},
    .edges = [](const Configuration& c) -> Edges {
      return {{c["wg"]}, {}};
    },
    .types = sums_of_reals,
    .why_no_other_type = only_reals,
    .unsupported = always_supported<SpmmCore>,
    .preferences =
        [](const SpmmCore&, const DeviceProfile&) {
          return std::vector<Configuration>{{{"wg", 128}}, {{"wg", 16}}, {{"wg", 1}}};
        },
    .launch_parameters = {"wg"},
    .launches =
        [](const Configuration& c, const SpmmCore& core, const DeviceProfile&) {
          const auto wg = static_cast<std::size_t>(c["wg"]);
          return std::vector<Launch>{{.kernel = "spmm",
                                      .arguments = spmm_arguments(core),
                                      .global = {ceil_div(core.a.rows, c["wg"]) * wg, core.n},
                                      .local = {wg, 1}}};
        },
};

}  // namespace tilewright::detail
