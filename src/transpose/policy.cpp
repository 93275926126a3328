// What transpose runs untuned: by the device's type, and by where the matrices are.
#include "selection/record_book.hpp"
#include "transpose/variant.hpp"

namespace tilewright::detail {

extern const TransposeVariant row_writes, padded_tile, vector_tile, register_block, row_copy, swapped_tiles,
    swapped_blocks, decomposed, through_workspace;

namespace {

bool is_cpu(const TransposeProblem&, const DeviceProfile& device) { return device.type == DeviceType::cpu; }

bool is_in_vectors(const TransposeProblem& p, const DeviceProfile& d) {
  const std::int64_t width = vector_tile.preferences(p, d).front()["vector"];
  return lines_are_vectors(stored_a(p), p, width) && lines_are_vectors(stored_b(p), p, width);
}

// The order in which variants are tried, and why.
constexpr Default<TransposeProblem> defaults[] = {
    {{&row_copy, "for op(A) = A: rows are copied"}},
    {{&swapped_blocks, "default for squares in place on CPUs: blocks in vector registers change places"}, is_cpu},
    {{&swapped_tiles, "default for squares in place: two tiles in local memory change places"}},
    {{&decomposed, "default in place: permutations of rows and columns, with a small workspace"}},
    {{&through_workspace, "in place with gaps between rows: a workspace of the matrix's size"}},
    {{&register_block, "default for CPUs: blocks in vector registers, whole cache lines"}, is_cpu},
    {{&vector_tile, "default for GPUs: vectors on both sides, a tile in local memory"}, is_in_vectors},
    {{&padded_tile, "default for GPUs where rows do not begin at whole vectors"}},
    {{&row_writes, "runs everywhere"}},
};

}  // namespace

UntunedChoice<TransposeProblem> Operation<TransposeProblem>::untuned(const TransposeProblem& problem,
                                                                     const DeviceProfile& device) {
  return first_usable<TransposeProblem>(defaults, problem, device);
}

}  // namespace tilewright::detail
