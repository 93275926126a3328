// Every OpenCL call of a product fails once, in each situation below. operation_fault_test.cpp covers the other
// operations.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "faults/fault_shim.hpp"
#include "faults/fault_subject.hpp"
#include "runtime/device/opencl.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "tilewright/tilewright.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

// C = 2 A B + 3 C on small integers; the `count` matrices of a batch follow one another.
class Products {
 public:
  static constexpr std::uint64_t m = 20, n = 24, k = 28;

  explicit Products(const Device& device, std::uint64_t count = 1)
      : context_(clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, nullptr), clReleaseContext),
        queue_(clCreateCommandQueue(context_.get(), device.id, 0, nullptr), clReleaseCommandQueue),
        count_(count),
        a_(make(count * m * k, 3)),
        b_(make(count * k * n, 5)),
        c_(make(count * m * n, 7)) {}

  cl_context context() const { return context_.get(); }
  cl_command_queue queue() const { return queue_.get(); }
  GemmProblem problem() const { return {.m = m, .n = n, .k = k}; }
  GemmOperands operands() const {
    GemmOperands operands;
    operands.alpha = 2;
    operands.a = {a_.buffer.get(), 0};
    operands.b = {b_.buffer.get(), 0};
    operands.beta = 3;
    operands.c = {c_.buffer.get(), 0};
    return operands;
  }

  // Restores C. May be part of a try, so its own failure is an Error, too.
  void reset() const {
    detail::check(clEnqueueWriteBuffer(queue(), c_.buffer.get(), CL_TRUE, 0, c_.values.size() * sizeof(float),
                                       c_.values.data(), 0, nullptr, nullptr),
                  "clEnqueueWriteBuffer");
  }

  bool are_right() const {
    std::vector<float> got(c_.values.size());
    clEnqueueReadBuffer(queue(), c_.buffer.get(), CL_TRUE, 0, got.size() * sizeof(float), got.data(), 0, nullptr,
                        nullptr);
    for (std::uint64_t x = 0; x < count_; ++x)
      for (std::uint64_t i = 0; i < m; ++i)
        for (std::uint64_t j = 0; j < n; ++j) {
          float sum = 0;
          for (std::uint64_t p = 0; p < k; ++p) sum += a_.values[(x * m + i) * k + p] * b_.values[(x * k + p) * n + j];
          const std::uint64_t at = (x * m + i) * n + j;
          if (got[at] != 2 * sum + 3 * c_.values[at]) return false;
        }
    return true;
  }

 private:
  template <class T>
  using Owned = std::unique_ptr<std::remove_pointer_t<T>, cl_int(CL_API_CALL*)(T)>;
  struct Matrix {
    std::vector<float> values;
    Owned<cl_mem> buffer;
  };

  Matrix make(std::uint64_t size, unsigned factor) const {
    std::vector<float> values(size);
    for (std::uint64_t i = 0; i < size; ++i) values[i] = static_cast<float>(i * factor % 11) - 5;
    cl_mem buffer = clCreateBuffer(context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size * sizeof(float),
                                   values.data(), nullptr);
    return {std::move(values), {buffer, clReleaseMemObject}};
  }

  Owned<cl_context> context_;
  Owned<cl_command_queue> queue_;
  std::uint64_t count_;
  Matrix a_, b_, c_;
};

struct Situation {
  std::string name;
  const Products& products;
  std::function<Try()> start;
};

void inject(const Situation& situation) {
  const Products& products = situation.products;
  fail_all_calls({situation.name, [&] { products.reset(); }, [&] { return products.are_right(); }, situation.start},
                 products.queue());
}

std::string error_of(const Try& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// Tries that share one plan.
Situation on_plan(std::string name, const Products& products, const GemmProblem& problem, const Choice& choice,
                  std::function<void(const GemmPlan&)> call) {
  return {std::move(name), products, [&products, problem, choice, call = std::move(call)] {
            const Engine engine = Engine::from_queue(products.queue());
            auto plan = std::make_shared<const GemmPlan>(engine, problem, choice);
            count_kernel(*plan);
            return [plan, call] { call(*plan); };
          }};
}

const Device& device() { return device_under_test(); }

}  // namespace

TEST_SUITE("faults") {
  TEST_CASE("devices are listed") {
    const Products products(device());
    inject({"list_devices", products, [&products] {
              return [&products] {
                list_devices();
                gemm(Engine::from_queue(products.queue()), products.queue(), products.problem(), products.operands(),
                     {}, {"naive", {}})
                    .wait();
              };
            }});
  }

  TEST_CASE("an engine creates its own context") {
    const Products products(device());
    inject({"Engine(Device)", products, [&products] {
              return [&products] {
                const Engine own(device());
                const GemmPlan plan(own, products.problem(), {"naive", {}});
                gemm(Engine::from_queue(products.queue()), products.queue(), products.problem(), products.operands(),
                     {}, {"naive", {}})
                    .wait();
              };
            }});
  }

  TEST_CASE("a first product, then another one") {
    const Products products(device());
    for (const char* const variant : {"", "naive", "register_blocked"})
      inject({"gemm() by " + std::string(variant), products, [&products, variant] {
                return [&products, variant, engine = Engine::from_queue(products.queue())] {
                  for (int i = 0; i < 2; ++i) {
                    products.reset();
                    gemm(engine, products.queue(), products.problem(), products.operands(), {}, {variant, {}}).wait();
                  }
                };
              }});
  }

  TEST_CASE("a program is loaded from the cache and saved there") {
    const Products products(device());
    const TemporaryDirectory place;
    unsigned number = 0;
    inject({"cache", products, [&] {
              const std::string directory = place.file(std::to_string(number++ / 2));  // every second cache is warm
              return [&products, directory] {
                Engine engine = Engine::from_queue(products.queue());
                engine.set_cache({.mode = CacheMode::read_write, .directory = directory});
                gemm(engine, products.queue(), products.problem(), products.operands(), {}, {"naive", {}}).wait();
                engine.save_programs();
              };
            }});
  }

  TEST_CASE("a plan's calls") {
    const Products products(device());
    for (const Choice& choice : {Choice{"naive", {}}, Choice{"local_tile", {{"padded", 1}}}, Choice{"packed_panel", {}},
                                 Choice{"texel_blocked", {}}}) {
      if (!gemm_support(device().profile, choice.variant, products.problem()).supported) continue;
      inject(on_plan(choice.variant + " enqueued", products, products.problem(), choice, [&](const GemmPlan& plan) {
        for (int i = 0; i < 2; ++i) {
          products.reset();
          plan.enqueue(products.queue(), products.operands()).wait();
        }
      }));
    }
  }

  TEST_CASE("Strassen's sums and small products") {
    const Products products(device());
    inject({"strassen enqueued", products, [&products] {
              auto plan = std::make_shared<const StrassenPlan>(
                  Engine::from_queue(products.queue()), StrassenProblem{.product = products.problem(), .levels = 1},
                  Choice{"naive", {}});
              return [&products, plan] {
                const GemmOperands all = products.operands();
                for (int i = 0; i < 2; ++i) {
                  products.reset();
                  plan->enqueue(products.queue(), {.alpha = 2, .a = all.a, .b = all.b, .beta = 3, .c = all.c}).wait();
                }
              };
            }});
  }

  TEST_CASE("the steps of a factorisation and of a solution") {
    const Products products(device());
    constexpr std::uint64_t n = 140, columns = 17;
    std::vector<cl_mem> buffers;
    for (const std::uint64_t bytes : {4 * n * n, 4 * n * columns, 8 * n, std::uint64_t{8}})
      buffers.push_back(clCreateBuffer(products.context(), CL_MEM_READ_WRITE, bytes, nullptr, nullptr));
    inject({"gesv enqueued", products, [&] {
              const Engine engine = Engine::from_queue(products.queue());
              const Choice plainest{"naive", {}};
              const auto product = std::make_shared<const GemmPlan>(engine, products.problem(), plainest);
              const auto plan =
                  std::make_shared<const GesvPlan>(engine, GesvProblem{.n = n, .nrhs = columns}, plainest);
              count_kernel(*product);
              return [&, product, plan] {
                plan->enqueue(products.queue(),
                              {.a = {buffers[0]}, .pivots = {buffers[2]}, .info = {buffers[3]}, .b = {buffers[1]}})
                    .wait();
                product->enqueue(products.queue(), products.operands()).wait();
              };
            }});
    for (const cl_mem buffer : buffers) clReleaseMemObject(buffer);
  }

  TEST_CASE("a batch by offsets that change between calls") {
    const Products products(device(), 2);
    GemmProblem problem = products.problem();
    problem.batch = {.count = 2, .by_offsets = true};
    const auto enqueue = [&](const GemmPlan& plan, std::uint64_t first) {
      const std::uint64_t other = 1 - first;
      const std::vector<std::uint64_t> a = {first * Products::m * Products::k, other * Products::m * Products::k};
      const std::vector<std::uint64_t> b = {first * Products::k * Products::n, other * Products::k * Products::n};
      const std::vector<std::uint64_t> c = {first * Products::m * Products::n, other * Products::m * Products::n};
      GemmOperands operands = products.operands();
      operands.offsets = {a, b, c};
      products.reset();
      plan.enqueue(products.queue(), operands).wait();
    };
    for (const Choice& choice : {Choice{"naive", {}}, Choice{"packed_panel", {}}})
      inject(on_plan("a batch by offsets, " + choice.variant, products, problem, choice, [&](const GemmPlan& plan) {
        enqueue(plan, 0);
        enqueue(plan, 1);
        enqueue(plan, 1);
      }));
  }

  TEST_CASE("an operand is packed and used") {
    const Products products(device());
    for (const Choice& choice : {Choice{"naive", {}}, Choice{"local_tile", {{"padded", 1}}}})
      inject(on_plan("packed for " + choice.variant, products, products.problem(), choice, [&](const GemmPlan& plan) {
        const PackedMatrix packed(plan, GemmInput::b, products.queue(), products.operands().b);
        GemmOperands operands = products.operands();
        operands.packed_b = &packed;
        plan.enqueue(products.queue(), operands).wait();
      }));
  }

  TEST_CASE("an operand that waits for events is packed and used") {
    const Products products(device());
    inject(on_plan("packed after a wait", products, products.problem(), {"naive", {}}, [&](const GemmPlan& plan) {
      cl_event marker = nullptr;
      detail::check(clEnqueueMarkerWithWaitList(products.queue(), 0, nullptr, &marker), "clEnqueueMarkerWithWaitList");
      const std::unique_ptr<_cl_event, cl_int(CL_API_CALL*)(cl_event)> owned(marker, clReleaseEvent);
      const PackedMatrix packed(plan, GemmInput::b, products.queue(), products.operands().b, {&marker, 1});
      GemmOperands operands = products.operands();
      operands.packed_b = &packed;
      plan.enqueue(products.queue(), operands).wait();
    }));
  }

  TEST_CASE("a call waits for events from another queue") {
    const Products products(device());
    inject(on_plan("waits", products, products.problem(), {"local_tile", {{"padded", 1}}}, [&](const GemmPlan& plan) {
      cl_event marker = nullptr;
      detail::check(clEnqueueMarkerWithWaitList(products.queue(), 0, nullptr, &marker), "clEnqueueMarkerWithWaitList");
      const std::unique_ptr<_cl_event, cl_int(CL_API_CALL*)(cl_event)> owned(marker, clReleaseEvent);
      plan.enqueue(products.queue(), products.operands(), {&marker, 1}).wait();
    }));
  }

  TEST_CASE("a call waits for the commands of a call that failed half-way") {
    const Products products(device());
    const Engine engine = Engine::from_queue(products.queue());
    const GemmPlan plan(engine, products.problem(), {"local_tile", {{"padded", 1}}});
    plan.enqueue(products.queue(), products.operands()).wait();  // the first call may load kernels with extra launches
    const std::unique_ptr<_cl_command_queue, cl_int(CL_API_CALL*)(cl_command_queue)> other(
        clCreateCommandQueue(products.context(), device().id, 0, nullptr), clReleaseCommandQueue);
    struct Fault {
      const char* function;
      unsigned call;
    };
    for (const Fault& fault :
         {Fault{"clEnqueueNDRangeKernel", 2}, Fault{"clEnqueueNDRangeKernel", 3}, Fault{"clFlush", 1}}) {
      CAPTURE(fault.function);
      CAPTURE(fault.call);
      const std::unique_ptr<_cl_event, cl_int(CL_API_CALL*)(cl_event)> gate(
          clCreateUserEvent(products.context(), nullptr), clReleaseEvent);
      const cl_event closed = gate.get();
      products.reset();
      GemmOperands once = products.operands();
      once.beta = 1;
      once.alpha = 0.5;  // distinguishes this result
      faults::arm({fault.function, fault.call, CL_OUT_OF_RESOURCES});
      const std::string failed = error_of([&] { plan.enqueue(products.queue(), once, {&closed, 1}); });
      CHECK(faults::disarm());
      CHECK_MESSAGE(failed.find("a part of the call was enqueued") != std::string::npos, failed);

      const Event next = plan.enqueue(other.get(), products.operands());
      clFlush(other.get());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      cl_int status = CL_COMPLETE;
      clGetEventInfo(next.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
      CHECK(status > CL_COMPLETE);
      clSetUserEventStatus(closed, CL_COMPLETE);
      CHECK_NOTHROW(next.wait());
      clFinish(products.queue());
      products.reset();
      plan.enqueue(other.get(), products.operands()).wait();
      CHECK(products.are_right());
      count_kernel(plan);
      count_cases();
    }
  }
}

}  // namespace tilewright::test
