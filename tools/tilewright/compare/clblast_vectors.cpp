#include <clblast.h>
#include <fmt/format.h>

#include <stdexcept>

#include "compare/vector_calls.hpp"
#include "tilewright/event.hpp"

namespace tilewright::tool {
namespace {

/// Enqueues one call; `event` may be null.
using EnqueueCall = std::function<clblast::StatusCode(cl_command_queue* queue, cl_event* event)>;

template <class T>
EnqueueCall vector_call(std::string_view name, std::size_t n, cl_mem x, cl_mem y, cl_mem z) {
  using Queue = cl_command_queue*;
  using Made = cl_event*;
  if (name == "axpy") return [=](Queue q, Made e) { return clblast::Axpy<T>(n, T(0.5), x, 0, 1, y, 0, 1, q, e); };
  if (name == "scal") return [=](Queue q, Made e) { return clblast::Scal<T>(n, T(-1), x, 0, 1, q, e); };
  if (name == "hadamard")
    return [=](Queue q, Made e) { return clblast::Had<T>(n, T(2), x, 0, 1, y, 0, 1, T(0), z, 0, 1, q, e); };
  if (name == "copy") return [=](Queue q, Made e) { return clblast::Copy<T>(n, x, 0, 1, y, 0, 1, q, e); };
  if (name == "swap") return [=](Queue q, Made e) { return clblast::Swap<T>(n, x, 0, 1, y, 0, 1, q, e); };
  if (name == "dot") return [=](Queue q, Made e) { return clblast::Dot<T>(n, z, 0, x, 0, 1, y, 0, 1, q, e); };
  if (name == "nrm2") return [=](Queue q, Made e) { return clblast::Nrm2<T>(n, z, 0, x, 0, 1, q, e); };
  if (name == "asum") return [=](Queue q, Made e) { return clblast::Asum<T>(n, z, 0, x, 0, 1, q, e); };
  if (name == "iamax") return [=](Queue q, Made e) { return clblast::Amax<T>(n, z, 0, x, 0, 1, q, e); };
  return {};
}

}  // namespace

std::function<void(unsigned)> clblast_vector_call(const Session& session, std::string_view name, DataType type,
                                                  std::uint64_t n, const DeviceVectors& vectors) {
  cl_mem x = vectors[0].get(), y = vectors[1].get(), z = vectors[2].get();
  EnqueueCall enqueue;
  if (type == DataType::f32) enqueue = vector_call<float>(name, n, x, y, z);
  if (type == DataType::f64) enqueue = vector_call<double>(name, n, x, y, z);
  if (!enqueue) return {};
  return [enqueue, queue = session.queue()](unsigned calls) {
    cl_command_queue to = queue;
    for (unsigned left = calls; left > 0; --left) {
      cl_event event = nullptr;
      if (const auto status = enqueue(&to, left == 1 ? &event : nullptr); status != clblast::StatusCode::kSuccess)
        throw std::runtime_error(fmt::format("CLBlast failed with status {}", static_cast<int>(status)));
      if (left == 1) Event(event).wait();
    }
  };
}

}  // namespace tilewright::tool
