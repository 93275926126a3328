// Instructions of sm_90a in OpenCL C, for NVIDIA's driver.
// Its compiler emits PTX for sm_90, which lacks these instructions, although the device has them. A kernel therefore
// holds them as comments of inline PTX, after a marker. Another marker precedes directives of a kernel's header, which
// OpenCL C cannot write. The driver returns PTX as the program's binary; the library rewrites that PTX and compiles it
// again.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

/// Whether a program's source has such comments, with the marker in a string literal of its own.
bool has_sm_90a_instructions(std::string_view source);

/// Returns the PTX up to its NUL, with these comments turned into instructions and directives, and the target changed
/// to sm_90a. Throws Error(build_failed) if the text is not PTX for sm_90 with such comments.
std::string with_sm_90a_instructions(std::string_view ptx);

}  // namespace tilewright::detail
