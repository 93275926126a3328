// The expected elements of symv, trmv, syr, syr2 and their Hermitian forms, with the documented error bounds.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <string>

#include "tilewright/matrix.hpp"
#include "verification/level2/level2_case.hpp"

namespace tilewright::verification {

using WideComplex = std::complex<long double>;

/// An expected element, and the bound of the error of each part.
struct ExpectedComplex {
  WideComplex value = 0;
  long double bound = 0;

  /// Adds a term of magnitude `size` that is computed with `roundings` roundings of relative size `u`.
  void add(WideComplex term, long double size, std::uint64_t roundings, long double u);
};

/// One problem of a call. Elements are those before the call, as the caller counts rows and columns.
struct Level2Reference {
  const Level2Case& test;
  std::function<WideComplex(std::uint64_t i, std::uint64_t j)> a;
  std::function<WideComplex(std::uint64_t i)> x, y;

  /// Element i of the vector that symv, hemv or trmv writes.
  ExpectedComplex element_of_vector(std::uint64_t i) const;
  /// Stored element (i, j) of the matrix that syr, her, syr2 or her2 writes.
  ExpectedComplex element_of_triangle(std::uint64_t i, std::uint64_t j) const;

 private:
  WideComplex stored(std::uint64_t i, std::uint64_t j) const;
  WideComplex factor(std::uint64_t i, std::uint64_t j) const;
};

/// Properties of a call.
bool is_hermitian(Level2Call call);
bool has_two_vectors(Level2Call call);
bool writes_triangle(Level2Call call);

/// Whether a call reads or writes element (i, j) of A.
bool is_in_triangle(const Level2Case& test, std::uint64_t i, std::uint64_t j);

/// Describes an element that breaks its bound; empty if it keeps it. Each part may also be wrong by `smallest`, the
/// smallest normal number of the type.
std::string wrong_element(WideComplex found, const ExpectedComplex& expected, long double smallest);

}  // namespace tilewright::verification
