// Tests whether a kernel refuses configurations by #error. Two builds of the preprocessor test thousands of
// configurations.
#pragma once

#include <string>
#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::verification {

/// The compile options of one configuration.
struct KernelForm {
  std::string configuration;  ///< for messages
  std::string options;        ///< "-DNAME=VALUE ..."; other options only count for the messages
};

/// Returns a macro that the forms define and the source does not use; empty if there is none. A default for the macro
/// (#ifndef X, #define X 1), the text of an #error and comments are no uses.
std::string unused_macro(const std::string& source, const std::vector<KernelForm>& forms);

/// Returns the index of the first form that the source refuses by #error or another preprocessor failure, and the
/// compiler's first messages in `log`, with their places in the source's files. Returns the number of forms if it
/// refuses none.
std::size_t first_refused(const cl::Context& context, const cl::Device& device, const std::string& source,
                          const std::vector<KernelForm>& forms, std::string& log);

/// Returns the index of the first form that the source accepts; the number of forms if it accepts none.
std::size_t first_accepted(const cl::Context& context, const cl::Device& device, const std::string& source,
                           const std::vector<KernelForm>& forms);

/// Returns the preprocessor directives of a source, one line each, without comments.
std::vector<std::string> directives_of(const std::string& source);

}  // namespace tilewright::verification
