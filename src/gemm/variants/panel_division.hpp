// How packed_panel divides a product among work-groups.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gemm/variants/split_k.hpp"

namespace tilewright::detail::gemm_variants::packed_panel_parts {

/// The parameters of packed_panel, which cl/gemm/packed_panel.cl documents.
struct Panels {
  std::int64_t item_m, item_n, vector_n, block_k, group_m, group_n, slice_k, unroll, pack_a, pack_b;
};

/// Rows of sums of a block: SUM_ROWS in the kernel file. A complex row of C has two.
inline std::int64_t sum_rows(const Panels& c, const CoreProduct& p) {
  return c.item_m + (p.complex ? c.item_m % 2 : 0);
}

/// Rows of sums per row of C.
inline std::uint64_t parts_of_row(const CoreProduct& p) { return p.complex ? 2 : 1; }

/// The rows of sums of all of C.
inline std::uint64_t all_sum_rows(const CoreProduct& p) { return parts_of_row(p) * p.m; }

/// Whether a group computes all columns of its rows, because C may replace A: IN_PLACE_ROWS in the kernel file.
inline bool is_in_place(const CoreProduct& p) { return p.k_range && !p.k_range->of_rows; }

/// Whether A, or B, is symmetric.
inline bool has_symmetric(const CoreProduct& p, bool is_a) { return p.symmetric && p.symmetric->is_a == is_a; }

/// Whether B is packed. With a triangular A it is, because C may replace B. A symmetric B is, because packing completes
/// it.
inline bool packs_b(const Panels& c, const CoreProduct& p) {
  return c.pack_b == 1 || p.trans_b == Transpose::yes || p.n < static_cast<std::uint64_t>(c.item_n) || p.k_range ||
         has_symmetric(p, false);
}

/// Whether each group copies the panel of B that it uses: COPIED_B in the kernel file.
inline bool copies_b(const Panels& c, const CoreProduct& p) { return c.pack_b == 2 && !packs_b(c, p); }

/// Whether A is packed once for all groups.
inline bool packs_a(const Panels& c, const CoreProduct& p) {
  return p.trans_a == Transpose::yes && (c.pack_a != 0 || has_symmetric(p, true));
}

/// KEPT in the kernel file: blocks whose sums a work-item keeps across blocks of k. On a CPU they stay in the
/// second-level cache. A GPU reserves private arrays for all resident work-items, so there they are few.
std::int64_t kept_blocks(const Panels& c, const CoreProduct& p, const DeviceProfile& d);

/// The part of C that is wanted: an m x n matrix except for one triangle of its smaller dimension.
double wanted_part(const CoreProduct& p);

/// How C, and k if C is small, is divided among work-groups.
struct PanelDivision {
  std::int64_t group_m, group_n;  ///< rows of sums, and columns of C
  std::size_t groups_m, groups_n;
  Slices slices;
};

/// Each compute unit gets several groups, so that none waits long for the last one, but not so many that starting them
/// costs more than their work. Groups that copy B are few and equal. k is split if C is small, or if the operands would
/// be read too often.
PanelDivision divide(const Panels& c, const CoreProduct& p, const DeviceProfile& d);

}  // namespace tilewright::detail::gemm_variants::packed_panel_parts
