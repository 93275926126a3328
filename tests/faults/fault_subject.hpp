// Lets every OpenCL call of an operation fail once, and checks what follows.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::test {

/// One try: the calls that may fail, finished when it returns.
using Try = std::function<void()>;

/// An operation whose calls fail.
struct FaultSubject {
  std::string name;
  std::function<void()> reset;     ///< restores all data; called before each try
  std::function<bool()> is_right;  ///< called after a try that ended without an error
  std::function<Try()> start;      ///< makes the state that a try and the next one share, and returns the try
  bool keeps_events = false;       ///< whether an engine or plan that outlives the tries keeps events of recent calls
};

/// Fails calls of every function that the operation calls, as drawn by calls_to_fail(): by their status and, for
/// commands, by their event. A failure must cause an Error with the status's code, or a right result. No references may
/// leak, and the next try must give a right result.
void fail_all_calls(const FaultSubject& subject, cl_command_queue queue);

/// References to OpenCL objects while nothing is enqueued. Drivers release some of them in other threads.
class LiveObjects {
 public:
  explicit LiveObjects(bool with_events = true);

  /// Waits up to a second for the reference counts to return to the earlier ones.
  void check_same(const std::string& what) const;

 private:
  std::map<std::string, long> now() const;

  bool with_events_;
  std::map<std::string, long> before_;
};

/// Buffers with their initial contents, in a new context.
class FaultBuffers {
 public:
  FaultBuffers();

  cl_command_queue queue() const { return queue_(); }

  template <class T>
  MatrixRef add(const std::vector<T>& values) {
    return add(values.data(), values.size() * sizeof(T), std::is_floating_point_v<T> ? sizeof(T) : 0);
  }

  void reset() const;

  /// Takes the present contents of the buffers as the right result. Floating-point numbers may differ a little.
  void accept_results();
  bool are_right() const;

 private:
  struct Data {
    cl::Buffer buffer;
    std::vector<std::byte> initial, right{};
    std::size_t bytes_of_float = 0;  // 0: no floating-point numbers
  };

  MatrixRef add(const void* values, std::size_t bytes, std::size_t bytes_of_float);
  std::vector<std::byte> read(const Data& data) const;

  cl::Context context_;
  cl::CommandQueue queue_;
  std::vector<Data> all_;
};

}  // namespace tilewright::test
