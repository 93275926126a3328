#include "transpose/registry.hpp"

namespace tilewright::detail {

// All variants, each in the file of its name.
#define TILEWRIGHT_TRANSPOSE_VARIANTS(variant)                                                                      \
  variant(row_reads) variant(row_writes) variant(square_tile) variant(oblong_tile) variant(padded_tile)             \
      variant(vector_tile) variant(register_block) variant(row_copy) variant(swapped_tiles) variant(swapped_blocks) \
          variant(decomposed) variant(through_workspace)

#define TILEWRIGHT_DECLARE(name) extern const TransposeVariant name;
TILEWRIGHT_TRANSPOSE_VARIANTS(TILEWRIGHT_DECLARE)

namespace {

#define TILEWRIGHT_ADDRESS(name) &(name),
constexpr const TransposeVariant* variants[] = {TILEWRIGHT_TRANSPOSE_VARIANTS(TILEWRIGHT_ADDRESS)};

}  // namespace

std::span<const TransposeVariant* const> transpose_registry() { return variants; }

}  // namespace tilewright::detail
