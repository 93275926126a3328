// The product that a plan's variant computes: the plan's problem, or another one over the same C whose operands are
// first prepared in workspaces. Variants, selection, records and the performance model only see this core problem.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "gemm/variant.hpp"

namespace tilewright::detail {

/// The workspace that a preparation writes and that replaces A or B in the core problem.
struct PreparedInput {
  Workspace workspace{};
  std::uint64_t stride = 0;  ///< elements between the matrices of two products; 0: all products use the same matrix
};

struct CoreProblem {
  CoreProduct problem{};                                 ///< normalized
  std::array<std::optional<PreparedInput>, 2> inputs{};  ///< A and B; empty: the caller's matrix
  /// Launches that prepare inputs. Their workspace arguments count from 0, in the order of `inputs`. Their `batch`
  /// argument is used only by offsets, where the offsets of the caller's matrices follow those of the core problem: see
  /// CoreOffsets.
  std::vector<Launch> preparations{};
  std::vector<const char*> files{};  ///< kernel files of the preparations
  std::uint64_t parts = 1;           ///< elements of the core problem per element of the caller's matrices

  bool is_rewritten() const { return !preparations.empty(); }
};

/// The core problem and preparations of a normalized problem that suit every variant: selection sees this problem.
/// Throws Error(size_overflow).
CoreProblem core_of(const CoreProduct& problem, const DeviceProfile& device);

/// The core problem and preparations for a configuration, which may compute complex products itself.
CoreProblem core_of(const CoreProduct& problem, const DeviceProfile& device, const GemmVariant& variant,
                    const ParameterValues& values);

/// The core problem without its preparations.
GemmProblem core_problem(const GemmProblem& problem);

/// The end of Explanation::reason, if the core problem is another one than the normalized problem: which it is.
std::string note_on_core(const GemmProblem& normalized, const GemmProblem& core);

/// All launches of a plan: the preparations, then those of a variant, which read what was prepared. The workspaces are
/// the variant's own, then those of the prepared inputs.
Execution core_execution(const CoreProblem& core, const GemmVariant& variant, const ParameterValues& values,
                         const DeviceProfile& device);

/// core_execution(), without tensor maps if probe(Ability::tensor_maps) fails. The probe runs only if there are maps.
Execution probed_execution(const CoreProblem& core, const GemmVariant& variant, const ParameterValues& values,
                           const DeviceProfile& device, const std::function<Probe(Ability)>& probe);

}  // namespace tilewright::detail
