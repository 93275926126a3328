// A factor of a product that is symmetric or Hermitian, of which one triangle is stored.
#pragma once

#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The other triangle may hold anything, and so may the imaginary parts of a Hermitian diagonal. A symmetric A is
/// multiplied as its own transpose, and a Hermitian one as its own conjugate transpose. A symmetric B is not
/// transposed.
struct SymmetricFactor {
  bool is_a = true;  ///< false: B is symmetric
  Uplo uplo = Uplo::lower;
  bool is_hermitian = false;  ///< of complex matrices only

  friend bool operator==(const SymmetricFactor&, const SymmetricFactor&) = default;
};

}  // namespace tilewright::detail
