#pragma once

#include <future>
#include <mutex>
#include <string>
#include <unordered_map>

#include "runtime/opencl.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::detail {

struct ProgramRequest {
  std::string name;    ///< for messages
  std::string source;  ///< self-contained: nothing is included
  std::string options;
};

/// The programs of one device of one context, built on demand and kept in memory.
/// Of several threads that ask for the same program one compiles and the others wait.
class ProgramStore {
 public:
  /// Throws Error(build_failed) with the device, the options and the end of the driver's log.
  /// A program that failed is tried again by the next request.
  cl::Program get(const cl::Context& context, const cl::Device& device, const ProgramRequest& request);

  ProgramStatistics statistics() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_future<cl::Program>> programs_;
  ProgramStatistics statistics_;
};

}  // namespace tilewright::detail
