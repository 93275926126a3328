// The sources of variants' programs.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/build_options.hpp"
#include "kernels/launch_sequence.hpp"
#include "kernels/variant.hpp"

namespace tilewright::detail {

/// Returns `files`, which all variants of an operation include, followed by those of a variant.
template <class Problem>
std::vector<std::string_view> variant_files(const Variant<Problem>& variant, std::vector<std::string_view> files) {
  files.insert(files.end(), variant.program.shared_files.begin(), variant.program.shared_files.end());
  files.emplace_back(variant.program.file);
  return files;
}

/// Returns the source of a configuration: `files` of the whole program, and `options` that all variants of an operation
/// take, followed by those of the configuration.
template <class Problem>
KernelSource variant_source(const Variant<Problem>& variant, const ParameterValues& values,
                            const VariantProblem<Problem>& problem, std::vector<std::string_view> files,
                            const std::string& options) {
  return {variant.name, std::move(files),
          language_option() + options +
              parameter_options(variant.parameters, variant.program.launch_parameters, values) +
              variant.program.extra_defines(values, problem)};
}

}  // namespace tilewright::detail
