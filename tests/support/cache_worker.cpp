// A process beside the tests' own, for what needs several:
//   tilewright_cache_worker programs CACHE FIRST COUNT   runs COUNT programs with a cache, beginning with number FIRST,
//                                                        and checks what each computes
//   tilewright_cache_worker write CACHE                  writes to a cache until it is killed
#include <CL/opencl.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#include "runtime/binary_cache.hpp"
#include "runtime/binary_container.hpp"
#include "runtime/binary_directory.hpp"
#include "runtime/program_store.hpp"

namespace {

using namespace tilewright;

int run_programs(const std::string& directory, int first, int count) {
  const Device device = pick_device();
  const cl::Device owned(device.id, true);
  const cl::Context context(owned);
  const cl::CommandQueue queue(context, owned);
  const CacheOptions options{.mode = CacheMode::read_write, .directory = directory};
  detail::ProgramStore store(std::make_shared<detail::BinaryCache>(options, device.profile));
  for (int i = 0; i < count; ++i) {
    const cl_int value = (first + i) % count;
    const cl::Program program = store.get(
        context, owned,
        {"f", "__kernel void f(__global int* x) { x[get_global_id(0)] = VALUE; }", "-DVALUE=" + std::to_string(value)});
    cl::Kernel kernel(program, "f");
    const cl::Buffer buffer(context, CL_MEM_READ_WRITE, 4 * sizeof(cl_int));
    kernel.setArg(0, buffer);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(4), cl::NDRange(4));
    cl_int results[4] = {};
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof results, results);
    for (const cl_int result : results)
      if (result != value) return 1;
    store.enqueued(program);
    store.save();
  }
  const ProgramStatistics statistics = store.statistics();
  if (statistics.refused == 0) return 0;
  std::cout << "loaded " << statistics.loaded << ", refused " << statistics.refused << std::endl;
  return 2;
}

int write_for_ever(const std::string& directory) {
  detail::BinaryDirectory cache({directory, true, ""}, 1 << 30);
  const std::string binary(300000, 'b');
  for (int i = 0;; i = (i + 1) % 20) {
    const auto key = detail::make_binary_key({}, {"f", "source", "-DVALUE=" + std::to_string(i)});
    if (!cache.store(key, detail::pack_binary(key.fields, binary))) return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "programs" && argc == 5) return run_programs(argv[2], std::atoi(argv[3]), std::atoi(argv[4]));
  if (what == "write") return write_for_ever(argv[2]);
  return 64;
}
