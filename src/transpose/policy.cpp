// The default variants of transpose, by the type of the device and the form of the problem.
#include "selection/record_book.hpp"
#include "transpose/variant.hpp"
#include "transpose/vector_tile.hpp"

namespace tilewright::detail {

namespace transpose_variants {
extern const TransposeVariant row_writes, padded_tile, vector_tile, register_block, row_copy, swapped_tiles,
    swapped_blocks, decomposed, through_workspace;
}

namespace {

using namespace transpose_variants;

bool is_cpu(const TransposeProblem&, const DeviceProfile& device) { return device.type == DeviceType::cpu; }

bool is_in_vectors(const TransposeProblem& p, const DeviceProfile&) {
  const std::int64_t width = preferred_vector(p);
  return lines_are_vectors(stored_a(p), p, width) && lines_are_vectors(stored_b(p), p, width);
}

// The variants in the order in which they are tried, with the reason.
constexpr Default<TransposeProblem> defaults[] = {
    {{&row_copy, "default for op(A) = A: copies rows"}},
    {{&swapped_blocks, "default for squares in place on CPUs: swaps blocks in vector registers"}, is_cpu},
    {{&swapped_tiles, "default for squares in place: swaps two tiles in local memory"}},
    {{&decomposed, "default in place: permutations of rows and columns, with a small workspace"}},
    {{&through_workspace, "in place with gaps between rows: uses a workspace of the matrix's size"}},
    {{&register_block, "default for CPUs: blocks in vector registers, whole cache lines"}, is_cpu},
    {{&vector_tile, "default for GPUs: vectors on both sides, a tile in local memory"}, is_in_vectors},
    {{&padded_tile, "default for GPUs if rows do not start at aligned vectors"}},
    {{&row_writes, "runs everywhere"}},
};

}  // namespace

UntunedChoice<TransposeProblem> Operation<TransposeProblem>::untuned(const TransposeProblem& problem,
                                                                     const DeviceProfile& device) {
  return first_usable<TransposeProblem>(defaults, problem, device);
}

}  // namespace tilewright::detail
