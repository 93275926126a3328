// The interface between the tuner and operations: one problem of one operation.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "selection/json.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"
#include "tuning/search/space.hpp"

namespace tilewright::tuning {

class Tunable;

/// A problem, shared by its owners; empty if default-constructed. Problems with equal JSON are equal.
class Problem {
 public:
  Problem() = default;
  explicit Problem(std::shared_ptr<const Tunable> tunable);

  const Tunable& operator*() const { return *tunable_; }
  const Tunable* operator->() const { return tunable_.get(); }

  /// Returns the problem's JSON on one line, including its operation's name.
  const std::string& key() const { return key_; }

  friend bool operator==(const Problem& left, const Problem& right) { return left.key_ == right.key_; }

 private:
  std::shared_ptr<const Tunable> tunable_;
  std::string key_;
};

/// The work of one call.
struct Work {
  double operations = 0;  ///< of arithmetic; a multiply-add counts as two
  double bytes = 0;       ///< read and written, each operand once

  /// Returns the amount that takes the time: the operations, or the bytes if there is no arithmetic.
  double amount() const { return operations > 0 ? operations : bytes; }
  /// Returns the unit of speed(): 10^9 operations or bytes per second.
  const char* unit() const { return operations > 0 ? "GFLOP/s" : "GB/s"; }
  /// Returns the speed in unit(); 0 if there is no time.
  double speed(double seconds) const { return seconds > 0 ? 1e-9 * amount() / seconds : 0; }
  /// Returns the operations per byte.
  double intensity() const { return operations / bytes; }
};

/// A problem compiled with a choice.
class TunablePlan {
 public:
  virtual ~TunablePlan() = default;
};

/// A problem's operands on a device, for checking and timing many of its plans on one queue.
class TunableData {
 public:
  virtual ~TunableData() = default;

  /// Makes one call whose exact result is known. Returns what is wrong with it; empty if nothing is.
  virtual std::string check(const TunablePlan& plan) = 0;

  /// Makes one call on operands as random as a user's. The event covers the whole call; it may be empty if `event` is
  /// false.
  virtual Event enqueue(const TunablePlan& plan, bool event) = 0;
};

/// A problem as the tuner uses it. Immutable, and therefore thread-safe.
class Tunable {
 public:
  virtual ~Tunable() = default;

  // Description.
  virtual std::string_view operation() const = 0;      ///< name of a row of operations()
  virtual nlohmann::ordered_json to_json() const = 0;  ///< flat, "operation" first; Operation reads it
  virtual std::string label() const = 0;               ///< for people: "64 x 32 x 16 f32 NT"
  virtual std::string element() const = 0;             ///< of its matrices: "f32", "16 bytes"
  /// Returns the type of the arithmetic, whose speed limits the problem; nothing if there is no arithmetic.
  virtual std::optional<DataType> arithmetic() const = 0;
  virtual Work work() const = 0;
  /// Returns a problem with much less work and equal programs, which shows how fast they are; may be this problem.
  virtual Problem smaller() const = 0;

  // Choices.
  /// Variants that support the problem on the device.
  virtual std::vector<std::string> variants(const DeviceProfile& device) const = 0;
  virtual Space space(std::string_view variant, const DeviceProfile& device) const = 0;
  /// Returns configurations that were good somewhere, to be tried first. Each appears once; the space may lack some.
  virtual std::vector<Configuration> seeds(std::string_view variant, const DeviceProfile& device) const = 0;
  /// Whether a complete choice keeps its variant's rules.
  virtual bool allows(const Choice& choice, const DeviceProfile& device) const = 0;
  virtual Choice untuned(const DeviceProfile& device) const = 0;  ///< the library's choice without records

  // Measurement. All of these functions throw Error, cl::Error or std::bad_alloc.
  virtual std::unique_ptr<TunablePlan> plan(const Engine& engine, const Choice& choice) const = 0;
  virtual std::unique_ptr<TunableData> data(const Engine& engine, cl_command_queue queue) const = 0;
  /// Returns the properties that programs are compiled for apart from the choice: types and transposes. The result of
  /// verify() holds for all problems of the operation in this form.
  virtual std::string form() const = 0;
  /// Checks a choice at the edges of its tiles, in guarded memory, and calls `pause` before each case. Returns what is
  /// wrong; empty if nothing is.
  virtual std::string verify(const Engine& engine, const Choice& choice, const std::function<void()>& pause) const = 0;
};

}  // namespace tilewright::tuning
