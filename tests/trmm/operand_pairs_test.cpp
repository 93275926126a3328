// Every pair of operands of trmm in one buffer, by comparison with the sets of their elements.
#include <doctest/doctest.h>

#include "support/triangular_pairs.hpp"
#include "tilewright/trmm.hpp"

namespace tilewright::test {

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of trmm") { check_triangular_pairs<TrmmPlan, TrmmProblem>("trmm", 361, false); }
}

}  // namespace tilewright::test
