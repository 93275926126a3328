#include "verification/gemm/gemm_rules.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "gemm/program.hpp"
#include "gemm/variant.hpp"
#include "kernels/element_type.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/program/kernel_source.hpp"
#include "runtime/system/plain_text.hpp"
#include "selection/usable_configurations.hpp"
#include "verification/check/refusals.hpp"
#include "verification/check/rule_samples.hpp"

namespace tilewright::verification {
namespace {

using detail::GemmVariant;

constexpr std::string_view prefix = "rules ";

struct RulesCase {
  const GemmVariant* variant;
  DataType type;
};

RulesCase parse(const std::string& text) {
  std::vector<std::string> words = detail::split_words(text.substr(prefix.size()));
  words.resize(std::max<std::size_t>(words.size(), 2));
  const std::string &variant = words[0], &type = words[1];
  const auto known = type.starts_with("type=") ? detail::find_data_type(type.substr(5)) : std::nullopt;
  if (!variant.starts_with("variant=") || !known)
    throw std::invalid_argument("expected 'rules variant=NAME type=TYPE', got '" + text + "'");
  return {&detail::find_variant<GemmProblem>(variant.substr(8)), *known};
}

// Varies the transposes with `turn`, and alternates sizes that are and are not multiples of a vector.
GemmProblem problem_at(std::size_t turn, DataType type) {
  const std::uint64_t size = turn / 4 % 2 == 0 ? 64 : 67;
  return detail::normalized({.type = type,
                             .trans_a = turn % 2 == 0 ? Transpose::no : Transpose::yes,
                             .trans_b = turn / 2 % 2 == 0 ? Transpose::no : Transpose::yes,
                             .m = size,
                             .n = size,
                             .k = size,
                             .offset_alignment = turn / 4 % 2 == 0 ? 16U : 1U});
}

// Returns a made-up GPU that runs every variant.
DeviceProfile capable_gpu() {
  DeviceProfile device;
  device.name = "a made-up GPU";
  device.type = DeviceType::gpu;
  device.vendor = Vendor::nvidia;
  device.architecture = "sm_90";
  device.compute_units = 128;
  device.local_memory_bytes = 228 << 10;
  device.max_work_group_size = 1024;
  device.max_work_item_sizes = {1024, 1024, 1024};
  device.global_memory_bytes = device.max_allocation_bytes = std::uint64_t{64} << 30;
  device.native_vector_width_f32 = device.native_vector_width_f64 = 4;
  device.fp64 = device.fp16 = device.fp64_tensor_cores = device.tensor_cores = true;
  device.warpgroup_tensor_cores = device.tensor_maps = device.images = true;
  device.image2d_max_width = device.image2d_max_height = 16384;
  return device;
}

std::vector<detail::ParameterValues> usable(const GemmVariant& variant, const GemmProblem& problem,
                                            const DeviceProfile& device) {
  std::string broken;
  return detail::usable_configurations(variant, problem, device, {}, broken);
}

class Comparison {
 public:
  Comparison(const Engine& engine, const GemmVariant& variant, DataType type, const DeviceProfile& device)
      : engine_(state_of(engine)),
        variant_(variant),
        type_(type),
        device_(device),
        source_(detail::kernel_source(detail::gemm_source(variant, usable(variant, problem_at(0, type), device).front(),
                                                          problem_at(0, type), device)
                                          .files)) {}

  std::string operator()() const {
    const auto samples =
        sample_rules(variant_, problem_at(0, type_), device_, usable(variant_, problem_at(0, type_), device_));
    if (std::string wrong = check_inside(samples.inside); !wrong.empty()) return wrong;
    return check_outside(samples.outside);
  }

 private:
  KernelForm form(const detail::ParameterValues& values, std::size_t turn) const {
    return {to_string(detail::configuration_of(variant_, values)),
            detail::gemm_source(variant_, values, problem_at(turn, type_), device_).options};
  }

  std::string check_inside(const std::vector<detail::ParameterValues>& inside) const {
    std::vector<KernelForm> forms;
    for (const detail::ParameterValues& values : inside) forms.push_back(form(values, forms.size()));
    if (const std::string macro = unused_macro(source_, forms); !macro.empty())
      return "no line of " + std::string(variant_.program.file) + " or its shared files uses the macro " + macro +
             ", which the host file defines: correct its name, or list the parameter in launch_parameters";
    std::string log;
    const std::size_t refused = first_refused(engine_.context(), engine_.device(), source_, forms, log);
    if (refused == forms.size()) return {};
    return "the kernel refuses " + forms[refused].configuration +
           ", which satisfies every constraint of the host file: add the missing constraint there, or correct the "
           "#error\n"
           "options: " +
           forms[refused].options + "\nlog: " + log;
  }

  std::string check_outside(const std::vector<RuleSamples<GemmProblem>::Outside>& outside) const {
    std::vector<KernelForm> forms;
    std::vector<const char*> rules;
    const DeviceProfile capable = capable_gpu();
    for (const auto& sample : outside) {
      // Skips constraints about limits of the device, which the kernel does not check.
      if (sample.broken->holds(sample.values, problem_at(0, type_), capable)) continue;
      forms.push_back(form(sample.values, forms.size()));
      rules.push_back(sample.broken->rule);
    }
    const std::size_t accepted = first_accepted(engine_.context(), engine_.device(), source_, forms);
    if (accepted == forms.size()) return {};
    return "the kernel compiles with " + forms[accepted].configuration + ", which breaks the constraint '" +
           rules[accepted] + "': add an #error to " + variant_.program.file + "\noptions: " + forms[accepted].options;
  }

  detail::EngineState& engine_;
  const GemmVariant& variant_;
  DataType type_;
  DeviceProfile device_;
  std::string source_;
};

}  // namespace

std::string rules_case(const std::string& variant, DataType type) {
  return std::string(prefix) + "variant=" + variant + " type=" + std::string(to_string(type));
}

bool is_rules_case(std::string_view text) { return text.starts_with(prefix); }

std::string try_rules_case(const Engine& engine, const std::string& text) {
  const auto [variant, type] = parse(text);
  const GemmProblem problem = problem_at(0, type);
  const auto is_supported = [&variant = variant, &problem](const DeviceProfile& device) {
    return detail::why_declined(*variant, problem, device).empty();
  };
  const bool runs_here = is_supported(engine.profile());
  const DeviceProfile device = runs_here ? engine.profile() : capable_gpu();
  if (!runs_here && !is_supported(device)) return {};
  if (usable(*variant, problem, device).empty())
    return "the variant claims support on " + device.name +
           ", but none of its preferences is usable there: " + detail::why_unsupported(*variant, problem, device);
  return Comparison(engine, *variant, type, device)();
}

}  // namespace tilewright::verification
