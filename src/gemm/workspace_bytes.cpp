#include "gemm/core_problem.hpp"
#include "gemm/problem.hpp"
#include "gemm/selector.hpp"
#include "kernels/sizes.hpp"
#include "runtime/engine_state.hpp"
#include "tilewright/gemm_workspace.hpp"

namespace tilewright {

std::uint64_t gemm_workspace_bytes(const Engine& engine, const GemmProblem& problem, const Choice& choice) {
  using namespace detail;
  const GemmProblem ours = normalized(problem);
  const CoreProblem core = core_of(ours, engine.profile());
  const auto selected = engine.state().part<GemmSelections>().get(
      engine.profile(), [&](Ability ability) { return engine.probe(ability); }, core.problem, choice);
  if (is_empty(ours)) return 0;
  constexpr std::uint64_t texel_bytes = 16;
  std::uint64_t bytes = 0;
  for (const Workspace& workspace :
       core_workspaces(core, *selected->variant, selected->configurations.front(), engine.profile()))
    bytes += workspace.kind == Workspace::Kind::float4_image
                 ? bytes_of(workspace.width, workspace.height, texel_bytes)
                 : rounded_up(workspace.bytes, static_cast<std::int64_t>(workspace_alignment));
  return bytes;
}

}  // namespace tilewright
