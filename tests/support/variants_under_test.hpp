#pragma once

#include <vector>

#include "tilewright/gemm.hpp"

namespace tilewright::test {

/// The variants that a sweep covers: those named in TILEWRIGHT_TEST_VARIANTS ("naive,image_tile"), or all but those
/// ("-image_tile"); all where it is not set. Throws std::runtime_error for a name that is no variant's.
std::vector<GemmVariantInfo> variants_under_test();

}  // namespace tilewright::test
