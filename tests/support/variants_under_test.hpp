#pragma once

#include <string>
#include <vector>

#include "tilewright/gemm.hpp"
#include "tilewright/spmm.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::test {

/// The variants that a sweep covers: those named in TILEWRIGHT_TEST_VARIANTS ("naive,texel_blocked"), or all but those
/// ("-texel_blocked"); all where it is not set. Throws std::runtime_error for a name that is no operation's variant.
std::vector<VariantInfo> variants_under_test();

/// The same for spmm.
std::vector<VariantInfo> spmm_variants_under_test();

/// The same for transpose.
std::vector<VariantInfo> transpose_variants_under_test();

/// The types that gemm's sweep covers: those named in TILEWRIGHT_TEST_TYPES ("f32,i8"); empty: all.
/// Throws std::runtime_error for a name that is no type.
std::vector<std::string> types_under_test();

}  // namespace tilewright::test
