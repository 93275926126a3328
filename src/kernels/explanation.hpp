// Texts and parts of explanations.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tilewright/choice.hpp"

namespace tilewright::detail {

/// Returns Explanation::problem: the operation, its type and its sizes, as in "gemm f32 512x64x128". A batch of other
/// than one problem is named as well: "gemm f32 8x8x8, batch of 100".
std::string problem_text(std::string_view operation, std::string_view type, std::initializer_list<std::uint64_t> sizes,
                         std::uint64_t batch_count = 1);

/// Appends a reason to those that the explanation has.
void add_reason(Explanation& explanation, std::string_view reason);

/// Adds a part to the explanation of an algorithm, unless one of the same problem and choice is listed already.
void add_part(Explanation& whole, Explanation part);

}  // namespace tilewright::detail
