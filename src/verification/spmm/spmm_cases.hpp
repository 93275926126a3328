#pragma once

#include <vector>

#include "verification/common/breadth.hpp"
#include "verification/spmm/spmm_case.hpp"

namespace tilewright::verification {

/// A configuration with small groups and chunks, so that small matrices have many of them.
Choice small_choice(const std::string& variant);

/// Cases of one choice in one type: every format, transpose and layout with every pattern of stored elements, and
/// sizes, scalars, gaps, offsets, memories and batches in turns that begin with `first_turn`, so that several choices
/// meet other ones. Where a chunk is no part of the program, and the choice leaves it open, they take turns as well.
/// Breadth `edges` is for the tuner: two forms, and sizes about the choice's groups and chunks.
std::vector<SpmmCase> spmm_cases(const Choice& choice, DataType type, Breadth breadth, std::size_t first_turn = 0);

}  // namespace tilewright::verification
