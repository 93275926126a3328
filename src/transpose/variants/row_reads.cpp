#include "transpose/variant.hpp"

namespace tilewright::detail {

extern const TransposeVariant row_reads;

const TransposeVariant row_reads{
    .name = "row_reads",
    .summary = "one element per work-item, reads along rows of A",
    .file = "transpose/row_reads.cl",
    .parameters =
        {
            {"wg_m", {}, "work-items of a group along m", {1, 2, 4, 8, 16, 32}},
            {"wg_n", {}, "work-items of a group along n", {1, 8, 16, 32, 64, 128, 256}},
        },
    .edges = [](const Configuration& c) -> Edges {
      return {{c["wg_m"]}, {c["wg_n"]}};
    },
    .unsupported = only_out_of_place,
    .preferences =
        [](const TransposeProblem&, const DeviceProfile&) {
          return std::vector<Configuration>{
              {{"wg_m", 8}, {"wg_n", 32}}, {{"wg_m", 1}, {"wg_n", 64}}, {{"wg_m", 1}, {"wg_n", 1}}};
        },
    .launch_parameters = {"wg_m", "wg_n"},
    .launches =
        [](const Configuration& c, const TransposeProblem& p, const DeviceProfile&) {
          const auto wg_m = static_cast<std::size_t>(c["wg_m"]), wg_n = static_cast<std::size_t>(c["wg_n"]);
          return std::vector<Launch>{{.kernel = "transpose",
                                      .arguments = transpose_arguments(p),
                                      .global = {ceil_div(p.n, c["wg_n"]) * wg_n, ceil_div(p.m, c["wg_m"]) * wg_m},
                                      .local = {wg_n, wg_m}}};
        },
};

}  // namespace tilewright::detail
