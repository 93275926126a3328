#include "tuning/measure/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernels/build_options.hpp"
#include "kernels/host_type.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/program/kernel_source.hpp"
#include "runtime/system/stopwatch.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::tuning {
namespace {

using detail::EngineState;

// Long enough that the host's clock and the cost of a launch do not matter, short enough for a GPU with a display.
constexpr double launch_seconds = 0.02;
constexpr double budget_seconds = 0.2;  ///< of repeated launches, per width

double timed(const cl::CommandQueue& queue, const std::function<void()>& launch) {
  const detail::Stopwatch watch;
  launch();
  queue.finish();
  return watch.seconds();
}

// Returns the minimum over repeated launches. The first launch lets the driver compile and is not counted.
double min_seconds(const cl::CommandQueue& queue, const std::function<void()>& launch) {
  timed(queue, launch);
  double least = timed(queue, launch);
  for (double spent = least; spent < budget_seconds;) {
    const double seconds = timed(queue, launch);
    least = std::min(least, seconds);
    spent += seconds;
  }
  return least;
}

void require(bool right, const char* what) {
  if (!right) throw Error(ErrorCode::opencl_failure, std::string("the device computes incorrectly: ") + what);
}

// Vector widths to try: the compiler's choice, a common one, the device's own, and twice that.
std::set<unsigned> widths(unsigned native) {
  unsigned own = 1;
  while (own * 2 <= std::min(native, 16U)) own *= 2;
  return {1, 4, own, std::min(16U, 2 * own)};
}

template <class Real>
double measure_multiply_adds(EngineState& engine, unsigned width) {
  constexpr cl_uint chains = 10;
  const DeviceProfile& profile = engine.profile();
  const bool cpu = profile.type == DeviceType::cpu;
  const std::size_t local = std::min<std::size_t>(profile.max_work_group_size, cpu ? 1 : 256);
  const std::size_t items = local * profile.compute_units * (cpu ? 4 : 16);

  const std::string options = detail::element_options(detail::HostType<Real>::type) + detail::define("WIDTH", width) +
                              detail::define("CHAINS", chains);
  const cl::Program program = engine.program(
      {"multiply-add probe",
       detail::kernel_source({"common/index.cl", "common/bfloat16.cl", "common/types.cl", "probes/fma.cl"}), options});
  cl::Kernel kernel(program, "probe");
  const cl::CommandQueue queue(engine.context(), engine.device());
  const cl::Buffer output(engine.context(), CL_MEM_WRITE_ONLY, items * width * sizeof(Real));
  kernel.setArg(0, output);
  kernel.setArg(2, Real(0.5));
  kernel.setArg(3, Real(1));

  cl_uint steps = 128;  // enough for the chains to converge to 2
  const auto launch = [&] {
    kernel.setArg(1, steps);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NDRange(local));
  };
  timed(queue, launch);
  while (timed(queue, launch) < launch_seconds && steps < (1U << 30)) steps *= 2;
  const double seconds = min_seconds(queue, launch);

  std::vector<Real> sums(items * width);
  queue.enqueueReadBuffer(output, CL_TRUE, 0, sums.size() * sizeof(Real), sums.data());
  require(
      std::all_of(sums.begin(), sums.end(), [](Real sum) { return std::abs(sum - 2 * Real(chains)) <= Real(1e-4); }),
      "chains of multiply-adds");
  return 2e-9 * chains * width * static_cast<double>(steps) * static_cast<double>(items) / seconds;
}

double measure_arithmetic(EngineState& engine, DataType accumulator) {
  double best = 0;
  for (const unsigned width : widths(detail::native_vector_width(engine.profile(), accumulator)))
    best = std::max(best, detail::with_real_host_type(accumulator, [&]<class T>(std::type_identity<T>) {
                      return measure_multiply_adds<detail::Accumulator<T>>(engine, width);
                    }));
  return best;
}

// Much larger than the caches, if the device has the memory.
std::size_t stream_bytes(const DeviceProfile& profile) {
  const std::uint64_t wanted = std::clamp<std::uint64_t>(4 * profile.global_cache_bytes, 64 << 20, 256 << 20);
  const std::uint64_t possible = std::min(profile.max_allocation_bytes, profile.global_memory_bytes / 8);
  std::uint64_t bytes = 1 << 20;
  while (bytes * 2 <= std::min(wanted, possible)) bytes *= 2;
  return bytes;
}

double measure_stream(EngineState& engine, unsigned width) {
  const DeviceProfile& profile = engine.profile();
  const std::size_t bytes = stream_bytes(profile);
  const std::size_t items = bytes / (width * sizeof(cl_float));
  std::size_t local = 1;
  while (local * 2 <= std::min<std::size_t>(profile.max_work_group_size, 256)) local *= 2;

  const cl::Program program =
      engine.program({"stream probe", detail::kernel_source({"probes/stream.cl"}), "-DWIDTH=" + std::to_string(width)});
  const cl::CommandQueue queue(engine.context(), engine.device());
  std::vector<cl::Buffer> buffers;
  for (int i = 0; i < 3; ++i) buffers.emplace_back(engine.context(), CL_MEM_READ_WRITE, bytes);
  const auto enqueue = [&](cl::Kernel& kernel) {
    for (cl_uint i = 0; i < 3; ++i) kernel.setArg(i, buffers[i]);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NDRange(local));
  };
  cl::Kernel fill(program, "fill"), probe(program, "probe");
  enqueue(fill);
  probe.setArg(3, cl_float(3));
  const double seconds = min_seconds(queue, [&] { enqueue(probe); });

  std::vector<cl_float> result(bytes / sizeof(cl_float));
  queue.enqueueReadBuffer(buffers[0], CL_TRUE, 0, bytes, result.data());
  bool right = true;
  for (std::size_t i = 0; i < result.size(); ++i)
    right = right && result[i] == static_cast<cl_float>(i / width % 1024) + 3;
  require(right, "STREAM's triad");
  return 3e-9 * static_cast<double>(bytes) / seconds;
}

}  // namespace

Roofline measure_roofline(const Engine& engine, const std::set<DataType>& types) {
  EngineState& state = state_of(engine);
  const DeviceProfile& profile = state.profile();
  return detail::translated([&] {
    Roofline roofline;
    for (const unsigned width : widths(profile.native_vector_width_f32))
      if (width > 1) roofline.bandwidth_gbytes = std::max(roofline.bandwidth_gbytes, measure_stream(state, width));
    std::map<DataType, double> of_arithmetic;
    for (const DataType type : types) {
      if (detail::is_integer(type) || !detail::why_unsupported(type, profile).empty()) continue;
      const DataType accumulator = accumulator_of(type);
      const auto [measured, is_new] = of_arithmetic.emplace(accumulator, 0);
      if (is_new) measured->second = measure_arithmetic(state, accumulator);
      roofline.gflops[type] = measured->second;
    }
    return roofline;
  });
}

}  // namespace tilewright::tuning
