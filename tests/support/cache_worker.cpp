// A process beside the tests' own, for what needs several:
//   tilewright_cache_worker programs CACHE FIRST COUNT   runs COUNT programs with a cache, beginning with number FIRST,
//                                                        and checks what each computes
//   tilewright_cache_worker write CACHE                  writes to a cache until it is killed
// It ends with 0 when all was well, 1 when a program computed something wrong, 2 when the driver refused binaries, 3
// when nothing can be written, 4 after an exception, 64 when it was called wrongly. Where it fails, also by a signal,
// it prints what it was doing.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>

#include "runtime/device/opencl.hpp"
#include "runtime/program/binary_cache.hpp"
#include "runtime/program/binary_container.hpp"
#include "runtime/program/binary_directory.hpp"
#include "runtime/program/program_store.hpp"
#include "tilewright/log.hpp"

namespace {

using namespace tilewright;

enum Status { all_well = 0, wrong_result = 1, refused_binaries = 2, not_written = 3, exception = 4, wrong_call = 64 };

// What it is doing, for when that fails: a literal, which a signal handler may read.
const char* volatile doing = "starting";

// Drivers abort where they should return an error.
void tell_signal(int signal) {
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

int write_for_ever(const std::string& directory) {
  doing = "writing binaries";
  detail::BinaryDirectory cache({directory, true, ""}, 1 << 30);
  const std::string binary(300000, 'b');
  for (int i = 0;; i = (i + 1) % 20) {
    const auto key = detail::make_binary_key({}, {"f", "source", "-DVALUE=" + std::to_string(i)});
    if (cache.store(key, detail::pack_binary(key.fields, binary))) continue;
    std::cerr << "cache worker: cannot write to " << directory << ", errno says " << std::strerror(errno) << std::endl;
    return not_written;
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, tell_signal);
  set_debug_callback([](std::string_view message) {
    if (message.starts_with("cache: ") || message.find("of no use") != std::string_view::npos)
      std::cerr << "cache worker: " << message << std::endl;
  });
  const std::string what = argc > 2 ? argv[1] : "";
  try {
    if (what == "programs" && argc == 5) return run_programs(argv[2], std::atoi(argv[3]), std::atoi(argv[4]));
    if (what == "write") return write_for_ever(argv[2]);
  } catch (const cl::Error& error) {
    std::cerr << "cache worker: " << error.what() << " failed with " << error.err() << " while " << doing << std::endl;
    return exception;
  } catch (const std::exception& error) {
    std::cerr << "cache worker: " << error.what() << ", while " << doing << std::endl;
    return exception;
  }
  return wrong_call;
}
