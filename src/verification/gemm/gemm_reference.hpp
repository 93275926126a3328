#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verification/common/column_groups.hpp"
#include "verification/common/error_bound.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::verification {

/// Returns the expected result of a call, computed in Wide<C> on all cores, for each of `rows` and each of `groups` of
/// columns, row by row. Does not read A and B if alpha or k is 0, nor C if beta is 0. Applies an epilogue only to
/// groups of one column.
template <class T, class C>
std::vector<Expected<C>> gemm_reference(const HostGemm<T, C>& call, std::span<const std::uint64_t> rows,
                                        const ColumnGroups& groups, Tolerance tolerance = Tolerance::rounding);

/// Returns the expected value of every element of C.
template <class T, class C>
std::vector<Expected<C>> gemm_reference(const HostGemm<T, C>& call, Tolerance tolerance = Tolerance::rounding);

}  // namespace tilewright::verification
