#include "runtime/probe.hpp"

#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/driver_quirks.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/program/binary_cache.hpp"
#include "runtime/program/kernel_source.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t items = 256;

// Runs the program's kernel `probe` as one work-group of `items` work-items, each of which writes one number.
std::vector<cl_uint> run(EngineState& engine, const ProgramRequest& request) {
  return translated([&] {
    const cl::Program program = engine.program(request);
    cl::Kernel kernel(program, "probe");
    const cl::CommandQueue queue(engine.context(), engine.device());
    const cl::Buffer output(engine.context(), CL_MEM_READ_WRITE, items * sizeof(cl_uint));
    kernel.setArg(0, output);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NDRange(items));
    std::vector<cl_uint> result(items);
    queue.enqueueReadBuffer(output, CL_TRUE, 0, items * sizeof(cl_uint), result.data());
    engine.programs()->enqueued(program);
    return result;
  });
}

Probe probe_inline_ptx(EngineState& engine) {
  if (!quirks_of(engine.profile().vendor).takes_ptx) return {.detail = "not NVIDIA's driver"};
  try {
    const auto result = run(engine, {"inline PTX probe", kernel_source({"probes/inline_ptx.cl"}), ""});
    for (cl_uint i = 0; i < items; ++i)
      if (result[i] != i * 3 + 1) return {.detail = "builds, but gives wrong results"};
    return {.available = true, .value = 1, .detail = "built, run and checked"};
  } catch (const Error& error) {
    return {.detail = error.what()};
  }
}

Probe probe_big_local_memory(EngineState& engine) {
  const std::uint64_t reported = engine.profile().local_memory_bytes;
  if (!quirks_of(engine.profile().vendor).more_local_memory)
    return {.value = reported, .detail = "not probed: only NVIDIA's driver is known to give more than it reports"};
  std::string last_failure = "no size works";
  for (const std::uint64_t kilobytes : {224U, 200U, 160U, 128U, 96U, 64U}) {
    const std::uint64_t bytes = kilobytes * 1024;
    if (bytes <= reported) break;
    try {
      const auto words = std::to_string(bytes / sizeof(cl_uint));
      const auto result =
          run(engine, {"local memory probe", kernel_source({"probes/local_memory.cl"}), "-DWORDS=" + words});
      if (std::accumulate(result.begin(), result.end(), cl_uint{0}) == 0)
        return {.available = true, .value = bytes, .detail = "static arrays, built, run and checked"};
      last_failure = "local memory loses the values written to it";
    } catch (const Error& error) {
      last_failure = error.what();
    }
  }
  return {.value = reported, .detail = last_failure};
}

// Sums products of small integers, so that any error shows. Runs in a separate context, because a kernel that fails
// breaks its context. Skips the cache, because the driver keeps what it compiled.
Probe probe_products(EngineState& engine, const std::string& name, const std::vector<std::string_view>& files,
                     const std::string& options = {}) {
  if (!quirks_of(engine.profile().vendor).takes_ptx) return {.detail = "not NVIDIA's driver"};
  try {
    const auto wrong = translated([&] {
      EngineState own(cl::Context(engine.device()), engine.device());
      own.programs()->set_cache(std::make_shared<BinaryCache>(CacheOptions{.mode = CacheMode::off}, engine.profile()));
      return run(own, {name, kernel_source(files), options});
    });
    if (std::accumulate(wrong.begin(), wrong.end(), cl_uint{0}) != 0)
      return {.detail = "builds, but gives wrong results"};
    return {.available = true, .value = 1, .detail = "built, run and checked"};
  } catch (const Error& error) {
    return {.detail = error.what()};
  }
}

}  // namespace

Probe run_probe(EngineState& engine, Ability ability) {
  switch (ability) {
    case Ability::inline_ptx:
      return probe_inline_ptx(engine);
    case Ability::big_local_memory:
      return probe_big_local_memory(engine);
    case Ability::fp64_tensor_cores:
      if (!engine.profile().fp64) return {.detail = "the device has no double precision"};
      return probe_products(engine, "FP64 tensor core probe", {"probes/fp64_tensor_cores.cl"});
    case Ability::tensor_cores:
      return probe_products(engine, "tensor core probe", {"probes/tensor_cores.cl"});
    case Ability::warpgroup_tensor_cores:
      return probe_products(engine, "warpgroup probe",
                            {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/ptx_memory.cl",
                             "common/ptx_warpgroup.cl", "probes/warpgroup_tensor_cores.cl"},
                            "-DSTORED_AS_HALF=1");
  }
  return {.detail = "unknown ability"};
}

}  // namespace tilewright::detail
