#include "transpose/variants/cpu_blocks.hpp"
#include "transpose/variants/swapped.hpp"

namespace tilewright::detail {

extern const TransposeVariant swapped_blocks;
namespace {

std::vector<Constraint<TransposeProblem>> constraints() {
  auto result = vector_constraints();
  result.push_back({"tile is a multiple of vector",
                    "blocks do not cross tiles",
                    {"tile", "vector"},
                    [](const Configuration& c, const TransposeProblem&, const DeviceProfile&) {
                      return c["tile"] % c["vector"] == 0;
                    }});
  return result;
}

}  // namespace

const TransposeVariant swapped_blocks{
    .name = "swapped_blocks",
    .summary = "a square matrix in place: swaps blocks in vector registers, for CPUs",
    .file = "transpose/swapped_blocks.cl",
    .shared_files = {"transpose/lines.cl"},
    .parameters =
        {
            {"tile", {}, "rows and columns of a tile", {16, 32, 64, 128, 256}},
            {"vector", {}, "rows and columns of a block", {1, 2, 4, 8, 16}},
        },
    .constraints = constraints(),
    .edges = [](const Configuration& c) -> Edges {
      return {{c["tile"], c["vector"]}, {c["tile"], c["vector"]}};
    },
    .unsupported = only_squares_in_place,
    .preferences =
        [](const TransposeProblem& p, const DeviceProfile& d) {
          return std::vector<Configuration>{{{"tile", 64}, {"vector", native_vector(p, d)}}};
        },
    .extra_defines = [](const Configuration& c, const TransposeProblem& p) { return line_defines(p, c["vector"]); },
    .private_bytes = [](const Configuration& c, const TransposeProblem& p,
                        const DeviceProfile&) { return bytes_of_elements(p, 4 * c["vector"] * c["vector"]); },
    .launches = [](const Configuration& c, const TransposeProblem& p,
                   const DeviceProfile&) { return launch_over_triangle(p, c["tile"], 1); },
};

}  // namespace tilewright::detail
