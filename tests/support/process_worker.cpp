// A process for tests that may hang or crash when it ends:
//   tilewright_process_worker end HOLDER       a product, after which HOLDER is left to the end of the process
//   tilewright_process_worker callback WHICH   a callback that uses the library
//   tilewright_process_worker fork WHAT        a product in a child made by fork()
// Exit status: 0 on success, 1 after an error, 3 after an OpenCL call from a static destructor, 64 after wrong
// arguments. A hang ends the process by SIGALRM.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "tilewright/tilewright.hpp"

namespace {

constexpr unsigned max_seconds = 300;  // for a hang; slow machines need less

bool statics_are_being_destroyed = false;

// The driver's function of the same name. Ends the process if a static destructor called it.
template <class Function>
Function* driver_function(const char* name) {
  if (statics_are_being_destroyed) {
    std::cerr << name << " was called from a static destructor" << std::endl;
    _exit(3);
  }
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// These functions precede the ICD loader's, because they belong to the program.
#define TILEWRIGHT_RELEASE(name, type) \
  extern "C" cl_int name(type object) { return driver_function<cl_int(type)>(#name)(object); }
TILEWRIGHT_RELEASE(clReleaseContext, cl_context)
TILEWRIGHT_RELEASE(clReleaseCommandQueue, cl_command_queue)
TILEWRIGHT_RELEASE(clReleaseProgram, cl_program)
TILEWRIGHT_RELEASE(clReleaseKernel, cl_kernel)
TILEWRIGHT_RELEASE(clReleaseMemObject, cl_mem)
TILEWRIGHT_RELEASE(clReleaseEvent, cl_event)
#undef TILEWRIGHT_RELEASE
extern "C" cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void* value, size_t* needed) {
  return driver_function<cl_int(cl_program, cl_program_info, size_t, void*, size_t*)>("clGetProgramInfo")(
      program, what, size, value, needed);
}

namespace {

using namespace tilewright;

// C = A B of ones on a new queue. The test's OpenCL objects are never released.
class Product {
 public:
  explicit Product(const Engine& engine, std::uint64_t size = 16, std::string variant = "naive")
      : engine_(&engine), problem_{.m = size, .n = size, .k = size}, choice_{std::move(variant), {}} {
    std::vector<float> ones(size * size, 1);
    queue_ = clCreateCommandQueue(engine.context(), engine.device(), 0, nullptr);
    for (cl_mem* const buffer : {&a_, &c_})
      *buffer = clCreateBuffer(engine.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, ones.size() * sizeof(float),
                               ones.data(), nullptr);
  }

  GemmOperands operands() const { return {.a = {a_, 0}, .b = {a_, 0}, .c = {c_, 0}}; }
  const GemmProblem& problem() const { return problem_; }
  const Choice& choice() const { return choice_; }
  cl_command_queue queue() const { return queue_; }

  Event enqueue() const { return gemm(*engine_, queue_, problem_, operands(), {}, choice_); }
  bool is_right() const {
    enqueue().wait();
    std::vector<float> c(problem_.m * problem_.n);
    clEnqueueReadBuffer(queue_, c_, CL_TRUE, 0, c.size() * sizeof(float), c.data(), 0, nullptr, nullptr);
    return std::all_of(c.begin(), c.end(), [&](float x) { return x == static_cast<float>(problem_.k); });
  }

 private:
  const Engine* engine_;
  GemmProblem problem_;
  Choice choice_;
  cl_command_queue queue_ = nullptr;
  cl_mem a_ = nullptr;
  cl_mem c_ = nullptr;
};

std::optional<Engine> global_engine;
std::optional<GemmPlan> global_plan;
std::optional<PackedMatrix> global_packed;

int end(const std::string& holder) {
  const Device device = pick_device();
  const auto run = [](const Engine& engine) {
    const bool right = Product(engine).is_right();
    std::cout << "loaded " << engine.program_statistics().loaded << std::endl;
    return right ? 0 : 1;
  };
  if (holder == "automatic") {
    const Engine engine(device);
    return run(engine);
  }
  if (holder == "unused") {
    static const Engine engine(device);
    return 0;
  }
  if (holder == "static") {
    static const Engine engine(device);
    return run(engine);
  }
  if (holder == "leaked") return run(*new Engine(device));
  global_engine.emplace(device);
  if (holder == "global") return run(*global_engine);
  if (holder == "exit") std::exit(run(*global_engine));
  if (holder == "thread") {  // the process ends from a thread other than main()'s
    std::thread([&] { std::exit(run(*global_engine)); }).join();
    return 1;
  }
  const Product product(*global_engine);
  if (holder == "plan" || holder == "packed") {
    global_plan.emplace(*global_engine, product.problem(), product.choice());
    global_engine.reset();
    if (holder == "packed") global_packed.emplace(*global_plan, GemmInput::a, product.queue(), product.operands().a);
    global_plan->enqueue(product.queue(), product.operands()).wait();
    return 0;
  }
  if (holder == "event") {
    static const Event event = product.enqueue();
    event.wait();
    return 0;
  }
  return 64;
}

int callback(const std::string& which) {
  const Device device = pick_device();
  if (which == "log") {  // a damaged file of records
    unsetenv("TILEWRIGHT_RECORDS");
    const auto file = records_file(device.profile);
    if (!file) return 64;
    std::filesystem::create_directories(file->parent_path());
    std::ofstream(*file) << "rubbish\n";
  }
  Engine engine(device);
  bool is_guarded = which.find("endless") == std::string::npos;
  bool inside = false;
  std::atomic<int> calls = 0, wrong = 0;
  const auto use = [&](const std::string& variant) {
    if (is_guarded && inside) return;
    inside = true;
    ++calls;
    wrong += !Product(engine, 16, variant).is_right();
    inside = false;
  };
  if (which == "debug_same" || which == "debug_endless") set_debug_callback([&](std::string_view) { use("naive"); });
  if (which == "debug_other") set_debug_callback([&](std::string_view) { use("local_tile"); });
  if (which == "probe")
    set_debug_callback([&](std::string_view) { static_cast<void>(engine.probe(Ability::inline_ptx)), use("naive"); });
  if (which == "log") set_log_callback([&](std::string_view) { use(""); });
  if (which == "kernel_directory") set_log_callback([&](std::string_view) { use("naive"); });
  const auto load = [&](std::string_view) {
    use("naive");
    return std::optional<std::string>();
  };
  const auto store = [&](std::string_view, std::string_view) { use("naive"); };
  if (which.starts_with("load")) engine.set_cache({.mode = CacheMode::read_write, .load = load});
  if (which.starts_with("store")) engine.set_cache({.mode = CacheMode::read_write, .store = store});
  if (which == "two_threads") {
    // Each thread makes one program, and needs the other's while doing so.
    std::atomic<int> making = 0;
    set_debug_callback([&](std::string_view message) {
      const bool first = message.find(" naive,") != std::string_view::npos;
      if (message.find("compiled") != 0 || calls.fetch_add(1) >= 2) return;
      ++making;
      while (making < 2) std::this_thread::yield();
      wrong += !Product(engine, 16, first ? "local_tile" : "naive").is_right();
    });
    std::thread other([&] { wrong += !Product(engine, 16, "local_tile").is_right(); });
    wrong += !Product(engine, 16, "naive").is_right();
    other.join();
  } else {
    wrong += !Product(engine, 16, which == "log" ? "" : "naive").is_right();
    static_cast<void>(engine.probe(Ability::inline_ptx));
    engine.save_programs();
  }
  set_debug_callback({});
  set_log_callback({});
  std::cout << calls << " calls, " << wrong << " wrong" << std::endl;
  return calls > 0 && wrong == 0 ? 0 : 1;
}

int in_fork(const std::string& what) {
  static const Engine engine(pick_device());
  static const Product product(engine);
  if (!product.is_right()) return 1;
  const pid_t child = fork();
  if (child == 0) {
    alarm(max_seconds / 2);
    if (what == "exit") std::exit(0);  // destroys static objects
    try {
      if (what == "used") product.enqueue();
      if (what == "probe") static_cast<void>(engine.probe(Ability::inline_ptx));
      if (what == "new") Product(Engine(pick_device())).enqueue();
    } catch (const Error& error) {
      std::cout << error.what() << std::endl;
      _exit(error.code() == ErrorCode::device_lost ? 0 : 1);
    } catch (...) {
      _exit(1);
    }
    _exit(2);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 1;
  if (!product.is_right()) return 1;
  // The result of a new engine on other drivers is ignored; a signal would have ended a hang.
  const bool is_pocl = engine.profile().vendor == Vendor::pocl;
  if (what == "new" && !is_pocl) return 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  alarm(max_seconds);
  const std::string what = argv[1], which = argv[2];
  int status = 64;
  if (what == "end") status = end(which);
  if (what == "callback") status = callback(which);
  if (what == "fork") status = in_fork(which);
  std::atexit([] { statics_are_being_destroyed = true; });  // the last registered function runs first
  return status;
}
