// The seam between the tuner and operations: one problem of one operation, as the tuner sees it.
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

/// A problem, shared by all who hold it; none where it was default-constructed. Equal to others of the same JSON.
class Problem {
 public:
  Problem() = default;
  explicit Problem(std::shared_ptr<const Tunable> tunable);

  const Tunable& operator*() const { return *tunable_; }
  const Tunable* operator->() const { return tunable_.get(); }

  /// The problem's JSON on one line, its operation's name included.
  const std::string& key() const { return key_; }

  friend bool operator==(const Problem& left, const Problem& right) { return left.key_ == right.key_; }

 private:
  std::shared_ptr<const Tunable> tunable_;
  std::string key_;
};

/// What one call does.
struct Work {
  double operations = 0;  ///< of arithmetic; a multiply-add counts for two
  double bytes = 0;       ///< read and written, each operand once

  /// What takes the time: the operations, or the bytes of what does no arithmetic.
  double amount() const { return operations > 0 ? operations : bytes; }
  /// Of 10^9 of these a second.
  const char* unit() const { return operations > 0 ? "GFLOP/s" : "GB/s"; }
  /// In these units; 0 where there is no time.
  double speed(double seconds) const { return seconds > 0 ? 1e-9 * amount() / seconds : 0; }
  /// Operations per byte.
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

  /// One call whose result is known, to the bit. Says what is wrong with it; empty where nothing is.
  virtual std::string check(const TunablePlan& plan) = 0;

  /// One call on operands as random as a user's. The event covers all of it.
  virtual Event enqueue(const TunablePlan& plan) = 0;
};

/// Immutable, so safe to use from several threads.
class Tunable {
 public:
  virtual ~Tunable() = default;

  // What it is.
  virtual std::string_view operation() const = 0;      ///< the name of a row of operations()
  virtual nlohmann::ordered_json to_json() const = 0;  ///< flat, "operation" first; Operation reads it
  virtual std::string label() const = 0;               ///< for people: "64 x 32 x 16 f32 NT"
  virtual std::string element() const = 0;             ///< of its matrices: "f32", "16 bytes"
  /// What it computes with, whose speed limits it; none where it computes nothing.
  virtual std::optional<DataType> arithmetic() const = 0;
  virtual Work work() const = 0;
  /// A problem of much less work whose programs are the same, which shows how fast they are; may be this one.
  virtual Problem smaller() const = 0;

  // The choices that there are.
  virtual std::vector<std::string> variants(const DeviceProfile& device) const = 0;  ///< that can do it there
  virtual Space space(std::string_view variant, const DeviceProfile& device) const = 0;
  /// Configurations that were good somewhere, to be tried first. Each once; the space may lack some.
  virtual std::vector<Configuration> seeds(std::string_view variant, const DeviceProfile& device) const = 0;
  /// Whether a complete choice keeps its variant's rules.
  virtual bool allows(const Choice& choice, const DeviceProfile& device) const = 0;
  virtual Choice untuned(const DeviceProfile& device) const = 0;  ///< what the library takes without records

  // Measuring. All of these throw Error, cl::Error or std::bad_alloc.
  virtual std::unique_ptr<TunablePlan> plan(const Engine& engine, const Choice& choice) const = 0;
  virtual std::unique_ptr<TunableData> data(const Engine& engine, cl_command_queue queue) const = 0;
  /// What programs are compiled for beside the choice (types, transposes): what verify() says holds for all problems
  /// of the operation in this form.
  virtual std::string form() const = 0;
  /// Checks a choice at the edges of its tiles, in guarded memory, and calls `pause` before each case. Says what is
  /// wrong; empty where nothing is.
  virtual std::string verify(const Engine& engine, const Choice& choice, const std::function<void()>& pause) const = 0;
};

}  // namespace tilewright::tuning
