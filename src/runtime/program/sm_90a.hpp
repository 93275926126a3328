// Instructions of sm_90a in OpenCL C for NVIDIA's driver. Its compiler makes PTX for sm_90, which lacks them, though
// the device has them. So a kernel holds them as comments of inline PTX, after a marker; the PTX, which is what the
// driver calls the program's binary, is rewritten and compiled again.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

/// Whether a program's source has such comments: the marker in a literal of its own.
bool has_sm_90a_instructions(std::string_view source);

/// The PTX with its comments made instructions, for sm_90a, up to its NUL.
/// Throws Error(build_failed) for what is no PTX for sm_90 with such comments.
std::string with_sm_90a_instructions(std::string_view ptx);

}  // namespace tilewright::detail
