// Calls whose time is that of their memory traffic, to measure beside a copy of as many bytes: operations on vectors,
// and a matrix times a vector.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "session.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/gemv.hpp"

namespace tilewright::tool {

struct MemoryBoundRun {
  double bytes = 0;  ///< read and written, each operand once
  double seconds = 0;
  double first_call_seconds = 0;
  double copy_seconds = 0;  ///< of the faster of clEnqueueCopyBuffer and copy(), for as many bytes
  std::string wrong{};      ///< empty where the result was right

  struct Reference {
    std::string name;
    double seconds = 0;  ///< 0: it has no such function, or was not measured
    std::string wrong{};
  };
  std::vector<Reference> references{};
};

/// "axpy", "dot", ...
std::vector<std::string> vector_call_names();

/// One of vector_call_names() on n elements with increments of 1. Whether it is right is asked in guarded memory of its
/// own; what libraries compute is not verified. Throws UsageError, Error.
MemoryBoundRun measure_vector_call(const Session& session, const std::string& name, DataType type, std::uint64_t n,
                                   const std::vector<std::string>& against, unsigned runs);

/// y = op(A) x with a dense A; everything is verified. Throws UsageError, Error.
MemoryBoundRun measure_gemv(const Session& session, const GemvProblem& problem, const Choice& choice,
                            const std::vector<std::string>& against, unsigned runs);

// A library's function of a name on n elements, f32 or f64, which works when it returns; empty where it has none, or
// this build lacks the library. `x`, `y` and `z` are what it works on.
using HostVectors = std::vector<std::vector<std::byte>>;
std::function<void()> openblas_vector_call(std::string_view name, DataType type, std::uint64_t n, HostVectors& vectors);
using DeviceVectors = std::vector<Buffer>;
std::function<void(unsigned calls)> clblast_vector_call(const Session& session, std::string_view name, DataType type,
                                                        std::uint64_t n, const DeviceVectors& vectors);

}  // namespace tilewright::tool
