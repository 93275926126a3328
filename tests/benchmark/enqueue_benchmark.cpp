// Host overhead of the library. Compares GemmPlan::enqueue for a tiny problem with a bare clEnqueueNDRangeKernel of an
// equally tiny kernel, with gemm(), which looks up its plan, and with both through the C interface. Also measures
// selection, for a known and for a new problem.
#include <benchmark/benchmark.h>

#include <string>

#include "gemm/problem.hpp"
#include "gemm/selector.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/gemm.hpp"
#ifdef TILEWRIGHT_BENCHMARK_C
#include "tilewright.h"
#endif

namespace {

using namespace tilewright;

constexpr std::size_t size = 8;

Probe no_trial(Ability) { return {}; }

// Operands and a queue on the device that TILEWRIGHT_DEVICE names, or on the best device.
struct Setup {
  Engine engine{pick_device()};
  cl::Context context{engine.context(), true};
  cl::CommandQueue queue{context, cl::Device(engine.device(), true)};
  cl::Buffer a{context, CL_MEM_READ_WRITE, size* size * sizeof(float)};
  cl::Buffer b{context, CL_MEM_READ_WRITE, size* size * sizeof(float)};
  cl::Buffer c{context, CL_MEM_READ_WRITE, size* size * sizeof(float)};
  GemmProblem problem{.m = size, .n = size, .k = size};
  GemmOperands operands{1, {a(), 0}, {b(), 0}, 0, {c(), 0}};
};

// Times only the enqueue calls: the clock stops while their commands finish.
template <typename Enqueue>
void time_enqueue(benchmark::State& state, const cl::CommandQueue& queue, const Enqueue& enqueue) {
  enqueue();
  queue.finish();
  for ([[maybe_unused]] auto _ : state) {
    enqueue();
    state.PauseTiming();
    queue.finish();
    state.ResumeTiming();
  }
}

void bare_kernel(benchmark::State& state) {
  const Setup setup;
  const std::string source =
      "__kernel void f(int n, __global float* c) { if ((int)get_global_id(0) < n) c[get_global_id(0)] = 1; }";
  cl::Program program(setup.context, source);
  program.build();
  cl::Kernel kernel(program, "f");
  time_enqueue(state, setup.queue, [&] {
    kernel.setArg(0, static_cast<cl_int>(size));
    kernel.setArg(1, setup.c);
    cl::Event event;
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(size), cl::NDRange(size), nullptr, &event);
  });
}
BENCHMARK(bare_kernel);

void plan(benchmark::State& state, const Choice& choice) {
  const Setup setup;
  const GemmPlan plan(setup.engine, setup.problem, choice);
  time_enqueue(state, setup.queue, [&] { plan.enqueue(setup.queue(), setup.operands); });
}
BENCHMARK_CAPTURE(plan, naive, Choice{"naive", {}});
BENCHMARK_CAPTURE(plan, chosen, Choice{});
BENCHMARK_CAPTURE(plan, with_workspace, Choice{"local_tile", {{"padded", 1}}});

void whole_call(benchmark::State& state) {
  const Setup setup;
  time_enqueue(state, setup.queue, [&] {
    gemm(setup.engine, setup.queue(), setup.problem, setup.operands, {}, {"naive", {}});
  });
}
BENCHMARK(whole_call);

#ifdef TILEWRIGHT_BENCHMARK_C
// Makes the same product through the C interface, with an engine of its own in the same context.
struct CSetup : Setup {
  CSetup() {
    tilewright_engine_from_queue(queue(), &c_engine);
    c_problem.struct_size = sizeof c_problem;
    c_problem.m = c_problem.n = c_problem.k = size;
    c_operands.struct_size = sizeof c_operands;
    c_operands.a.buffer = a();
    c_operands.b.buffer = b();
    c_operands.c.buffer = c();
    naive.struct_size = sizeof naive;
    naive.variant = "naive";
  }
  CSetup(const CSetup&) = delete;
  CSetup& operator=(const CSetup&) = delete;
  ~CSetup() { tilewright_engine_release(c_engine); }

  tilewright_engine* c_engine = nullptr;
  tilewright_gemm_problem c_problem{};
  tilewright_gemm_operands c_operands{};
  tilewright_choice naive{};
};

void c_plan(benchmark::State& state) {
  const CSetup setup;
  tilewright_plan* plan = nullptr;
  tilewright_gemm_plan_create(setup.c_engine, &setup.c_problem, &setup.naive, &plan);
  time_enqueue(state, setup.queue, [&] {
    cl_event event = nullptr;
    tilewright_gemm_enqueue(plan, setup.queue(), &setup.c_operands, 0, nullptr, &event);
    clReleaseEvent(event);
  });
  tilewright_plan_release(plan);
}
BENCHMARK(c_plan);

void c_whole_call(benchmark::State& state) {
  const CSetup setup;
  time_enqueue(state, setup.queue, [&] {
    cl_event event = nullptr;
    tilewright_gemm(setup.c_engine, setup.queue(), &setup.c_problem, &setup.c_operands, &setup.naive, 0, nullptr,
                    &event);
    clReleaseEvent(event);
  });
}
BENCHMARK(c_whole_call);

// The border alone: reads a number of a plan.
void c_border(benchmark::State& state) {
  const CSetup setup;
  tilewright_plan* plan = nullptr;
  tilewright_gemm_plan_create(setup.c_engine, &setup.c_problem, &setup.naive, &plan);
  for ([[maybe_unused]] auto _ : state) {
    std::uint64_t bytes = 0;
    benchmark::DoNotOptimize(tilewright_plan_workspace_bytes(plan, &bytes));
  }
  tilewright_plan_release(plan);
}
BENCHMARK(c_border);
#endif

void selection_of_known_problem(benchmark::State& state) {
  const Setup setup;
  const GemmProblem problem = detail::normalized({.m = 1000, .n = 700, .k = 300});
  detail::GemmSelections selections;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(selections.get(setup.engine.profile(), no_trial, problem, Choice{}));
}
BENCHMARK(selection_of_known_problem);

void selection_of_new_problem(benchmark::State& state) {
  const Setup setup;
  detail::GemmSelections selections;
  GemmProblem problem{.m = 1000, .n = 700, .k = 4000};
  selections.get(setup.engine.profile(), no_trial, detail::normalized(problem), Choice{});  // reads the records
  for ([[maybe_unused]] auto _ : state) {
    problem.k = problem.k % 4000 + 1;
    benchmark::DoNotOptimize(selections.get(setup.engine.profile(), no_trial, detail::normalized(problem), Choice{}));
  }
}
BENCHMARK(selection_of_new_problem)->Iterations(4000);

}  // namespace

BENCHMARK_MAIN();
