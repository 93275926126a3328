// Counts calls, and reports them when the process ends.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "bindings/blas/blas_call.hpp"

namespace tilewright::blas {

/// Calls, operations and time of one routine on one side.
struct Count {
  std::uint64_t calls = 0;
  double flops = 0;
  double seconds = 0;
};

/// The calls of the process, and the side that computed them.
class Report {
 public:
  /// Counts a call. `reason` is why the host computed it; null if the device did. Without memory the call is not
  /// counted.
  void count(const Call& call, double flops, double seconds, const char* reason) noexcept;

  /// Returns the report as text for people, or as JSON; empty if nothing was counted. `device` is empty if none was
  /// opened.
  std::string text(const std::string& device) const;
  std::string json(const std::string& device) const;

 private:
  struct Shape {
    std::string name;  // of the routine and its sizes
    Call call;         // its pointers are not used
    bool on_device = false;
    Count count{};
  };
  struct Routines {
    Count host, device;
    std::map<std::string, std::uint64_t> reasons;
    std::map<std::string, Shape> shapes;

    std::vector<const Shape*> all_shapes() const;
  };

  static std::vector<const Shape*> slowest(std::vector<const Shape*> shapes);

  mutable std::mutex mutex_;
  std::map<std::string, Routines> routines_;
};

}  // namespace tilewright::blas
