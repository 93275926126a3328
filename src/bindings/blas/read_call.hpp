// Reads the arguments of a Fortran or CBLAS function.
#pragma once

#include <optional>

#include "bindings/blas/face.hpp"

namespace tilewright::blas {

/// Returns the call; nothing if an argument has a value that the routine does not permit.
std::optional<Call> read_call(const Face& face, const void* const* values);

/// Returns the number of the first argument that the routine does not permit, counted from 1, as BLAS and LAPACK report
/// it; 0 if there is none. Checks arguments in their order, leading dimensions last.
std::size_t wrong_argument(const Face& face, const void* const* values);

/// Whether a call certainly has fewer than `flops` operations, from its sizes alone. Takes a few nanoseconds.
bool is_certainly_below(double flops, const Face& face, const void* const* values);

}  // namespace tilewright::blas
