#include "runtime/probe.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/driver_quirks.hpp"
#include "runtime/device/tensor_map.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/program/binary_cache.hpp"
#include "runtime/program/kernel_source.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t items = 256;

// Runs the program's kernel `probe` as one work-group of `items` work-items. Its arguments are `maps`, and `items`
// numbers, each of which is its own index. Returns the numbers, of which each work-item writes one.
std::vector<cl_uint> run(EngineState& engine, const ProgramRequest& request, std::span<const TensorMap> maps = {}) {
  return translated([&] {
    const cl::Program program = engine.program(request);
    cl::Kernel kernel(program, "probe");
    const cl::CommandQueue queue(engine.context(), engine.device());
    std::vector<cl_uint> numbers(items);
    std::iota(numbers.begin(), numbers.end(), cl_uint{0});
    const cl::Buffer buffer(engine.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, items * sizeof(cl_uint),
                            numbers.data());
    cl_uint argument = 0;
    for (const TensorMap& map : maps) kernel.setArg(argument++, sizeof map, map.data());
    kernel.setArg(argument, buffer);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NDRange(items));
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, items * sizeof(cl_uint), numbers.data());
    engine.programs()->enqueued(program);
    return numbers;
  });
}

Probe probe_inline_ptx(EngineState& engine) {
  if (!quirks_of(engine.profile().vendor).takes_ptx) return {.detail = "not NVIDIA's driver"};
  try {
    const auto result = run(engine, probe_program(Ability::inline_ptx));
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
  for (const std::uint64_t kilobytes : {226U, 224U, 200U, 160U, 128U, 96U, 64U}) {
    const std::uint64_t bytes = kilobytes * 1024;
    if (bytes <= reported) break;
    try {
      ProgramRequest request = probe_program(Ability::big_local_memory);
      request.options = "-DWORDS=" + std::to_string(bytes / sizeof(cl_uint));
      const auto result = run(engine, request);
      if (std::accumulate(result.begin(), result.end(), cl_uint{0}) == 0)
        return {.available = true, .value = bytes, .detail = "static arrays, built, run and checked"};
      last_failure = "local memory loses the values written to it";
    } catch (const Error& error) {
      last_failure = error.what();
    }
  }
  return {.value = reported, .detail = last_failure};
}

// Runs a kernel that counts errors. Runs it in a separate context, because a kernel that fails breaks its context.
// Skips the cache, because the driver keeps what it compiled.
Probe probe_errors(EngineState& engine, Ability ability, std::span<const TensorMap> maps = {}) {
  if (!quirks_of(engine.profile().vendor).takes_ptx) return {.detail = "not NVIDIA's driver"};
  try {
    const auto wrong = translated([&] {
      EngineState own(cl::Context(engine.device()), engine.device());
      own.programs()->set_cache(std::make_shared<BinaryCache>(CacheOptions{.mode = CacheMode::off}, engine.profile()));
      return run(own, probe_program(ability), maps);
    });
    if (std::accumulate(wrong.begin(), wrong.end(), cl_uint{0}) != 0)
      return {.detail = "builds, but gives wrong results"};
    return {.available = true, .value = 1, .detail = "built, run and checked"};
  } catch (const Error& error) {
    return {.detail = error.what()};
  }
}

// The matrix of cl/probes/tensor_maps.cl.
constexpr BoxedMatrix probed_matrix{
    .element = sizeof(cl_uint), .columns = 17, .rows = 12, .ld = 20, .box_columns = 32, .box_rows = items / 32};

Probe probe_tensor_maps(EngineState& engine) {
  BoxedMatrix shorter = probed_matrix;
  --shorter.rows;
  return probe_errors(engine, Ability::tensor_maps, std::array{tensor_map(probed_matrix), tensor_map(shorter)});
}

ProgramRequest warpgroup_program(const char* name, std::string_view file, const std::string& options = {}) {
  return {name,
          kernel_source({"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/ptx_memory.cl",
                         "common/ptx_boxes.cl", "common/ptx_warpgroup.cl", file}),
          "-DSTORED_AS_HALF=1" + options};
}

}  // namespace

ProgramRequest probe_program(Ability ability) {
  switch (ability) {
    case Ability::inline_ptx:
      return {"inline PTX probe", kernel_source({"probes/inline_ptx.cl"}), ""};
    case Ability::big_local_memory:
      return {"local memory probe", kernel_source({"probes/local_memory.cl"}), ""};
    case Ability::fp64_tensor_cores:
      return {"FP64 tensor core probe", kernel_source({"probes/fp64_tensor_cores.cl"}), ""};
    case Ability::tensor_cores:
      return {"tensor core probe", kernel_source({"probes/tensor_cores.cl"}), ""};
    case Ability::warpgroup_tensor_cores:
      return warpgroup_program("warpgroup probe", "probes/warpgroup_tensor_cores.cl");
    case Ability::tensor_maps:
      return warpgroup_program("tensor map probe", "probes/tensor_maps.cl",
                               " -DCOLUMNS=" + std::to_string(probed_matrix.columns) + " -DROWS=" +
                                   std::to_string(probed_matrix.rows) + " -DLD=" + std::to_string(probed_matrix.ld));
  }
  return {};
}

Probe run_probe(EngineState& engine, Ability ability) {
  switch (ability) {
    case Ability::inline_ptx:
      return probe_inline_ptx(engine);
    case Ability::big_local_memory:
      return probe_big_local_memory(engine);
    case Ability::fp64_tensor_cores:
      if (!engine.profile().fp64) return {.detail = "the device has no double precision"};
      return probe_errors(engine, ability);
    case Ability::tensor_cores:
    case Ability::warpgroup_tensor_cores:
      return probe_errors(engine, ability);
    case Ability::tensor_maps:
      return probe_tensor_maps(engine);
  }
  return {.detail = "unknown ability"};
}

}  // namespace tilewright::detail
