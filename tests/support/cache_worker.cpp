// A process for tests that need several:
//   tilewright_cache_worker programs CACHE FIRST COUNT   runs COUNT programs with a cache, beginning with number FIRST,
//                                                        and checks what each computes
//   tilewright_cache_worker devices CACHE                runs a program on each device of a context with two, with a
//                                                        cache
//   tilewright_cache_worker write CACHE                  writes to a cache until it is killed
// Exit status:
//   0 success, 1 wrong result, 2 the driver refused binaries, 3 nothing can be written, 4 an exception
//   5 fewer than two devices, 6 a program was neither loaded nor saved, 64 wrong arguments
// A failing worker, even one ended by a signal, prints its current step.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "runtime/program/binary_cache.hpp"
#include "runtime/program/binary_container.hpp"
#include "runtime/program/binary_directory.hpp"
#include "runtime/program/program_store.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/log.hpp"

namespace {

using namespace tilewright;

enum Status {
  all_well = 0,
  wrong_result = 1,
  refused_binaries = 2,
  not_written = 3,
  exception = 4,
  one_device = 5,
  not_saved = 6,
  wrong_call = 64
};

// The current step, printed after a failure. A literal, because a signal handler reads it.
const char* volatile doing = "starting";

// Prints the current step after a signal. Some drivers abort instead of returning an error.
void print_signal(int signal) {
  const auto print = [](const char* text) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
  };
  print("cache worker: ");
  print(signal == SIGABRT ? "aborted" : "crashed");
  print(" while ");
  print(doing);
  print("\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Runs programs on each device of a context with several devices.
int run_on_devices(const std::string& directory) {
  doing = "looking for two devices";
  const cl::Device picked(pick_device().id, true);
  std::vector<cl::Device> devices;
  cl::Platform(picked.getInfo<CL_DEVICE_PLATFORM>()).getDevices(CL_DEVICE_TYPE_ALL, &devices);
  if (devices.size() < 2) return one_device;
  devices.resize(2);
  if (devices[0].getInfo<CL_DEVICE_NAME>() == devices[1].getInfo<CL_DEVICE_NAME>())
    std::cerr << "cache worker: two devices of one kind share their programs" << std::endl;
  const cl::Context context(devices);
  for (const cl::Device& device : devices) {
    doing = "running on one of two devices";
    Engine engine(context(), device());
    engine.set_cache({.mode = CacheMode::read_write, .directory = directory});
    const cl::CommandQueue queue(context, device);
    const cl::Buffer a(context, CL_MEM_READ_WRITE, 256), c(context, CL_MEM_READ_WRITE, 256);
    queue.enqueueFillBuffer(a, 1.0F, 0, 256);
    gemm(engine, queue(), {.m = 8, .n = 8, .k = 8}, {.a = {a()}, .b = {a()}, .c = {c()}}, {}, {"naive", {}}).wait();
    float result = 0;
    queue.enqueueReadBuffer(c, CL_TRUE, 0, sizeof result, &result);
    if (result != 8) return wrong_result;
    doing = "saving the program of one of two devices";
    engine.save_programs();
    const ProgramStatistics statistics = engine.program_statistics();
    std::cerr << "cache worker: loaded " << statistics.loaded << ", saved " << statistics.saved << std::endl;
    if (statistics.refused != 0) return refused_binaries;
    if (statistics.loaded + statistics.saved == 0) return not_saved;
  }
  return all_well;
}

int run_programs(const std::string& directory, int first, int count) {
  doing = "looking for a device";
  const Device device = pick_device();
  std::cerr << "cache worker: " << device.profile.name << ", " << device.profile.platform_name << std::endl;
  const cl::Device owned(device.id, true);
  doing = "creating a context";
  const cl::Context context(owned);
  doing = "creating a queue";
  const cl::CommandQueue queue(context, owned);
  doing = "opening the cache";
  const CacheOptions options{.mode = CacheMode::read_write, .directory = directory};
  detail::ProgramStore store(std::make_shared<detail::BinaryCache>(options, device.profile));
  for (int i = 0; i < count; ++i) {
    const cl_int value = (first + i) % count;
    doing = "loading or compiling a program";
    const cl::Program program = store.get(
        context, owned,
        {"f", "__kernel void f(__global int* x) { x[get_global_id(0)] = VALUE; }", "-DVALUE=" + std::to_string(value)});
    doing = "running a kernel";
    cl::Kernel kernel(program, "f");
    const cl::Buffer buffer(context, CL_MEM_READ_WRITE, 4 * sizeof(cl_int));
    kernel.setArg(0, buffer);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(4), cl::NDRange(4));
    cl_int results[4] = {};
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof results, results);
    for (const cl_int result : results)
      if (result != value) {
        std::cerr << "cache worker: program " << value << " computed " << result << std::endl;
        return wrong_result;
      }
    doing = "saving a program";
    store.enqueued(program);
    store.save();
  }
  doing = "ending";
  const ProgramStatistics statistics = store.statistics();
  std::cerr << "cache worker: loaded " << statistics.loaded << ", compiled " << statistics.compiled << ", saved "
            << statistics.saved << ", refused " << statistics.refused << std::endl;
  return statistics.refused == 0 ? all_well : refused_binaries;
}

int write_forever(const std::string& directory) {
  doing = "writing binaries";
  detail::BinaryDirectory cache({directory, true, ""}, 1 << 30);
  const std::string binary(300000, 'b');
  for (int i = 0;; i = (i + 1) % 20) {
    const auto key = detail::make_binary_key({}, {"f", "source", "-DVALUE=" + std::to_string(i)});
    const std::string problem = cache.store(key, detail::pack_binary(key.fields, binary));
    if (problem.empty()) continue;
    std::cerr << "cache worker: cannot write to " << directory << ": " << problem << std::endl;
    return not_written;
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, print_signal);
  set_debug_callback([](std::string_view message) {
    if (message.starts_with("cache: ") || message.find("unusable") != std::string_view::npos)
      std::cerr << "cache worker: " << message << std::endl;
  });
  const std::string what = argc > 2 ? argv[1] : "";
  try {
    if (what == "programs" && argc == 5) return run_programs(argv[2], std::atoi(argv[3]), std::atoi(argv[4]));
    if (what == "devices") return run_on_devices(argv[2]);
    if (what == "write") return write_forever(argv[2]);
  } catch (const cl::Error& error) {
    std::cerr << "cache worker: " << error.what() << " failed with " << error.err() << " while " << doing << std::endl;
    return exception;
  } catch (const std::exception& error) {
    std::cerr << "cache worker: " << error.what() << ", while " << doing << std::endl;
    return exception;
  }
  return wrong_call;
}
