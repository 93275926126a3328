#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "verification/common/guarded_matrix.hpp"

namespace tilewright::verification {

/// A call of the library on operands in guarded memory.
class GuardedCall {
 public:
  explicit GuardedCall(const Engine& engine);

  /// Adds an operand, which must outlive this object. The call may change the elements for which `may_change` is true.
  template <class T>
  void add(std::string name, GuardedMatrix<T>& matrix, typename GuardedMatrix<T>::MayChange may_change) {
    operands_.push_back(
        {.name = std::move(name),
         .upload = [&matrix](const cl::CommandQueue& queue) { matrix.upload(queue); },
         .download = [&matrix](const cl::CommandQueue& queue) { matrix.download(queue); },
         .damage = [&matrix, may_change = std::move(may_change)] { return matrix.damage_outside(may_change); },
         .bytes = [&matrix] { return std::as_bytes(std::span(matrix.received())); }});
  }
  template <class T>
  void add(std::string name, GuardedMatrix<T>& matrix, std::same_as<bool> auto may_change) {
    add(std::move(name), matrix, [may_change](std::uint64_t, std::uint64_t) { return may_change; });
  }

  /// Uploads the operands, calls enqueue(queue), and downloads them. Then checks the results by wrong(), which
  /// describes a wrong result, and all other memory. A second run must give the same bits. Returns what is wrong; empty
  /// if nothing is.
  std::string verify(const std::function<Event(cl_command_queue)>& enqueue, const std::function<std::string()>& wrong);

 private:
  struct Operand {
    std::string name;
    std::function<void(const cl::CommandQueue&)> upload, download;
    std::function<std::string()> damage;
    std::function<std::span<const std::byte>()> bytes;
  };

  void execute(const std::function<Event(cl_command_queue)>& enqueue) const;

  cl::CommandQueue queue_;
  std::vector<Operand> operands_;
};

}  // namespace tilewright::verification
