#include "gemm/complex_selection.hpp"
#include "gemm/core_problem.hpp"
#include "gemm/problem.hpp"
#include "gemm/selector.hpp"
#include "kernels/sizes.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/memory/workspace_arena.hpp"
#include "tilewright/gemm_memory.hpp"

namespace tilewright {

GemmMemory gemm_memory(const Engine& engine, const GemmProblem& problem, const Choice& choice) {
  using namespace detail;
  const GemmProblem ours = normalized(problem);
  const DeviceProfile& device = engine.profile();
  const auto for_real = state_of(engine).part<GemmSelections>().get(
      device, [&](Ability ability) { return engine.probe(ability); }, core_problem(ours), choice);
  const GemmSelection selection = selection_for_complex(*for_real, ours, device);
  const GemmVariant& variant = *selection.variant;
  const ParameterValues& values = selection.values.front();
  const CoreProblem core = core_of(ours, device, variant, values);
  GemmMemory memory;
  if (is_empty(ours)) return memory;
  constexpr std::uint64_t texel_bytes = 16;
  const Execution execution = core_execution(core, variant, values, device);
  for (const Workspace& workspace : execution.workspaces) {
    if (workspace.kind == Workspace::Kind::float4_image) {
      memory.own += bytes_of(workspace.width, workspace.height, texel_bytes);
      continue;
    }
    memory.shared += rounded_up(workspace.bytes, static_cast<std::int64_t>(workspace_alignment));
    if (workspace.kind == Workspace::Kind::tickets) memory.zeros = zero_bytes;
  }
  return memory;
}

}  // namespace tilewright
