// Measures the speeds of devices and their links.
#include "out_of_core/speeds.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/element_type.hpp"
#include "out_of_core/kept_speeds.hpp"
#include "out_of_core/staging.hpp"
#include "runtime/device/driver_quirks.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/system/stopwatch.hpp"
#include "runtime/system/stream_copy.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {
namespace {

std::string_view transfer_name(TileTransfer transfer) {
  switch (transfer) {
    case TileTransfer::automatic:
      return "automatic";
    case TileTransfer::staged:
      return "staged";
    case TileTransfer::in_place:
      return "in_place";
  }
  return "unknown";
}

// The shortest time of several repetitions. The first call, in which the driver may prepare, does not count.
double min_seconds(const std::function<void()>& work) {
  constexpr int repetitions = 3;
  work();
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < repetitions; ++i) {
    const Stopwatch watch;
    work();
    least = std::min(least, watch.seconds());
  }
  return std::max(least, 1e-9);
}

// Sizes of the measured products and copies: large enough to be efficient, and short enough to take under a second.
struct ProbeSizes {
  std::uint64_t size, deep, shallow, bytes;
};
ProbeSizes probe_sizes(const DeviceProfile& device) {
  if (quirks_of(device.vendor).is_simulator) return {64, 64, 16, 1 << 16};
  if (device.type == DeviceType::cpu) return {1024, 1024, 64, 16 << 20};
  return {4096, 4096, 256, 32 << 20};
}

// Measures the copies of a link one by one.
void measure_link(EngineState& engine, const ProbeSizes& sizes, TransferSpeeds& speeds) {
  const cl::CommandQueue queue(engine.context(), engine.device());
  const cl::Buffer buffer(engine.context(), CL_MEM_READ_WRITE, sizes.bytes);
  StagingChunks pinned(engine.context(), queue, 1, sizes.bytes);
  std::byte* const data = pinned.find_free()->data;
  const std::vector<std::byte> source(sizes.bytes, std::byte{1});
  const double bytes = static_cast<double>(sizes.bytes);
  speeds.host_copy = bytes / min_seconds([&] { stream_copy(data, source.data(), sizes.bytes); });
  speeds.upload = bytes / min_seconds([&] { queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, sizes.bytes, data); });
  speeds.download = bytes / min_seconds([&] { queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizes.bytes, data); });
}

// Measures two products that differ only in k. Their difference is the time of the steps along k; the rest is the time
// of updating C.
void measure_products(const Engine& engine, DataType type, const ProbeSizes& sizes, TransferSpeeds& speeds) {
  EngineState& state = state_of(engine);
  const cl::CommandQueue queue(state.context(), state.device());
  const std::uint64_t bytes = sizes.size * sizes.size * size_of(type);
  std::array<cl::Buffer, 3> matrices;
  constexpr cl_uint zero = 0;
  for (cl::Buffer& matrix : matrices) {
    matrix = cl::Buffer(state.context(), CL_MEM_READ_WRITE, bytes);
    queue.enqueueFillBuffer(matrix, zero, 0, bytes);
  }
  const auto seconds_of = [&](std::uint64_t size, std::uint64_t depth) {
    const GemmPlan plan(engine, {.type = type, .m = size, .n = size, .k = depth});
    return min_seconds([&] {
      plan.enqueue(queue(), {.a = {matrices[0]()}, .b = {matrices[1]()}, .beta = 1, .c = {matrices[2]()}}).wait();
    });
  };
  const double deep = seconds_of(sizes.size, sizes.deep), shallow = seconds_of(sizes.size, sizes.shallow);
  const double area = static_cast<double>(sizes.size) * static_cast<double>(sizes.size);
  const double steps = static_cast<double>(sizes.deep - sizes.shallow);
  // If noise hides the difference, all of the time counts as arithmetic.
  const double of_step = deep > shallow ? (deep - shallow) / steps : deep / static_cast<double>(sizes.deep);
  const double beside = std::max(0.0, deep - of_step * static_cast<double>(sizes.deep));
  speeds.flops = 2 * area / of_step;
  speeds.tile_update = beside > 0 ? area / beside : 0;
  speeds.launch = seconds_of(16, 16);
}

TransferSpeeds measured_speeds(const Engine& engine, DataType type) {
  const ProbeSizes sizes = probe_sizes(engine.profile());
  TransferSpeeds speeds;
  measure_link(state_of(engine), sizes, speeds);
  measure_products(engine, type, sizes, speeds);
  return speeds;
}

// Speeds that an engine remembers, so that files are read once.
class KnownSpeeds {
 public:
  std::optional<TransferSpeeds> find(DataType type) {
    const std::lock_guard lock(mutex_);
    const auto found = speeds_.find(type);
    return found == speeds_.end() ? std::nullopt : std::optional(found->second.speeds);
  }
  void add(DataType type, const TransferSpeeds& speeds, bool were_kept) {
    const std::lock_guard lock(mutex_);
    speeds_.insert_or_assign(type, Known{speeds, were_kept});
  }
  // Forgets speeds that were read from a file. Returns whether there were any.
  bool remove_kept(DataType type) {
    const std::lock_guard lock(mutex_);
    const auto found = speeds_.find(type);
    if (found == speeds_.end() || !found->second.were_kept) return false;
    speeds_.erase(found);
    return true;
  }

 private:
  struct Known {
    TransferSpeeds speeds;
    bool were_kept;
  };

  std::mutex mutex_;
  std::map<DataType, Known> speeds_;
};

TransferSpeeds speeds_of(const Engine& engine, DataType type) {
  auto& known = state_of(engine).part<KnownSpeeds>();
  if (const auto found = known.find(type)) return *found;
  const DeviceProfile& device = engine.profile();
  auto speeds = read_speeds(device, type);
  const bool were_kept = speeds.has_value();
  if (!were_kept) {
    speeds = measured_speeds(engine, type);
    keep_speeds(device, type, *speeds);
  }
  known.add(type, *speeds, were_kept);
  return *speeds;
}

}  // namespace

void discard_speeds(const Engine& engine, DataType type) {
  if (state_of(engine).part<KnownSpeeds>().remove_kept(type)) discard_kept_speeds(engine.profile(), type);
}

}  // namespace tilewright::detail

namespace tilewright {

std::string_view to_string(TileTransfer transfer) { return detail::transfer_name(transfer); }

TransferSpeeds transfer_speeds(const Engine& engine, DataType type) {
  if (type != DataType::f32 && type != DataType::f64)
    throw Error(ErrorCode::unsupported_type, "the type is " + std::string(detail::element_type(type).name) +
                                                 ", but speeds are measured for f32 and f64");
  if (const std::string why = detail::why_unsupported(type, engine.profile()); !why.empty())
    throw Error(ErrorCode::unsupported_type, why);
  return detail::translated([&] { return detail::speeds_of(engine, type); });
}

}  // namespace tilewright
