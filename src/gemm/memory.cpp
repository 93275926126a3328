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
  const CoreProblem core = core_of(ours, engine.profile());
  const auto selected = state_of(engine).part<GemmSelections>().get(
      engine.profile(), [&](Ability ability) { return engine.probe(ability); }, core.problem, choice);
  GemmMemory memory;
  if (is_empty(ours)) return memory;
  constexpr std::uint64_t texel_bytes = 16;
  const Execution execution = core_execution(core, *selected->variant, selected->values.front(), engine.profile());
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
