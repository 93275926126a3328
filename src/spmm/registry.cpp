#include "spmm/registry.hpp"

namespace tilewright::detail {

// All variants, each in the file of its name.
#define TILEWRIGHT_SPMM_VARIANTS(variant)                                                                      \
  variant(row_per_item) variant(lanes_per_row) variant(nnz_balanced) variant(row_blocks) variant(column_lanes) \
      variant(chunk_per_item)

#define TILEWRIGHT_DECLARE(name) extern const SpmmVariant name##_spmm;
TILEWRIGHT_SPMM_VARIANTS(TILEWRIGHT_DECLARE)

namespace {

#define TILEWRIGHT_ADDRESS(name) &(name##_spmm),
constexpr const SpmmVariant* variants[] = {TILEWRIGHT_SPMM_VARIANTS(TILEWRIGHT_ADDRESS)};

}  // namespace

std::span<const SpmmVariant* const> spmm_registry() { return variants; }
std::span<const SpmmVariant* const> Operation<SpmmCore>::variants() { return spmm_registry(); }

}  // namespace tilewright::detail
