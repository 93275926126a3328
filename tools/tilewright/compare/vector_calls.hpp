// Other libraries' functions on vectors.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "session.hpp"

namespace tilewright::tool {

// Return a library's function on n elements, f32 or f64. Empty if the library has no such function or this build lacks
// the library. Calls work on `vectors`: x, y and z, in this order.
using HostVectors = std::vector<std::vector<std::byte>>;
std::function<void()> openblas_vector_call(std::string_view name, DataType type, std::uint64_t n, HostVectors& vectors);
using DeviceVectors = std::vector<Buffer>;
std::function<void(unsigned calls)> clblast_vector_call(const Session& session, std::string_view name, DataType type,
                                                        std::uint64_t n, const DeviceVectors& vectors);

}  // namespace tilewright::tool
