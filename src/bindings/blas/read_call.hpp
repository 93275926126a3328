// Reads the arguments of a Fortran or CBLAS function.
#pragma once

#include <array>
#include <cstdint>
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

/// Writes the arguments of a call that computes a part of the one in `values`: its sizes and its matrices. CBLAS's
/// integers are written to the function's own variables, Fortran's to `sizes`, and `values` then points there.
void write_part(const Face& face, const Call& part, std::array<std::int64_t, 4>& sizes, const void** values);

}  // namespace tilewright::blas
