// Places of stored elements that sparse kernels may get wrong, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewright::verification {

enum class SparsePattern {
  none,          ///< no element
  uniform,       ///< about as many elements in every row, in any order, some of them twice
  power_law,     ///< row i has a part of about 1 / (i + 1) of the columns
  banded,        ///< the diagonal and its neighbours
  diagonal,      ///< one element in each row
  dense_row,     ///< as diagonal, and a row in the middle with every column
  dense_column,  ///< as diagonal, and a column in the middle with every row
  one_row,       ///< all in one row
  gaps,          ///< the first, the last and every other row are empty, or more of them
};

inline constexpr SparsePattern all_patterns[] = {
    SparsePattern::none,         SparsePattern::uniform,  SparsePattern::power_law,
    SparsePattern::banded,       SparsePattern::diagonal, SparsePattern::dense_row,
    SparsePattern::dense_column, SparsePattern::one_row,  SparsePattern::gaps};

std::string_view to_string(SparsePattern pattern);

/// Throws std::invalid_argument for a word that is none.
SparsePattern parse_pattern(std::string_view word);

struct Place {
  std::uint64_t row, column;
};

/// The places of an m x k matrix's elements, row by row; `mean` is about how many a row has where the pattern leaves
/// that open.
std::vector<Place> places_of(SparsePattern pattern, std::uint64_t m, std::uint64_t k, std::uint64_t mean,
                             std::uint64_t seed);

}  // namespace tilewright::verification
