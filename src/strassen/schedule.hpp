// What a Strassen product does, step by step: products of quarters, sums that come before them and after them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tilewright/gemm.hpp"

namespace tilewright::detail {

/// Where a step's matrix begins.
struct StrassenPlace {
  enum class Where { a, b, c, workspace } where = Where::workspace;
  std::uint64_t offset = 0;  ///< in elements, after the call's own
  std::uint64_t ld = 0;
};

/// Sizes of a product op(A) op(B) = C: op(A) is m x k, op(B) is k x n.
struct StrassenSizes {
  std::uint64_t m = 0, n = 0, k = 0;
};

/// The sizes of the first quarter. The others may have fewer rows and columns: sums take what is missing for zeros, and
/// products leave it out, so that no size needs peeling or a padded copy.
StrassenSizes first_quarter(const StrassenSizes& sizes);

/// Four quarters of a stored matrix. Those that lie right of the first and below it may be smaller.
struct StrassenQuarters {
  StrassenPlace first{};
  std::uint64_t rows = 0, columns = 0;  ///< of the first, as it is stored
  /// Of op(X)12 and op(X)21 after the first, and how many rows and columns each has, as stored.
  std::uint64_t offset12 = 0, rows12 = 0, columns12 = 0;
  std::uint64_t offset21 = 0, rows21 = 0, columns21 = 0;

  StrassenPlace quarter(bool lower, bool right) const;
  std::uint64_t offset22() const { return offset12 + offset21; }
};

struct StrassenStep {
  enum class Kind { sums_of_a, sums_of_b, product, merge } kind = Kind::product;
  bool with_beta = false;  ///< products and merges: beta times what C held is added
  // Sums, merges: quarters, and four matrices in the workspace, `slot` elements apart.
  StrassenQuarters quarters{};
  StrassenPlace slots{};
  std::uint64_t slot = 0;
  // Products.
  StrassenSizes sizes{};
  bool negative = false;  ///< -alpha
  StrassenPlace a{}, b{}, c{};
};

struct StrassenSchedule {
  std::vector<StrassenStep> steps;       ///< each after the one before
  std::uint64_t workspace_elements = 0;  ///< of sums and products
};

/// The steps of a row-major product, halved so many times.
StrassenSchedule strassen_schedule(const GemmProblem& product, unsigned levels);

/// What the first level alone takes: elements that its sums and merges read and write, and its workspace.
struct StrassenTraffic {
  double elements = 0;
  std::uint64_t workspace_elements = 0;
};
StrassenTraffic strassen_traffic(const GemmProblem& product, const StrassenSizes& sizes);

/// The sizes of the products of one level: four of all quarters' full sizes first.
std::array<StrassenSizes, 7> strassen_products(const StrassenSizes& sizes);

}  // namespace tilewright::detail
