// The words for forms of triangular matrices in the text of cases.
#pragma once

#include "tilewright/matrix.hpp"
#include "verification/common/case_text.hpp"
#include "verification/triangular/lower_triangle.hpp"

namespace tilewright::verification {

inline constexpr Word<Side> side_words[] = {{Side::left, "left"}, {Side::right, "right"}};
inline constexpr Word<Uplo> uplo_words[] = {{Uplo::lower, "lower"}, {Uplo::upper, "upper"}};
inline constexpr Word<Diag> diag_words[] = {{Diag::non_unit, "non_unit"}, {Diag::unit, "unit"}};
inline constexpr Word<TriangleKind> triangle_words[] = {
    {TriangleKind::dominant, "dominant"}, {TriangleKind::alternating, "alternating"},
    {TriangleKind::arrow, "arrow"},       {TriangleKind::scaled, "scaled"},
    {TriangleKind::tiny, "tiny"},         {TriangleKind::huge, "huge"},
    {TriangleKind::any_size, "any_size"},
};

}  // namespace tilewright::verification
