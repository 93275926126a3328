#include <algorithm>

#include "kernels/configuration_check.hpp"
#include "kernels/element_type.hpp"
#include "spmm/variant.hpp"
#include "verification/checked_operations.hpp"
#include "verification/spmm/spmm_cases.hpp"

namespace tilewright::verification {
namespace {

using detail::SpmmCore;
using detail::SpmmVariant;

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const SpmmVariant* const variant : detail::Operation<detail::SpmmCore>::variants())
    names.emplace_back(variant->name);
  return names;
}

// Returns the choices that the selector can make for such rows on CPUs and GPUs, without duplicates.
std::vector<Choice> choices_of(const DeviceProfile& device, const SpmmVariant& variant, DataType type) {
  std::vector<Choice> choices;
  for (const std::uint64_t n : {1U, 8U, 100U})
    for (const DeviceType kind : {DeviceType::cpu, DeviceType::gpu}) {
      DeviceProfile profile = device;
      profile.type = kind;
      const SpmmCore core{
          .type = type, .n = n, .ldb = n, .ldc = n, .a = {.rows = 400, .columns = 400, .nonzeros = 3000, .mean = 7.5}};
      for (const detail::ParameterValues& values : variant.preferences(core, profile)) {
        const Choice choice{variant.name, detail::configuration_of(variant, values)};
        if (detail::violation(variant, values, core, device).empty() &&
            std::find(choices.begin(), choices.end(), choice) == choices.end())
          choices.push_back(choice);
      }
    }
  return choices;
}

// Small configurations run in every form. Beyond `quick`, all selectable configurations also run at every edge.
std::vector<CheckPart> parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const SpmmVariant& variant = detail::find_variant<SpmmCore>(name);
  const auto all = names();
  auto turn = static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
  std::vector<CheckPart> parts;
  for (const DataType type : variant.needs.types) {
    CheckPart part{.name = std::string(to_string(type)), .skipped = detail::why_unsupported(type, device)};
    const auto add = [&](const std::vector<SpmmCase>& cases) {
      for (const SpmmCase& test : cases) part.cases.push_back(to_string(test));
      turn += cases.size();
    };
    if (part.skipped.empty()) {
      add(spmm_cases(small_choice(name), type, breadth, turn));
      if (breadth != Breadth::quick)
        for (const Choice& choice : choices_of(device, variant, type))
          add(spmm_cases(choice, type, Breadth::edges, turn));
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

CaseResult run(const Engine& engine, const std::string& text) {
  CaseResult result;
  result.wrong = try_spmm_case(engine, parse_spmm_case(text), [&](const SpmmPlan& plan) {
    if (!result.kernels.empty()) return;  // a case runs its plan twice
    result.kernels.push_back("spmm " + plan.explanation().variant + ' ' + to_string(plan.explanation().configuration) +
                             ' ' + std::string(to_string(plan.problem().type)));
  });
  return result;
}

}  // namespace

CheckedOperation checked_spmm() { return {.name = "spmm", .variants = names, .parts = parts, .run = run}; }

}  // namespace tilewright::verification
