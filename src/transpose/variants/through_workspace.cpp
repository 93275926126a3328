#include "kernels/build_options.hpp"
#include "transpose/variants/vector_tiles.hpp"

namespace tilewright::detail::transpose_variants {

extern constexpr TransposeVariant through_workspace{
    .name = "through_workspace",
    .summary = "any matrix in place, through a workspace of its own size",
    .program = {.file = "transpose/through_workspace.cl",
                .shared_files = {"transpose/lines.cl", "transpose/tile_moves.cl"},
                // Rows of the workspace start where op(A) has them, which may not be at aligned vectors.
                .extra_defines =
                    [](const VectorTile&, const TransposeProblem& p) {
                      return define("TRANSPOSED", p.trans == Transpose::yes);
                    }},
    .parameters = vector_tile_parameters,
    .constraints = vector_tile_constraints,
    .preferences = vector_tile_preferences,
    .edges = vector_tile_edges,
    .needs = {.unsupported = [](const TransposeProblem& p, const DeviceProfile&) -> std::string {
      return p.in_place ? "" : "it works in place";
    }},
    .memory = {.local_bytes =
                   [](const VectorTile& c, const TransposeProblem& p) {
                     return p.trans == Transpose::yes ? vector_tile_bytes(c, p) : 0;
                   },
               .private_bytes = vector_tile_private_bytes},
    .execution =
        [](const VectorTile& c, const TransposeProblem& p, const DeviceProfile&) {
          using namespace transpose_slots;
          Execution execution = over_tiles(p, c.tile_m, c.tile_n, c.wg);
          execution.workspaces = {{.bytes = bytes_of(p.m * p.batch.count, p.n, p.type.bytes())}};
          execution.launches.front().arguments =
              with_common_arguments({index(p.m), index(p.n), a, index(p.lda), workspace(0)}, p);
          const StoredMatrix result = stored_b(p);
          const auto wg = static_cast<std::size_t>(c.wg);
          execution.launches.push_back(
              {.kernel = "copy_back",
               .arguments = {index(p.m), index(p.n), workspace(0), b, index(p.ldb), batch},
               .global = {rounded_up(result.columns, c.wg), static_cast<std::size_t>(result.rows)},
               .local = {wg, 1}});
          return execution;
        },
};

}  // namespace tilewright::detail::transpose_variants
