// The contract that all operations share: the shape of their interface at compile time, and their answers to the faults
// of a call in one table, which docs/reference/contract.md shows.
#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/system/text_file.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/operation_calls.hpp"
#include "support/plan_shape.hpp"
#include "support/run_report.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::test {
namespace {

template <class Plan, class Problem, class Operands>
constexpr bool has_plan = PlanShape<Plan, Problem, Operands>&& ChoosablePlan<Plan, Problem>;

#define TILEWRIGHT_CHECK_SHAPE(function, Name)                        \
  static_assert(has_plan<Name##Plan, Name##Problem, Name##Operands>); \
  static_assert(CallShape<decltype(function), Name##Problem, Name##Operands, Choice>)

TILEWRIGHT_CHECK_SHAPE(gemm, Gemm);
TILEWRIGHT_CHECK_SHAPE(gemv, Gemv);
TILEWRIGHT_CHECK_SHAPE(ger, Ger);
TILEWRIGHT_CHECK_SHAPE(symv, Symv);
TILEWRIGHT_CHECK_SHAPE(trmv, Trmv);
TILEWRIGHT_CHECK_SHAPE(syr, Syr);
TILEWRIGHT_CHECK_SHAPE(syr2, Syr2);
TILEWRIGHT_CHECK_SHAPE(transpose, Transpose);
TILEWRIGHT_CHECK_SHAPE(trsm, Trsm);
TILEWRIGHT_CHECK_SHAPE(trsv, Trsv);
TILEWRIGHT_CHECK_SHAPE(trmm, Trmm);
TILEWRIGHT_CHECK_SHAPE(symm, Symm);
TILEWRIGHT_CHECK_SHAPE(syrk, Syrk);
TILEWRIGHT_CHECK_SHAPE(syr2k, Syr2k);
TILEWRIGHT_CHECK_SHAPE(gemmt, Gemmt);
TILEWRIGHT_CHECK_SHAPE(potrf, Potrf);
TILEWRIGHT_CHECK_SHAPE(potrs, Potrs);
TILEWRIGHT_CHECK_SHAPE(posv, Posv);
TILEWRIGHT_CHECK_SHAPE(potri, Potri);
TILEWRIGHT_CHECK_SHAPE(getrf, Getrf);
TILEWRIGHT_CHECK_SHAPE(getrs, Getrs);
TILEWRIGHT_CHECK_SHAPE(gesv, Gesv);
TILEWRIGHT_CHECK_SHAPE(getri, Getri);
TILEWRIGHT_CHECK_SHAPE(det, Det);
TILEWRIGHT_CHECK_SHAPE(geqrf, Geqrf);
TILEWRIGHT_CHECK_SHAPE(ormqr, Ormqr);
TILEWRIGHT_CHECK_SHAPE(orgqr, Orgqr);
TILEWRIGHT_CHECK_SHAPE(gels, Gels);
TILEWRIGHT_CHECK_SHAPE(strassen, Strassen);
#undef TILEWRIGHT_CHECK_SHAPE

// Sums of matrices and vector functions have no variants to choose from. A plan of vectors also needs the function.
static_assert(PlanShape<MatrixAddPlan, MatrixAddProblem, MatrixAddOperands>);
static_assert(CallShape<decltype(matrix_add), MatrixAddProblem, MatrixAddOperands>);
static_assert(PlanShape<VectorPlan, VectorProblem, VectorOperands>);
static_assert(CallShape<decltype(axpy), VectorProblem, VectorOperands>);
static_assert(CallShape<decltype(dot), VectorProblem, VectorOperands>);
// A sparse plan also needs the structure, which it reads; there is no call without a plan.
static_assert(PlanShape<SpmmPlan, SpmmProblem, SpmmOperands>);

// A call with one fault.
struct Fault {
  const char* name;
  /// Puts the fault into a call's arguments; false if the operation cannot have it.
  std::function<bool(const OperationCall&, CallArguments&)> put;
};

class Faults {
 public:
  Faults() {
    failed_.setStatus(-5);
    add("null queue", [](const OperationCall&, CallArguments& call) { return call.queue = nullptr, true; });
    add("foreign queue", [this](const OperationCall&, CallArguments& call) { return call.queue = queue_(), true; });
    add("failed wait", [this](const OperationCall&, CallArguments& call) { return wait_for(call, failed_()); });
    add("foreign wait", [this](const OperationCall&, CallArguments& call) { return wait_for(call, foreign_()); });
    add("null operand", [](const OperationCall&, CallArguments& call) { return call.operands.back() = {}, true; });
    add("foreign operand", [this](const OperationCall& of, CallArguments& call) {
      buffer_ = cl::Buffer(elsewhere_, CL_MEM_READ_WRITE, of.operands.back().bytes);
      return call.operands.back() = {buffer_(), 0}, true;
    });
    add("short buffer", [](const OperationCall&, CallArguments& call) { return ++call.operands.back().offset, true; });
    add("overlap", [this](const OperationCall& of, CallArguments& call) {
      const auto written = written_operand(of);
      if (!written || of.operands.size() == 1) return false;
      const std::size_t other = *written == 0 ? 1 : 0;
      const std::uint64_t bytes = of.operands[*written].bytes + of.operands[other].bytes + 64;
      buffer_ = cl::Buffer(shared_context(), CL_MEM_READ_WRITE, bytes);
      call.operands[other] = {buffer_(), 0};
      return call.operands[*written] = {buffer_(), 1}, true;
    });
    add("short workspace",
        [this](const OperationCall& of, CallArguments& call) { return lend(of, call, shared_context(), 256); });
    add("foreign workspace",
        [this](const OperationCall& of, CallArguments& call) { return lend(of, call, elsewhere_, 0); });
    add("workspace offset",
        [this](const OperationCall& of, CallArguments& call) { return lend(of, call, shared_context(), 4); });
    add("workspace overlap", [this](const OperationCall& of, CallArguments& call) {
      if (of.workspace_bytes == 0) return false;
      buffer_ = cl::Buffer(shared_context(), CL_MEM_READ_WRITE, of.workspace_bytes + of.operands.back().bytes);
      call.operands.back() = {buffer_(), 0};
      return call.workspace = {buffer_(), 0}, true;
    });
  }
  ~Faults() { foreign_.setStatus(CL_COMPLETE); }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  const std::vector<Fault>& all() const { return all_; }

 private:
  template <class Put>
  void add(const char* name, Put put) {
    all_.push_back({name, std::move(put)});
  }

  static std::optional<std::size_t> written_operand(const OperationCall& call) {
    for (std::size_t i = 0; i < call.operands.size(); ++i)
      if (call.operands[i].written) return i;
    return {};
  }

  bool wait_for(CallArguments& call, cl_event event) {
    event_ = event;
    call.waits = {&event_, 1};
    return true;
  }

  // Lends a workspace at an offset, in a buffer that is as long as the whole workspace.
  bool lend(const OperationCall& of, CallArguments& call, const cl::Context& context, std::uint64_t offset) {
    if (of.workspace_bytes == 0) return false;
    buffer_ = cl::Buffer(context, CL_MEM_READ_WRITE, of.workspace_bytes);
    return call.workspace = {buffer_(), offset}, true;
  }

  cl::Context elsewhere_{cl::Device(shared_engine().device(), true)};
  cl::CommandQueue queue_{elsewhere_, cl::Device(shared_engine().device(), true)};
  cl::UserEvent foreign_{elsewhere_}, failed_{shared_context()};
  cl_event event_ = nullptr;
  cl::Buffer buffer_;
  std::vector<Fault> all_;
};

// The code and the operand of the answer to a call, or "none".
std::string answer_to(const OperationCall& call, const CallArguments& arguments) {
  try {
    call.enqueue(arguments).wait();
    return "none";
  } catch (const Error& error) {
    std::string answer(to_string(error.code()));
    if (error.operand() != OperandName::none) answer += " (" + std::string(to_string(error.operand())) + ")";
    return answer;
  }
}

}  // namespace

TEST_SUITE("contract") {
  TEST_CASE("every operation answers every fault of a call as the table in the reference says") {
    const Faults faults;
    const cl::CommandQueue queue = make_queue();
    std::string table = "| operation |";
    for (const Fault& fault : faults.all()) table += std::string(" ") + fault.name + " |";
    table += "\n|---|";
    for (std::size_t i = 0; i < faults.all().size(); ++i) table += "---|";
    table += '\n';
    for (const OperationCall& call : operation_calls(140)) {
      const CallBuffers buffers(call);
      table += "| " + call.name + " |";
      for (const Fault& fault : faults.all()) {
        CallArguments arguments;
        arguments.queue = queue();
        arguments.operands = buffers.refs();
        table += ' ' + (fault.put(call, arguments) ? answer_to(call, arguments) : std::string("-")) + " |";
      }
      table += '\n';
      queue.finish();
      count_cases();
    }
    count_kernel_of("contract");
    CHECK_MESSAGE(table.find(" none |") == std::string::npos, table);
    // The page shows PoCL's table; workspaces depend on the device.
    if (shared_engine().profile().vendor != Vendor::pocl) return;
    const std::string page = detail::read_text(TILEWRIGHT_TEST_SOURCE "/docs/reference/contract.md").value_or("");
    CHECK_MESSAGE(page.find(table) != std::string::npos, "the table of docs/reference/contract.md should be:\n", table);
  }

  TEST_CASE("operations on real numbers refuse scalars with an imaginary part") {
    const Engine& e = shared_engine();
    const cl::CommandQueue queue = make_queue();
    const Scalar imaginary{1, 1};
    const std::array buffers{cl::Buffer(shared_context(), CL_MEM_READ_WRITE, 64),
                             cl::Buffer(shared_context(), CL_MEM_READ_WRITE, 64),
                             cl::Buffer(shared_context(), CL_MEM_READ_WRITE, 64)};
    const MatrixRef a{buffers[0]()}, b{buffers[1]()}, c{buffers[2]()};
    const auto refuses = [](auto call) { expect_error(ErrorCode::invalid_scalar, call); };
    refuses([&] { gemm(e, queue(), {.m = 2, .n = 2, .k = 2}, {.alpha = imaginary, .a = a, .b = b, .c = c}); });
    refuses([&] { gemv(e, queue(), {.m = 2, .n = 2}, {.alpha = imaginary, .a = a, .x = b, .y = c}); });
    refuses([&] { ger(e, queue(), {.m = 2, .n = 2}, {.alpha = imaginary, .x = b, .y = c, .a = a}); });
    refuses([&] { symv(e, queue(), {.n = 2}, {.alpha = imaginary, .a = a, .x = b, .y = c}); });
    refuses([&] { symv(e, queue(), {.n = 2}, {.a = a, .x = b, .beta = imaginary, .y = c}); });
    refuses([&] { syr(e, queue(), {.n = 2}, {.alpha = imaginary, .x = b, .a = a}); });
    refuses([&] {
      syr(e, queue(), {.type = DataType::c64, .symmetry = Symmetry::hermitian, .n = 2},
          {.alpha = imaginary, .x = b, .a = a});
    });
    refuses([&] { syr2(e, queue(), {.n = 2}, {.alpha = imaginary, .x = b, .y = c, .a = a}); });
    refuses([&] { axpy(e, queue(), {.n = 2}, {.alpha = imaginary, .x = a, .y = b}); });
    refuses([&] { transpose(e, queue(), {.m = 2, .n = 2}, {.alpha = imaginary, .a = a, .b = b}); });
    refuses(
        [&] { transpose(e, queue(), {.type = DataType::c64, .m = 2, .n = 2}, {.alpha = imaginary, .a = a, .b = b}); });
    refuses([&] { matrix_add(e, queue(), {.m = 2, .n = 2}, {.a = a, .beta = imaginary, .b = b, .c = c}); });
    refuses([&] { trsm(e, queue(), {.m = 2, .n = 2}, {.alpha = imaginary, .a = a, .b = b}); });
    refuses([&] { trmm(e, queue(), {.m = 2, .n = 2}, {.alpha = imaginary, .a = a, .b = b}); });
    refuses([&] { symm(e, queue(), {.m = 2, .n = 2}, {.alpha = imaginary, .a = a, .b = b, .c = c}); });
    refuses([&] { symm(e, queue(), {.m = 2, .n = 2}, {.a = a, .b = b, .beta = imaginary, .c = c}); });
    refuses([&] { syrk(e, queue(), {.n = 2, .k = 2}, {.alpha = imaginary, .a = a, .c = c}); });
    refuses([&] { syr2k(e, queue(), {.n = 2, .k = 2}, {.a = a, .b = b, .beta = imaginary, .c = c}); });
    refuses([&] { gemmt(e, queue(), {.n = 2, .k = 2}, {.alpha = imaginary, .a = a, .b = b, .c = c}); });
    refuses([&] {
      strassen(e, queue(), {.product = {.m = 2, .n = 2, .k = 2}}, {.alpha = imaginary, .a = a, .b = b, .c = c});
    });
    const std::vector<float> host(4);
    std::vector<float> result(4);
    refuses([&] {
      gemm_out_of_core(e, {.m = 2, .n = 2, .k = 2},
                       {.alpha = imaginary, .a = host.data(), .b = host.data(), .c = result.data()});
    });
    refuses([&] {
      DeviceGroup({e}).gemm({.m = 2, .n = 2, .k = 2},
                            {.a = host.data(), .b = host.data(), .beta = imaginary, .c = result.data()});
    });
  }

  TEST_CASE("calls on out-of-order queues, and calls without events") {
    const cl::CommandQueue in_order = make_queue();
    for (const OperationCall& call : operation_calls(6)) {
      CAPTURE(call.name);
      const CallBuffers buffers(call);
      CallArguments arguments;
      arguments.operands = buffers.refs();
      if (has_out_of_order_queues()) {
        const cl::CommandQueue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        arguments.queue = queue();
        CHECK_NOTHROW(call.enqueue(arguments).wait());
      }
      arguments.queue = in_order();
      arguments.event = false;
      CHECK_NOTHROW(call.enqueue(arguments));
      in_order.finish();
    }
    count_kernel_of("contract");
  }
}

}  // namespace tilewright::test
