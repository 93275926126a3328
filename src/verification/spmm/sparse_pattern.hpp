// Patterns of stored elements that are difficult for sparse kernels; equal on all machines.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewright::verification {

enum class SparsePattern {
  none,          ///< no element
  uniform,       ///< similar row lengths, in any order, some elements repeated
  power_law,     ///< row i has about 1 / (i + 1) of the columns
  banded,        ///< the diagonal and its neighbours
  diagonal,      ///< one element per row
  dense_row,     ///< diagonal, and a full row in the middle
  dense_column,  ///< diagonal, and a full column in the middle
  one_row,       ///< all elements in one row
  gaps,          ///< at least the first, the last and every other row are empty
};

inline constexpr SparsePattern all_patterns[] = {
    SparsePattern::none,         SparsePattern::uniform,  SparsePattern::power_law,
    SparsePattern::banded,       SparsePattern::diagonal, SparsePattern::dense_row,
    SparsePattern::dense_column, SparsePattern::one_row,  SparsePattern::gaps};

std::string_view to_string(SparsePattern pattern);

/// Throws std::invalid_argument if the word is unknown.
SparsePattern parse_pattern(std::string_view word);

struct Place {
  std::uint64_t row, column;
};

/// Returns the places of an m x k matrix's elements, row by row. `mean` is the average row length, if the pattern does
/// not determine it.
std::vector<Place> places_of(SparsePattern pattern, std::uint64_t m, std::uint64_t k, std::uint64_t mean,
                             std::uint64_t seed);

}  // namespace tilewright::verification
