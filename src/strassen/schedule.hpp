// The steps of a Strassen product: sums of quarters, small products, and merges of the products into C.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

/// The place of a step's matrix.
struct StrassenPlace {
  enum class Where { a, b, c, workspace } where = Where::workspace;
  std::uint64_t offset = 0;  ///< elements after the start of A, B, C or the workspace
  std::uint64_t ld = 0;      ///< leading dimension
};

/// Sizes of a product op(A) op(B) = C: op(A) is m x k, op(B) is k x n.
struct StrassenSizes {
  std::uint64_t m = 0, n = 0, k = 0;
};

/// The sizes of the first quarter. The others may have fewer rows and columns: sums treat the missing ones as zeros,
/// and products skip them, so no size needs peeling or a padded copy.
StrassenSizes first_quarter(const StrassenSizes& sizes);

/// Four quarters of a stored matrix. The ones right of and below the first may be smaller.
struct StrassenQuarters {
  StrassenPlace first{};
  std::uint64_t rows = 0, columns = 0;  ///< of the first, as it is stored
  /// Offsets of op(X)12 and op(X)21 from the first quarter, and their rows and columns as stored.
  std::uint64_t offset12 = 0, rows12 = 0, columns12 = 0;
  std::uint64_t offset21 = 0, rows21 = 0, columns21 = 0;

  StrassenPlace quarter(bool lower, bool right) const;
  std::uint64_t offset22() const { return offset12 + offset21; }
};

struct StrassenStep {
  enum class Kind { sums_of_a, sums_of_b, product, merge } kind = Kind::product;
  bool with_beta = false;  ///< products and merges: beta times the former C is added
  // Sums and merges: quarters, and four matrices in the workspace, `slot` elements apart.
  StrassenQuarters quarters{};
  StrassenPlace slots{};
  std::uint64_t slot = 0;
  // Products.
  StrassenSizes sizes{};
  bool negative = false;  ///< -alpha
  StrassenPlace a{}, b{}, c{};
};

struct StrassenSchedule {
  std::vector<StrassenStep> steps;       ///< in the order in which they run
  std::uint64_t workspace_elements = 0;  ///< for sums and products
};

/// The steps of a row-major product whose sizes are halved `levels` times.
StrassenSchedule strassen_schedule(const GemmProblem& product, unsigned levels);

/// The gemm problem of a product step.
GemmProblem small_product(const GemmProblem& product, const StrassenStep& step);

/// The distinct gemm problems of all product steps; with 0 levels the product itself.
std::vector<GemmProblem> small_products(const GemmProblem& product, unsigned levels);

/// Memory of the first level alone: elements that its sums and merges read and write, and its workspace.
struct StrassenTraffic {
  double elements = 0;
  std::uint64_t workspace_elements = 0;
};
StrassenTraffic strassen_traffic(const GemmProblem& product, const StrassenSizes& sizes);

/// The sizes of the seven products of one level. The first four have the full size of a quarter.
std::array<StrassenSizes, 7> strassen_products(const StrassenSizes& sizes);

}  // namespace tilewright::detail
