#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "gemm/core_problem.hpp"
#include "gemm/problem.hpp"
#include "gemm/program.hpp"
#include "gemm/variant.hpp"
#include "kernels/configuration_check.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/system/plain_text.hpp"
#include "selection/usable_configurations.hpp"
#include "tilewright/gemm.hpp"
#include "verification/check/local_memory.hpp"
#include "verification/checked_operations.hpp"
#include "verification/gemm/configurations.hpp"
#include "verification/gemm/conformance_cases.hpp"
#include "verification/gemm/gemm_rules.hpp"
#include "verification/gemm/gemm_trial.hpp"
#include "verification/gemm/tile_edges.hpp"

namespace tilewright::verification {
namespace {

GemmProblem some_problem(DataType type, Accuracy accuracy = Accuracy::full) {
  return detail::normalized({.type = type, .accuracy = accuracy, .m = 64, .n = 64, .k = 64});
}

VariantInfo info_of(const std::string& name) {
  for (VariantInfo& variant : gemm_variants())
    if (variant.name == name) return std::move(variant);
  detail::find_variant<GemmProblem>(name);  // throws an error that lists the known names
  return {};
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const VariantInfo& variant : gemm_variants()) names.push_back(variant.name);
  return names;
}

bool reads_images(const std::string& name) {
  if (name.empty()) return false;
  const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(name);
  const GemmProblem problem = some_problem(DataType::f32);
  DeviceProfile device;
  device.images = true;
  const auto [launches, workspaces, cycles] =
      variant.execution(variant.preferences(problem, device).back(), problem, device);
  return std::any_of(workspaces.begin(), workspaces.end(), [](const detail::Workspace& workspace) {
    return workspace.kind == detail::Workspace::Kind::float4_image;
  });
}

// Returns one form per layout, with transposes that vary with `turn`.
std::vector<Form> forms_at(std::size_t turn, const std::vector<Form>& all) {
  const std::size_t half = all.size() / 2;
  return {all[turn % half], all[half + (turn + 1) % half]};
}

// True for types that differ from another only in loads and stores: bf16 from f16, u8 from i8.
bool is_like_another(DataType type) { return type == DataType::bf16 || type == DataType::u8; }

std::vector<Configuration> configurations_to_check(const DeviceProfile& device, const VariantInfo& variant,
                                                   DataType type, Accuracy accuracy, Breadth breadth,
                                                   bool is_first_type) {
  auto configurations = selectable_configurations(device, variant, type, accuracy);
  // Types that are converted in loads and stores differ from the first type only in these.
  const bool is_converted = accumulator_of(type) != type;
  if (!configurations.empty() && !is_first_type &&
      (breadth == Breadth::quick || (breadth == Breadth::normal && is_converted)))
    return {configurations.front()};
  if (breadth != Breadth::quick)
    for (const Configuration& recorded : recorded_configurations(device, variant, type, accuracy))
      if (std::find(configurations.begin(), configurations.end(), recorded) == configurations.end())
        configurations.push_back(recorded);
  const std::size_t count = breadth == Breadth::full ? 20 : breadth == Breadth::normal && is_first_type ? 2 : 1;
  for (const Configuration& drawn :
       drawn_configurations(device, variant, type, count, breadth == Breadth::full ? 128 : 16, accuracy))
    configurations.push_back(drawn);
  return configurations;
}

// Returns the configuration that is tried with slices along k: the first, or on Oclgrind the one with the smallest
// tiles, because large ones are slow there.
const Configuration& for_slices(const DeviceProfile& device, const VariantInfo& variant,
                                std::span<const Configuration> configurations) {
  if (device.vendor != Vendor::oclgrind) return configurations.front();
  return *std::min_element(configurations.begin(), configurations.end(), [&](const auto& left, const auto& right) {
    return tile_edges(variant.name, left).tile < tile_edges(variant.name, right).tile;
  });
}

// Returns the configuration with slices along k, if the variant can split k.
std::optional<Configuration> sliced(const VariantInfo& variant, Configuration configuration) {
  constexpr std::int64_t length = 256;
  for (const Parameter& parameter : variant.parameters)
    if (parameter.name == "slice_k" &&
        std::find(parameter.values.begin(), parameter.values.end(), length) != parameter.values.end()) {
      configuration.merge({{"slice_k", length}});
      return configuration;
    }
  return {};
}

// Returns n such that every n-th case of a form is used. Types that differ from another only in conversions need fewer
// cases, which are slow on CPUs that convert elements one by one.
std::size_t step_of(DataType type, Breadth breadth) {
  if (breadth == Breadth::full || breadth == Breadth::edges) return 1;
  if (is_like_another(type)) return 4;
  return breadth == Breadth::normal && accumulator_of(type) != type ? 2 : 1;
}

// Whether the device has room for the kernel's private arrays. They depend on the form of a case, and configurations
// are chosen for one form alone.
bool has_room(const DeviceProfile& device, const GemmCase& test) {
  const GemmProblem problem = detail::core_problem(detail::normalized(problem_of(test)));
  const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(test.variant);
  const detail::ParameterValues values = detail::values_of(variant, test.configuration);
  return detail::private_memory_violation(variant, values, problem, device).empty();
}

// Oclgrind interprets kernels, at about 20 us per multiply-add. Large tiles get fewer steps of k, but enough for more
// than two tiles of A and B, and the smallest tiles cover slices of k.
GemmCase affordable(const DeviceProfile& device, GemmCase test) {
  constexpr std::uint64_t most = 1 << 19;  // multiply-adds of a tile of C
  if (device.vendor != Vendor::oclgrind) return test;
  const TileEdges edges = tile_edges(test.variant, test.configuration);
  if (edges.is_large) test.k = std::min(test.k, std::max(2 * edges.depth, most / edges.tile) + 1);
  return test;
}

void add_each(std::vector<std::string>& cases, const DeviceProfile& device, std::size_t step,
              const std::vector<GemmCase>& all) {
  for (std::size_t x = 0; x < all.size(); x += step)
    if (has_room(device, all[x])) cases.push_back(to_string(affordable(device, all[x])));
}

// Returns a case with a residual and a wide C whose rows begin anywhere. Kernels that store vectors store such a C in
// another way.
GemmCase with_residual(const VariantInfo& variant, const Configuration& configuration, Form form) {
  form.epilogue = {.residual = true};
  if (detail::is_integer(form.type)) form.type_c = DataType::f32;
  const auto all = conformance_cases(variant.name, configuration, form, Breadth::quick);
  const auto unaligned_end = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  GemmCase widest = *std::max_element(all.begin(), unaligned_end,
                                      [](const GemmCase& left, const GemmCase& right) { return left.n < right.n; });
  if (detail::is_integer(form.type)) widest.beta = 0;
  return widest;
}

// Adds epilogues. Each is a separate program, so only the default configuration gets several, and slices of k and each
// strategy one. Of the types that differ only in loads and stores, one gets epilogues at the normal level.
// `configurations` begin with the default and its strategies.
void add_epilogues(std::vector<std::string>& cases, const DeviceProfile& device, const VariantInfo& variant,
                   std::span<const Configuration> configurations, DataType type, Accuracy accuracy, Breadth breadth,
                   bool is_first_type) {
  const std::vector<Form> all = forms_of(type);
  const std::size_t turn = variant.name.size() + static_cast<std::size_t>(type);
  const bool is_converted = accumulator_of(type) != type;
  if (!is_first_type && (breadth == Breadth::quick || (breadth == Breadth::normal && is_converted && turn % 2 == 0)))
    return;
  const auto add = [&](const Configuration& of, std::size_t form, EpilogueSizes first, std::size_t count) {
    Form drawn = all[form % all.size()];
    drawn.accuracy = accuracy;
    if (is_converted && form % 4 < 2) drawn.type_c = accumulator_of(type);
    add_each(cases, device, 1, epilogue_cases(variant.name, of, drawn, first, count));
  };
  const auto first = turn % 2 == 0 ? EpilogueSizes::unaligned : EpilogueSizes::aligned;
  add(configurations.front(), turn, first, breadth == Breadth::full ? 12 : is_first_type ? 2 : 1);
  if (!is_first_type) return;
  if (const auto in_slices = sliced(variant, for_slices(device, variant, configurations)))
    add(*in_slices, turn + all.size() / 2, EpilogueSizes::deep, 1);
  for (std::size_t x = 1; x < configurations.size() && x <= variant.strategies.size(); ++x) {
    Form form = all[(turn + x) % all.size()];
    form.accuracy = accuracy;
    add_each(cases, device, 1, {with_residual(variant, configurations[x], form)});
  }
}

// Adds the cases of one type. The default and its strategies run in every form of the first type, in one form per
// layout of other types, and with batches in one form. Other selectable or drawn configurations run in one form each,
// in turns, as do types that differ only in loads and stores, and all types but the first at the quick level. Converted
// types run with their default. If C can have another type, one more form has it.
void add_cases(std::vector<std::string>& cases, const DeviceProfile& device, const VariantInfo& variant, DataType type,
               Accuracy accuracy, Breadth breadth, bool is_first_type) {
  std::vector<Form> all = forms_of(type);
  for (Form& form : all) form.accuracy = accuracy;
  const auto configurations = configurations_to_check(device, variant, type, accuracy, breadth, is_first_type);
  for (std::size_t turn = 0; turn < configurations.size(); ++turn) {
    const bool is_default = turn <= variant.strategies.size();
    const bool is_thorough = breadth == Breadth::normal && is_first_type && !detail::is_integer(type);
    const bool every_form = breadth == Breadth::full || (is_thorough && is_default);
    const std::size_t shift = turn + static_cast<std::size_t>(type);
    std::vector<Form> forms = every_form ? all : forms_at(shift, all);
    if (breadth == Breadth::quick ? !is_first_type
                                  : breadth == Breadth::normal && (!is_default || is_like_another(type)))
      forms = {forms[shift % 2]};
    forms[turn % forms.size()].batches = is_default;
    if (breadth == Breadth::quick && !is_default) forms.erase(forms.begin() + static_cast<std::ptrdiff_t>(turn % 2));
    if (accumulator_of(type) != detail::default_type_of_c(type)) {
      forms.push_back(forms[turn % forms.size()]);
      forms.back().type_c = accumulator_of(type);
    }
    for (const Form& form : forms)
      add_each(cases, device, step_of(type, breadth),
               conformance_cases(variant.name, configurations[turn], form, breadth));
  }
  add_epilogues(cases, device, variant, configurations, type, accuracy, breadth, is_first_type);
}

// Returns the accuracies that a variant offers on the device: full, otherwise the lower ones.
std::vector<Accuracy> accuracies_of(const detail::GemmVariant& variant, DataType type, const DeviceProfile& device) {
  const auto can_do = [&](Accuracy accuracy) {
    const GemmProblem problem = some_problem(type, accuracy);
    return detail::why_declined(variant, problem, device).empty() &&
           detail::why_unsupported(variant, problem, device).empty();
  };
  if (can_do(Accuracy::full)) return {Accuracy::full};
  std::vector<Accuracy> result;
  for (const Accuracy accuracy : {Accuracy::fp32_split, Accuracy::tf32})
    if (type == DataType::f32 && can_do(accuracy)) result.push_back(accuracy);
  return result;
}

// Returns a case with infinities and an alpha with an imaginary part. What alpha multiplies determines which results
// are infinite and which are NaN.
GemmCase specials_with_alpha(const std::string& name, const Configuration& configuration, const Form& form) {
  return {.variant = name,
          .configuration = configuration,
          .type = form.type,
          .layout = form.layout,
          .trans_a = form.trans_a,
          .trans_b = form.trans_b,
          .m = 17,
          .n = 23,
          .k = 9,
          .alpha = {0.7, -0.6},
          .beta = 1,
          .specials = true};
}

// Adds complex types. Their preparation is independent of the variant, so a few variants suffice, each in some of the
// forms.
void add_complex_parts(std::vector<CheckPart>& parts, const DeviceProfile& device, const std::string& name,
                       Breadth breadth) {
  constexpr std::array variants{"naive", "packed_panel", "register_blocked", "group_reduction"};
  const auto found = std::find(variants.begin(), variants.end(), name);
  if (found == variants.end()) return;
  auto turn = static_cast<std::size_t>(found - variants.begin());
  if (breadth == Breadth::quick && turn > 1) return;
  for (const DataType type : {DataType::c64, DataType::c128}) {
    CheckPart part{.name = std::string(to_string(type))};
    const GemmProblem problem{.type = type, .m = 64, .n = 64, .k = 64};
    part.skipped = detail::why_unsupported(type, device);
    if (part.skipped.empty()) {
      const Configuration configuration = explain_gemm(device, problem, {name, {}}).configuration;
      const std::vector<Form> all = forms_of(type);
      const bool once = breadth == Breadth::quick || type != DataType::c64;
      const std::size_t step = breadth == Breadth::full ? 1 : once ? all.size() : all.size() / 2;
      for (std::size_t i = breadth == Breadth::full ? 0 : turn; i < all.size(); i += step) {
        Form form = all[i];
        form.batches = true;
        add_each(part.cases, device, breadth == Breadth::full ? 1 : 4,
                 conformance_cases(name, configuration, form, breadth));
        add_each(part.cases, device, 1, {specials_with_alpha(name, configuration, form)});
      }
    }
    parts.push_back(std::move(part));
    turn += variants.size();
  }
}

std::vector<CheckPart> parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const VariantInfo info = info_of(name);
  const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(name);
  std::vector<CheckPart> parts;
  bool is_first_type = true;
  for (const DataType type : variant.needs.types) {
    CheckPart part{.name = std::string(to_string(type))};
    part.cases.push_back(rules_case(name, type));
    part.skipped = detail::why_declined(variant, some_problem(type), device);
    for (const Accuracy accuracy : accuracies_of(variant, type, device)) {
      part.skipped.clear();
      add_cases(part.cases, device, info, type, accuracy, breadth, is_first_type);
      is_first_type = false;
    }
    parts.push_back(std::move(part));
  }
  add_complex_parts(parts, device, name, breadth);
  return parts;
}

// Returns a key of variant, configuration, type, layout and transposes.
std::string kernel_of(const GemmPlan& plan) {
  const GemmProblem& problem = plan.problem();
  detail::TextStream key;
  key << plan.explanation().variant << ' ' << to_string(plan.explanation().configuration) << ' '
      << to_string(problem.type) << to_string(detail::type_of_c(problem)) << to_string(problem.accuracy)
      << static_cast<int>(problem.layout) << static_cast<int>(problem.trans_a) << static_cast<int>(problem.trans_b);
  return key.str();
}

// Checks the main kernel, whose local memory the variant declares.
std::string wrong_local_memory(const Engine& engine, const GemmPlan& plan) {
  const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(plan.explanation().variant);
  const auto values = detail::values_of(variant, plan.explanation().configuration);
  const detail::CoreProblem core =
      detail::core_of(detail::normalized(plan.problem()), engine.profile(), variant, values);
  const auto launches = detail::probed_execution(core, variant, values, engine.profile(), [&](Ability ability) {
                          return engine.probe(ability);
                        }).launches;
  const auto source = detail::gemm_source(variant, values, core, engine.profile());
  const cl::Program program = state_of(engine).program(detail::program_request(source, launches));
  for (const detail::Launch& launch : launches)
    if (launch.kernel == detail::Operation<GemmProblem>::name)
      return local_memory_difference(cl::Kernel(program, launch.kernel), state_of(engine).device(),
                                     variant.memory.local_bytes(values, core.problem));
  return {};
}

CaseResult run(const Engine& engine, const std::string& text) {
  CaseResult result;
  if (is_rules_case(text)) {
    result.wrong = try_rules_case(engine, text);
    return result;
  }
  std::string wrong_memory;
  result.wrong = try_gemm_case(engine, parse_gemm_case(text), [&](const GemmPlan& plan) {
    if (!result.kernels.empty()) return;  // a case enqueues its plan twice
    result.kernels.push_back(kernel_of(plan));
    wrong_memory = wrong_local_memory(engine, plan);
  });
  if (result.wrong.empty()) result.wrong = wrong_memory;
  return result;
}

}  // namespace

// The cases are those of conformance_cases(), and one per type that compares the variant's constraints with its
// kernel's #errors.
CheckedOperation checked_gemm() {
  return {.name = "gemm", .variants = names, .skips_uninitialised = reads_images, .parts = parts, .run = run};
}

}  // namespace tilewright::verification
