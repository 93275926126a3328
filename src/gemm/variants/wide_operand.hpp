// For variants made for C with few rows or columns. The wide operand belongs to C's longer side and is read once; the
// thin operand is small.
#pragma once

#include <algorithm>
#include <string>

#include "gemm/variant.hpp"
#include "kernels/build_options.hpp"

namespace tilewright::detail {

inline bool wide_is_n(const CoreProduct& p) { return p.n >= p.m; }
inline std::uint64_t thin_side(const CoreProduct& p) { return std::min(p.m, p.n); }
inline std::uint64_t wide_side(const CoreProduct& p) { return std::max(p.m, p.n); }
inline StoredMatrix wide_operand(const CoreProduct& p) { return wide_is_n(p) ? stored_b(p) : stored_a(p); }
inline StoredMatrix thin_operand(const CoreProduct& p) { return wide_is_n(p) ? stored_a(p) : stored_b(p); }

// Whether the stored rows of the wide operand run along k; below, of the thin one.
inline bool wide_along_k(const CoreProduct& p) {
  return wide_is_n(p) ? p.trans_b == Transpose::yes : p.trans_a == Transpose::no;
}
inline bool thin_along_k(const CoreProduct& p) {
  return wide_is_n(p) ? p.trans_a == Transpose::no : p.trans_b == Transpose::yes;
}

/// The -D option that tells kernels which operand is wide.
inline std::string wide_define(const CoreProduct& p) { return define("WIDE_IS_N", wide_is_n(p)); }

}  // namespace tilewright::detail
