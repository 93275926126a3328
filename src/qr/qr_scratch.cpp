#include "qr/qr_scratch.hpp"

#include <limits>

#include "kernels/launch.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {

QrView qr_view(const MatrixRef& at, Layout layout, std::uint64_t ld, std::uint64_t stride) {
  const bool by_rows = layout == Layout::row_major;
  return {.at = at, .row_step = by_rows ? ld : 1, .column_step = by_rows ? 1 : ld, .ld = ld, .stride = stride};
}

std::uint64_t added_bytes(std::uint64_t x, std::uint64_t y) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max(), half = most / 2;
  if (x > half || y > half - workspace_alignment) return most;
  return x + rounded_up(y, static_cast<std::int64_t>(workspace_alignment));
}

void QrScratch::add(Part part, std::uint64_t rows, std::uint64_t columns, std::uint64_t count) {
  const bool by_rows = layout_ == Layout::row_major;
  const std::uint64_t lines = by_rows ? rows : columns;
  // No multiple of 4 kB, with which all lines would share a few cache sets.
  std::uint64_t ld = aligned_ld(by_rows ? columns : rows);
  if (ld > 0 && ld * size_of(type_) % 4096 == 0) ld += 16;
  placed_[part] = {.ld = ld, .stride = lines * ld, .offset = bytes_};
  bytes_ = added_bytes(bytes_, bytes_of(count * lines, ld, size_of(type_)));
}

QrView QrScratch::view(Part part, const WorkspaceRef& workspace) const {
  const Placed& place = placed_[part];
  const std::uint64_t bytes = workspace.buffer == nullptr ? 0 : workspace.offset + place.offset;
  return qr_view({workspace.buffer, bytes / size_of(type_)}, layout_, place.ld, place.stride);
}

}  // namespace tilewright::detail
