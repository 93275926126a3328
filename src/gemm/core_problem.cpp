#include "gemm/core_problem.hpp"

#include <algorithm>

#include "gemm/complex_operands.hpp"
#include "runtime/system/log.hpp"
#include "selection/selections.hpp"

namespace tilewright::detail {
namespace {

// Workspace numbers of the prepared inputs, counted from `first`.
std::array<std::optional<std::uint64_t>, 2> places_of(const CoreProblem& core, std::uint64_t first) {
  std::array<std::optional<std::uint64_t>, 2> places;
  for (std::size_t input = 0; input < places.size(); ++input)
    if (core.inputs[input]) places[input] = first++;
  return places;
}

CoreProblem with_triangle(CoreProblem core, const CoreProduct& problem) {
  core.problem.triangle = problem.triangle;
  if (core.problem.triangle) core.problem.triangle->parts = core.parts;
  return core;
}

std::optional<KRange> in_reals(std::optional<KRange> range) {
  if (!range) return range;
  (range->of_rows ? range->k_per_line : range->block) *= 2;
  range->parts = 2;
  return range;
}

}  // namespace

CoreProblem core_of(const CoreProduct& problem, const DeviceProfile& device) {
  if (!is_complex(problem.type)) return {.problem = problem};
  CoreProblem core = with_triangle(real_core(problem, device), problem);
  core.problem.k_range = in_reals(problem.k_range);
  return core;
}

CoreProblem core_of(const CoreProduct& problem, const DeviceProfile& device, const GemmVariant& variant,
                    const ParameterValues& values) {
  const ComplexForm form = is_complex(problem.type) ? variant.complex_form(values) : ComplexForm::prepared;
  if (form == ComplexForm::prepared) return core_of(problem, device);
  const bool counts_reals = form == ComplexForm::reals;
  CoreProblem core = with_triangle(complex_core(problem, device, counts_reals ? 2 : 1), problem);
  core.problem.k_range = counts_reals ? in_reals(problem.k_range) : problem.k_range;
  core.problem.symmetric = problem.symmetric;
  return core;
}

GemmProblem core_problem(const GemmProblem& problem) {
  return is_complex(problem.type) ? real_product(problem) : problem;
}

Execution core_execution(const CoreProblem& core, const GemmVariant& variant, const ParameterValues& values,
                         const DeviceProfile& device) {
  Execution execution = complete_execution(variant, values, core.problem, device);
  if (!core.is_rewritten()) return execution;
  const std::uint64_t first = execution.workspaces.size();
  const auto places = places_of(core, first);
  for (Launch& launch : execution.launches)
    for (KernelArgument& argument : launch.arguments)
      if (argument.kind == KernelArgument::Kind::matrix && argument.value < places.size() && places[argument.value])
        argument = argument::workspace(*places[argument.value]);
  std::vector<Launch> preparations =
      in_grids(core.preparations, Operation<GemmProblem>::batch(core.problem), device.max_work_groups);
  for (Launch& launch : preparations)
    for (KernelArgument& argument : launch.arguments)
      if (argument.kind == KernelArgument::Kind::workspace) argument.value += first;
  execution.launches.insert(execution.launches.begin(), preparations.begin(), preparations.end());
  for (const auto& input : core.inputs)
    if (input) execution.workspaces.push_back(input->workspace);
  return execution;
}

Execution probed_execution(const CoreProblem& core, const GemmVariant& variant, const ParameterValues& values,
                           const DeviceProfile& device, const std::function<Probe(Ability)>& probe) {
  Execution execution = core_execution(core, variant, values, device);
  if (std::ranges::all_of(execution.launches, [](const Launch& launch) { return launch.maps.empty(); }))
    return execution;
  const Probe maps = probe(Ability::tensor_maps);
  if (maps.available) return execution;
  log_once(std::string("variant '") + variant.name +
           "' copies without tensor maps, because they fail their probe on this device: " + maps.detail);
  return core_execution(core, variant, values, without(device, Ability::tensor_maps));
}

}  // namespace tilewright::detail
