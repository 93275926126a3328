#include "gemm/registry.hpp"

#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

constexpr const GemmVariant* variants[] = {
    &naive,      &row_per_item, &private_row, &local_column, &local_tile, &register_strip, &register_blocked,
    &image_tile, &packed_panel, &skinny,      &tensor_f64,   &async_tile,
};

}  // namespace

std::span<const GemmVariant* const> gemm_registry() { return variants; }

const GemmVariant& find_gemm_variant(std::string_view name) {
  std::string names;
  for (const GemmVariant* variant : variants) {
    if (variant->name == name) return *variant;
    names += names.empty() ? "" : ", ";
    names += variant->name;
  }
  throw Error(ErrorCode::unknown_variant, "there is no variant '" + std::string(name) + "'; there are: " + names);
}

}  // namespace tilewright::detail
