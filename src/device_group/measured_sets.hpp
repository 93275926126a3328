// Chooses between sets of devices by the times of calls.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::detail {

/// Devices that a call can use, and the seconds that a model expects.
struct DeviceSet {
  std::vector<bool> used{};
  double expected = 0;
};

/// Learns which set of devices is fastest for calls of one form. The model is right on an idle host, but other guests
/// of a host can halve the rate of its memory. That rate cannot be put into the model: a rate reached with all devices
/// does not tell which rate fewer devices would reach. So sets are measured.
///
/// Sets are tried of which the model expects about as much time as the calls take, or less. Each is tried for one to
/// four calls, and the fastest set is kept; of two equally fast ones that with fewer devices. Sets are tried
/// again if the time of the kept set changes much, and after 16, 32, 64, ... calls.
class MeasuredSets {
 public:
  /// The first set is the model's choice. There must be at least one.
  explicit MeasuredSets(std::vector<DeviceSet> sets);

  /// Returns the devices that the next call should use.
  const std::vector<bool>& devices() const { return sets_[current_].used; }

  /// Notes the time of a call that used devices(). Calls that allocate or compile must not be noted.
  void note(double seconds);

  /// Returns the measured times with and without a device that is not in use; empty if no call with it was measured.
  std::string why_left_out(std::size_t device) const;

 private:
  static constexpr std::size_t enough = 4;  // calls that judge a set
  static constexpr unsigned first_patience = 16;

  struct Times {
    std::array<double, enough> recent{};
    std::size_t count = 0;
    bool is_due = true;  // whether the set may be tried

    void add(double seconds);
    double least() const;  // guests of the host can only lengthen calls
    double most() const;
  };

  void judge_kept();
  void judge_trial();
  void try_next();
  void make_others_due();

  std::vector<DeviceSet> sets_;
  std::vector<Times> times_;            // of each set
  std::size_t kept_ = 0, current_ = 0;  // different during a trial
  double decided_ = 0;                  // time of the kept set when it was chosen; 0: not known
  unsigned calls_ = 0, patience_ = first_patience;
  std::size_t retried_ = 0;  // the set that was tried again last
  bool is_retry_ = false;
};

}  // namespace tilewright::detail
