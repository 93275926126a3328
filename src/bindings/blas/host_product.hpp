// Parts of products that the host computes after the device has failed.
#pragma once

#include <span>

#include "bindings/blas/face.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::blas {

/// Computes parts of C, given a call of gemm with real elements. `function` is the host's function of the face.
void multiply_on_host(void* function, const Face& face, const Call& call, std::span<const ResultTile> parts);

}  // namespace tilewright::blas
