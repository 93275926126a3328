// Checks of variants in a child process, so that a crash or hang of a kernel is reported as a failure of a case.
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
  std::string device{};              ///< in pick_device()'s format
  std::string oclgrind{};            ///< path of Oclgrind's driver, to check on Oclgrind; empty: the usual drivers
  std::string one_case{};            ///< run only this case
  std::vector<std::string> parts{};  ///< names of parts to run; empty: all
};

/// The results of one part of a check.
struct CheckedPart {
  std::string name{};
  std::string skipped{};  ///< why the device did not run it
  std::size_t cases = 0;
  std::set<std::string> kernels{};  ///< kernels that finished, by name, configuration and form
  double seconds = 0;
};

struct CheckReport {
  std::string device{};    ///< name
  std::string index{};     ///< "platform:device"
  std::string platform{};  ///< platform's name
  std::string driver{};    ///< driver's version
  std::vector<CheckedPart> parts{};
  std::string wrong{};   ///< the first failure; empty if there was none
  std::string failed{};  ///< the case that failed; empty if the failure belongs to no case
};

/// Time limits of a case. The CPU time is limited instead of wall time, because the machine may be busy. A case that
/// uses almost no CPU time is considered stuck.
struct CheckLimits {
  double idle_seconds = 60;
  double busy_seconds = 300;
};

/// Starts `command`, which must call serve_check(), and sends it the request. Stops at the first failure. Calls
/// `begins` before each case, with the results of its part so far. Throws std::system_error if the child cannot be
/// created, and std::runtime_error if the child reports an error.
CheckReport run_check(const std::vector<std::string>& command, const CheckRequest& request,
                      const CheckLimits& limits = {},
                      const std::function<void(const CheckedPart&, const std::string& text)>& begins = {});

}  // namespace tilewright::verification
