#include "transpose/variants/cpu_blocks.hpp"
#include "transpose/variants/swapped.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

struct SwappedBlocks {
  std::int64_t tile, vector;
};

}  // namespace

extern constexpr TransposeVariant swapped_blocks{
    .name = "swapped_blocks",
    .summary = "a square matrix in place: swaps blocks in vector registers, for CPUs",
    .program = {.file = "transpose/swapped_blocks.cl",
                .shared_files = {"transpose/lines.cl"},
                .extra_defines = [](const SwappedBlocks& c,
                                    const TransposeProblem& p) { return line_defines(p, c.vector); }},
    .parameters =
        {
            {"tile", &SwappedBlocks::tile, "rows and columns of a tile", {16, 32, 64, 128, 256}},
            {"vector", &SwappedBlocks::vector, "rows and columns of a block", {1, 2, 4, 8, 16}},
        },
    .constraints = {vector_exists<SwappedBlocks>,
                    vector_of_small_elements<SwappedBlocks>,
                    {"tile is a multiple of vector",
                     "blocks do not cross tiles",
                     {&SwappedBlocks::tile, &SwappedBlocks::vector},
                     [](const SwappedBlocks& c, const TransposeProblem&, const DeviceProfile&) {
                       return c.tile % c.vector == 0;
                     }}},
    .preferences = [](const TransposeProblem& p, const DeviceProfile& d) -> std::vector<ParameterValues> {
      return {SwappedBlocks{64, native_vector(p, d)}};
    },
    .edges = [](const SwappedBlocks& c) -> Edges {
      return {{c.tile, c.vector}, {c.tile, c.vector}};
    },
    .needs = {.unsupported = only_squares_in_place},
    .memory = {.private_bytes = [](const SwappedBlocks& c, const TransposeProblem& p,
                                   const DeviceProfile&) { return bytes_of_elements(p, 4 * c.vector * c.vector); }},
    .execution = [](const SwappedBlocks& c, const TransposeProblem& p,
                    const DeviceProfile&) { return over_triangle(p, c.tile, 1); },
};

}  // namespace tilewright::detail::transpose_variants
