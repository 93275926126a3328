// A variant's check in a child process, so that a kernel that crashes or hangs is a failure with a name.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "verification/common/breadth.hpp"

namespace tilewright::verification {

struct CheckRequest {
  std::string operation{};
  std::string variant{};
  Breadth breadth = Breadth::normal;
  std::string device{};    ///< as pick_device() takes it
  std::string oclgrind{};  ///< Oclgrind's driver, to run on its device with all its checks; empty: the usual drivers
  std::string one_case{};  ///< this case alone
  std::vector<std::string> parts{};  ///< those of these names alone; empty: all
};

/// What was run of a part of a check.
struct CheckedPart {
  std::string name{};
  std::string skipped{};  ///< why it was not run on the device
  std::size_t cases = 0;
  std::set<std::string> kernels{};  ///< what ran to its end, by name, configuration and form
  double seconds = 0;
};

struct CheckReport {
  std::string device{};    ///< its name
  std::string index{};     ///< "platform:device"
  std::string platform{};  ///< its platform's name
  std::string driver{};    ///< its driver's version
  std::vector<CheckedPart> parts{};
  std::string wrong{};   ///< what the first failure was; empty: there was none
  std::string failed{};  ///< its case; empty where the check failed outside of any
};

/// How long a case may take. Processor time and not the clock's, as a machine may be busy; but a case that uses next to
/// none waits for what never comes.
struct CheckLimits {
  double idle_seconds = 60;
  double busy_seconds = 300;
};

/// Starts `command`, which runs serve_check(), and sends it the request. Ends at the first failure. `begins` hears of
/// every case, with what was done of its part, before it runs. Throws std::system_error where the system refuses the
/// child, and std::runtime_error where the child cannot begin.
CheckReport run_check(const std::vector<std::string>& command, const CheckRequest& request,
                      const CheckLimits& limits = {},
                      const std::function<void(const CheckedPart&, const std::string& text)>& begins = {});

}  // namespace tilewright::verification
