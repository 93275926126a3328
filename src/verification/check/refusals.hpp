// Whether a kernel refuses configurations by #error, found out for thousands of them by two runs of the preprocessor.
#pragma once

#include <string>
#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::verification {

/// A kernel's source with the options of one configuration.
struct KernelForm {
  std::string configuration;  ///< for messages
  std::string options;        ///< "-DNAME=VALUE ..."; others are left out
};

/// Of many configurations of one source, the first that the kernel refuses by an #error or any other failure of the
/// preprocessor, with the compiler's words in `log`; the number of forms where there is none.
std::size_t first_refused(const cl::Context& context, const cl::Device& device, const std::string& source,
                          const std::vector<KernelForm>& forms, std::string& log);

/// The first that it does not refuse; the number of forms where there is none.
std::size_t first_accepted(const cl::Context& context, const cl::Device& device, const std::string& source,
                           const std::vector<KernelForm>& forms);

/// The preprocessor directives of a source alone, each on one line. Without comments.
std::vector<std::string> directives_of(const std::string& source);

}  // namespace tilewright::verification
