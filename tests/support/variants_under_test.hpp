#pragma once

#include <string>
#include <vector>

#include "tilewright/gemm_problem.hpp"
#include "tilewright/spmm.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::test {

/// The gemm variants that a sweep covers: those named in TILEWRIGHT_TEST_VARIANTS ("naive,texel_blocked"), all except
/// the named ones ("-texel_blocked"), or all if it is not set. Throws std::runtime_error for a name that belongs to no
/// operation.
std::vector<VariantInfo> variants_under_test();

/// For a test of one property, of which the quick level runs a half of these variants: those at even places of the list
/// if `half` is 0, those at odd places if it is 1. Variants named in TILEWRIGHT_TEST_VARIANTS all run.
std::vector<VariantInfo> half_of_variants(int half);

/// The spmm variants that a sweep covers, chosen by TILEWRIGHT_TEST_VARIANTS.
std::vector<VariantInfo> spmm_variants_under_test();

/// The transpose variants that a sweep covers, chosen by TILEWRIGHT_TEST_VARIANTS.
std::vector<VariantInfo> transpose_variants_under_test();

/// The types that gemm's sweep covers: those named in TILEWRIGHT_TEST_TYPES ("f32,i8"); empty: all. Throws
/// std::runtime_error for an unknown type.
std::vector<std::string> types_under_test();

}  // namespace tilewright::test
