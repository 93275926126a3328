#include "gemm/registry.hpp"

namespace tilewright::detail {

// All variants, from the simplest to the fastest. Each is in the file of its name.
#define TILEWRIGHT_GEMM_VARIANTS(variant)                                                                            \
  variant(naive) variant(row_per_item) variant(private_row) variant(local_column) variant(local_tile)                \
      variant(register_strip) variant(register_blocked) variant(texel_blocked) variant(packed_panel)                 \
          variant(dot_block) variant(column_walk) variant(dot4_blocked) variant(group_reduction) variant(tensor_f64) \
              variant(tensor_core) variant(tensor_warpgroup) variant(async_tile)

#define TILEWRIGHT_DECLARE(name) extern const GemmVariant name;
TILEWRIGHT_GEMM_VARIANTS(TILEWRIGHT_DECLARE)

namespace {

#define TILEWRIGHT_ADDRESS(name) &(name),
constexpr const GemmVariant* variants[] = {TILEWRIGHT_GEMM_VARIANTS(TILEWRIGHT_ADDRESS)};

}  // namespace

std::span<const GemmVariant* const> gemm_registry() { return variants; }

const GemmVariant& find_gemm_variant(std::string_view name) { return find_variant<GemmProblem>(name); }

}  // namespace tilewright::detail
