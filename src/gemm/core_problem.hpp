// The product that a plan's variant does: the plan's problem, or another one over the same C whose operands are
// prepared in workspaces first. Variants, selection, records and the model of time know this one alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gemm/variant.hpp"

namespace tilewright::detail {

/// What stands for A or B of the core problem: a workspace that a preparation writes.
struct PreparedInput {
  Workspace workspace{};
  std::uint64_t stride = 0;  ///< elements from the matrix of one product to the next; 0: all have the same
};

struct CoreProblem {
  GemmProblem problem{};                                 ///< normalized
  std::array<std::optional<PreparedInput>, 2> inputs{};  ///< of A and B; none: the caller's matrix
  /// Their arguments number the prepared inputs' workspaces from 0. `batch` is theirs only by offsets, where those of
  /// the caller's matrices follow the core problem's: see core_offsets().
  std::vector<Launch> preparations{};
  std::vector<const char*> files{};  ///< of the preparations' kernels
  std::uint64_t parts = 1;           ///< elements of the core problem that an element of the caller's matrices is

  bool is_rewritten() const { return !preparations.empty(); }
};

/// What a variant does for a normalized problem. Throws Error(size_overflow).
CoreProblem core_of(const GemmProblem& problem, const DeviceProfile& device);

/// The same without what prepares it.
GemmProblem core_problem(const GemmProblem& problem);

/// All launches of a plan: the preparations, then those of a variant, which read what was prepared.
std::vector<Launch> core_launches(const CoreProblem& core, const GemmVariant& variant,
                                  const Configuration& configuration, const DeviceProfile& device);

/// Their workspaces: the variant's own, then those of the prepared inputs.
std::vector<Workspace> core_workspaces(const CoreProblem& core, const GemmVariant& variant,
                                       const Configuration& configuration, const DeviceProfile& device);

/// Where the matrices of a batch by offsets are: those of the core problem, and after them the caller's, for what
/// prepares them, all in elements of the core problem.
class CoreOffsets {
 public:
  CoreOffsets(const CoreProblem& core, const GemmOffsets& offsets);
  CoreOffsets(const CoreOffsets&) = delete;
  CoreOffsets& operator=(const CoreOffsets&) = delete;

  const GemmOffsets& all() const { return all_; }

  /// How many entries such a table has for `count` products.
  static std::uint64_t entries(const CoreProblem& core, std::uint64_t count) {
    return core.is_rewritten() ? 2 * count : count;
  }

 private:
  GemmOffsets all_;                                     // the caller's own, or
  std::array<std::vector<std::uint64_t>, 3> matrices_;  // these
};

}  // namespace tilewright::detail
