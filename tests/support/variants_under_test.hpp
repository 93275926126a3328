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

/// For a test of one property: these variants; at the quick level every third of them, selected by `third` and by
/// test_seed(). Variants named in TILEWRIGHT_TEST_VARIANTS all run.
std::vector<VariantInfo> third_of_variants(unsigned third);

/// The spmm variants that a sweep covers, chosen by TILEWRIGHT_TEST_VARIANTS.
std::vector<VariantInfo> spmm_variants_under_test();

/// The transpose variants that a sweep covers, chosen by TILEWRIGHT_TEST_VARIANTS.
std::vector<VariantInfo> transpose_variants_under_test();

/// The types that gemm's sweep covers: those named in TILEWRIGHT_TEST_TYPES ("f32,i8"); empty: all. Throws
/// std::runtime_error for an unknown type.
std::vector<std::string> types_under_test();

}  // namespace tilewright::test
