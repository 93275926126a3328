#pragma once

#include <vector>

#include "verification/common/breadth.hpp"
#include "verification/spmm/spmm_case.hpp"

namespace tilewright::verification {

/// Returns a configuration with small groups and chunks, of which small matrices have many.
Choice small_choice(const std::string& variant);

/// Returns cases of one choice in one type: every format, transpose and layout with every pattern. Sizes, scalars,
/// gaps, offsets, placements and batches vary with a turn that starts at `first_turn`, so that choices differ. If the
/// choice leaves a chunk open that is not compiled into the program, chunks vary too. Breadth `edges`, for the tuner,
/// has two forms, and sizes near the choice's groups and chunks.
std::vector<SpmmCase> spmm_cases(const Choice& choice, DataType type, Breadth breadth, std::size_t first_turn = 0);

}  // namespace tilewright::verification
