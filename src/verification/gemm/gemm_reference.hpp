#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verification/common/column_groups.hpp"
#include "verification/common/error_bound.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::verification {

/// What a call's result must be, computed in Wide<C> on all cores: for each of `rows` of C, each of `groups` of its
/// columns, row by row. A and B are not read where alpha or k is 0, C is not read where beta is 0.
/// Of a problem with an epilogue only single columns, not groups of more, go through it.
template <class T, class C>
std::vector<Expected<C>> gemm_reference(const HostGemm<T, C>& call, std::span<const std::uint64_t> rows,
                                        const ColumnGroups& groups, Tolerance tolerance = Tolerance::rounding);

/// The same for every element of C.
template <class T, class C>
std::vector<Expected<C>> gemm_reference(const HostGemm<T, C>& call, Tolerance tolerance = Tolerance::rounding);

}  // namespace tilewright::verification
