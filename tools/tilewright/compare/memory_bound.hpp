// Measurement of calls limited by memory traffic, next to a copy of as many bytes: vector operations and a matrix times
// a vector.
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
  double copy_seconds = 0;  ///< time of the faster of clEnqueueCopyBuffer and copy() for as many bytes
  std::string wrong{};      ///< describes the wrong result; empty if it is right

  struct Reference {
    std::string name;
    double seconds = 0;  ///< 0: the library has no such function, or it was not measured
    std::string wrong{};
  };
  std::vector<Reference> references{};
};

/// Names of the operations: "axpy", "dot", ...
std::vector<std::string> vector_call_names();

/// Measures one of vector_call_names() on n elements with increments of 1. Verifies Tilewright's result in separate
/// guarded memory. Does not verify the libraries. Throws UsageError, Error.
MemoryBoundRun measure_vector_call(const Session& session, const std::string& name, DataType type, std::uint64_t n,
                                   const std::vector<std::string>& against, unsigned runs);

/// Measures y = op(A) x with a dense A and verifies all results. Throws UsageError, Error.
MemoryBoundRun measure_gemv(const Session& session, const GemvProblem& problem, const Choice& choice,
                            const std::vector<std::string>& against, unsigned runs);

// Return a library's function on n elements, f32 or f64. Empty if the library has no such function or this build lacks
// the library. Calls work on `vectors`: x, y and z, in this order.
using HostVectors = std::vector<std::vector<std::byte>>;
std::function<void()> openblas_vector_call(std::string_view name, DataType type, std::uint64_t n, HostVectors& vectors);
using DeviceVectors = std::vector<Buffer>;
std::function<void(unsigned calls)> clblast_vector_call(const Session& session, std::string_view name, DataType type,
                                                        std::uint64_t n, const DeviceVectors& vectors);

}  // namespace tilewright::tool
