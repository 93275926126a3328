#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kernels/configuration_check.hpp"
#include "runtime/engine_state.hpp"
#include "transpose/program.hpp"
#include "transpose/variant.hpp"
#include "verification/check/local_memory.hpp"
#include "verification/checked_operations.hpp"
#include "verification/transpose/transpose_cases.hpp"
#include "verification/transpose/transpose_trial.hpp"

namespace tilewright::verification {
namespace {

using detail::TransposeVariant;

const std::vector<Element> elements{DataType::f32,        Element::of_bytes(1), Element::of_bytes(16),
                                    Element::of_bytes(2), DataType::f64,        Element::of_bytes(4),
                                    Element::of_bytes(8), DataType::f16,        DataType::bf16};

// Returns elements for a variant. All variants share the code that moves an element, so each gets numbers and some
// others, in turns.
std::vector<Element> elements_at(std::size_t turn, Breadth breadth) {
  if (breadth == Breadth::full) return elements;
  std::vector<Element> some{elements.front()};
  const std::size_t count = breadth == Breadth::quick ? 2 : 3;
  for (std::size_t i = 0; i < count; ++i) some.push_back(elements[1 + (count * turn + i) % (elements.size() - 1)]);
  return some;
}

// Returns the forms that a variant supports: transposition or copy, out of place or in place.
std::vector<TransposeCase> forms_of(const DeviceProfile& device, const TransposeVariant& variant,
                                    const Element& element) {
  std::vector<TransposeCase> forms;
  for (const Transpose trans : {Transpose::yes, Transpose::no})
    for (const bool in_place : {false, true}) {
      const TransposeProblem problem{.type = element, .trans = trans, .m = 64, .n = 64, .in_place = in_place};
      if (transpose_support(device, variant.name, problem).supported)
        forms.push_back({.variant = variant.name, .element = element, .trans = trans, .in_place = in_place});
    }
  return forms;
}

// Returns complete configurations that the device can run, without duplicates: the selectable ones, default first, for
// CPUs and GPUs and with every strategy, then `drawn` others of the tuner's space.
std::vector<Configuration> configurations_of(const DeviceProfile& device, const TransposeVariant& variant,
                                             const TransposeCase& form, std::size_t drawn) {
  const TransposeProblem problem =
      detail::normalized({.type = form.element, .trans = form.trans, .m = 64, .n = 64, .in_place = form.in_place});
  std::vector<Configuration> result;
  const auto add = [&](const Configuration& configuration) {
    if (detail::violation(variant, detail::values_of(variant, configuration), problem, device).empty() &&
        std::find(result.begin(), result.end(), configuration) == result.end())
      result.push_back(configuration);
  };
  for (const DeviceType kind : {device.type, DeviceType::cpu, DeviceType::gpu}) {
    DeviceProfile profile = device;
    profile.type = kind;
    for (const detail::ParameterValues& preference : variant.preferences(problem, profile)) {
      add(detail::configuration_of(variant, preference));
      for (const detail::Strategy& strategy : variant.strategies) {
        detail::ParameterValues changed = preference;
        for (const detail::ParameterSetting& setting : strategy) changed.set(setting);
        add(detail::configuration_of(variant, changed));
      }
    }
  }
  std::mt19937_64 random(variant.parameters.size());
  const std::size_t wanted = result.size() + drawn;
  for (int attempt = 0; attempt < 1000 && result.size() < wanted; ++attempt) {
    Configuration configuration;
    for (const detail::VariantParameter& parameter : variant.parameters)
      configuration.set(parameter.name, parameter.values[random() % parameter.values.size()]);
    add(configuration);
  }
  return result;
}

// The default runs with every element of the variant's turn, and with batches. The other configurations run with one
// element each, in turns.
std::vector<CheckPart> parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const TransposeVariant& variant = detail::find_variant<TransposeProblem>(name);
  const auto all = detail::Operation<TransposeProblem>::variants();
  const auto number = static_cast<std::size_t>(std::find(all.begin(), all.end(), &variant) - all.begin());
  const std::vector<Element> met = elements_at(number, breadth);
  std::vector<CheckPart> parts;
  std::size_t turn = 0;
  for (std::size_t i = 0; i < met.size(); ++i) {
    CheckPart part{.name = to_string(met[i])};
    for (TransposeCase form : forms_of(device, variant, met[i])) {
      const auto configurations = configurations_of(device, variant, form, breadth == Breadth::quick ? 0 : 3);
      for (std::size_t c = 0; c < configurations.size(); ++c) {
        if (breadth != Breadth::full && c != 0 && turn++ % met.size() != i) continue;
        form.configuration = configurations[c];
        for (const TransposeCase& test : transpose_cases(device, form, c == 0 && i % 2 == 0, breadth))
          part.cases.push_back(to_string(test));
      }
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

// Checks the main kernel, whose local memory the variant declares.
std::string wrong_local_memory(const Engine& engine, const TransposePlan& plan) {
  const TransposeVariant& variant = detail::find_variant<TransposeProblem>(plan.explanation().variant);
  const TransposeProblem problem = detail::as_moved(detail::normalized(plan.problem()), engine.profile());
  const auto values = detail::values_of(variant, plan.explanation().configuration);
  const auto launches = detail::complete_execution(variant, values, problem, engine.profile()).launches;
  const auto source = detail::transpose_source(variant, values, problem, engine.profile());
  const cl::Program program = state_of(engine).program(detail::program_request(source, launches));
  return local_memory_difference(cl::Kernel(program, "transpose"), state_of(engine).device(),
                                 variant.memory.local_bytes(values, problem));
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const TransposeVariant* const variant : detail::Operation<TransposeProblem>::variants())
    names.emplace_back(variant->name);
  return names;
}

CaseResult run(const Engine& engine, const std::string& text) {
  CaseResult result;
  std::string wrong_memory;
  result.wrong = try_transpose_case(engine, parse_transpose_case(text), [&](const TransposePlan& plan) {
    if (!result.kernels.empty()) return;  // a case runs its plan twice
    result.kernels.push_back("transpose " + plan.explanation().variant + ' ' +
                             to_string(plan.explanation().configuration) + ' ' + to_string(plan.problem().type));
    wrong_memory = wrong_local_memory(engine, plan);
  });
  if (result.wrong.empty()) result.wrong = wrong_memory;
  return result;
}

}  // namespace

CheckedOperation checked_transpose() { return {.name = "transpose", .variants = names, .parts = parts, .run = run}; }

}  // namespace tilewright::verification
