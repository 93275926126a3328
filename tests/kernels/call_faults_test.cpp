// Faults of a call, for every operation and every operand: each is refused with its code and its operand, before
// anything is enqueued.
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/operation_calls.hpp"
#include "support/run_report.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::test {
namespace {

constexpr std::uint64_t order = 6;

// Every call with its buffers and a queue.
template <class Check>
void for_every_call(const Check& check) {
  const cl::CommandQueue queue = make_queue();
  for (const OperationCall& call : operation_calls(order)) {
    CAPTURE(call.name);
    const CallBuffers buffers(call);
    CallArguments right;
    right.queue = queue();
    right.operands = buffers.refs();
    check(call, right);
    queue.finish();
    count_cases();
  }
  count_kernel_of("call faults");
}

// A buffer, or a part of one, that was created with flags for kernels or for the host.
class FlaggedBuffer {
 public:
  FlaggedBuffer(std::uint64_t bytes, cl_mem_flags flags, bool is_part) {
    constexpr std::size_t begin = 4096;
    std::vector<std::byte> zeros(begin + bytes);  // pivots that systems read must be rows
    whole_ = cl::Buffer(shared_context(), flags | CL_MEM_COPY_HOST_PTR, zeros.size(), zeros.data());
    cl_buffer_region region{begin, bytes};
    visible_ = is_part ? whole_.createSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &region) : whole_;
  }

  MatrixRef ref() const { return {visible_(), 0}; }

 private:
  cl::Buffer whole_, visible_;
};

// Problems whose leading dimension `ld` of an operand is shorter than a row of n elements.
struct NarrowProblem {
  const char* what;
  OperandName operand;
  std::function<void(const Engine&, std::uint64_t n, std::uint64_t ld)> make_plan;
};

std::vector<NarrowProblem> narrow_problems() {
  using enum OperandName;
  using E = const Engine&;
  using N = std::uint64_t;
  std::vector<NarrowProblem> all{
      {"gemm", a, [](E e, N n, N ld) { GemmPlan(e, {.m = n, .n = n, .k = n, .lda = ld}); }},
      {"gemm", b, [](E e, N n, N ld) { GemmPlan(e, {.m = n, .n = n, .k = n, .ldb = ld}); }},
      {"gemm", c, [](E e, N n, N ld) { GemmPlan(e, {.m = n, .n = n, .k = n, .ldc = ld}); }},
      {"gemm", residual,
       [](E e, N n, N ld) { GemmPlan(e, {.m = n, .n = n, .k = n, .epilogue = {.residual = true, .ldr = ld}}); }},
      {"gemv", a, [](E e, N n, N ld) { GemvPlan(e, {.m = n, .n = n, .lda = ld}); }},
      {"ger", a, [](E e, N n, N ld) { GerPlan(e, {.m = n, .n = n, .lda = ld}); }},
      {"symv", a, [](E e, N n, N ld) { SymvPlan(e, {.n = n, .lda = ld}); }},
      {"trmv", a, [](E e, N n, N ld) { TrmvPlan(e, {.n = n, .lda = ld}); }},
      {"syr", a, [](E e, N n, N ld) { SyrPlan(e, {.n = n, .lda = ld}); }},
      {"syr2", a, [](E e, N n, N ld) { Syr2Plan(e, {.n = n, .lda = ld}); }},
      {"transpose", a, [](E e, N n, N ld) { TransposePlan(e, {.m = n, .n = n, .lda = ld}); }},
      {"transpose", b, [](E e, N n, N ld) { TransposePlan(e, {.m = n, .n = n, .ldb = ld}); }},
      {"matrix_add", a, [](E e, N n, N ld) { MatrixAddPlan(e, {.m = n, .n = n, .lda = ld}); }},
      {"matrix_add", b, [](E e, N n, N ld) { MatrixAddPlan(e, {.m = n, .n = n, .ldb = ld}); }},
      {"matrix_add", c, [](E e, N n, N ld) { MatrixAddPlan(e, {.m = n, .n = n, .ldc = ld}); }},
      {"spmm", b, [](E e, N n, N ld) { SpmmPlan(e, {.m = n, .n = n, .k = n, .ldb = ld}, {}); }},
      {"spmm", c, [](E e, N n, N ld) { SpmmPlan(e, {.m = n, .n = n, .k = n, .ldc = ld}, {}); }},
      {"trsm", a, [](E e, N n, N ld) { TrsmPlan(e, {.m = n, .n = n, .lda = ld}); }},
      {"trsm", b, [](E e, N n, N ld) { TrsmPlan(e, {.m = n, .n = n, .ldb = ld}); }},
      {"trsv", a, [](E e, N n, N ld) { TrsvPlan(e, {.n = n, .lda = ld}); }},
      {"trmm", a, [](E e, N n, N ld) { TrmmPlan(e, {.m = n, .n = n, .lda = ld}); }},
      {"trmm", b, [](E e, N n, N ld) { TrmmPlan(e, {.m = n, .n = n, .ldb = ld}); }},
      {"symm", a, [](E e, N n, N ld) { SymmPlan(e, {.m = n, .n = n, .lda = ld}); }},
      {"symm", b, [](E e, N n, N ld) { SymmPlan(e, {.m = n, .n = n, .ldb = ld}); }},
      {"symm", c, [](E e, N n, N ld) { SymmPlan(e, {.m = n, .n = n, .ldc = ld}); }},
      {"potrf", a, [](E e, N n, N ld) { PotrfPlan(e, {.n = n, .lda = ld}); }},
      {"potrs", a, [](E e, N n, N ld) { PotrsPlan(e, {.n = n, .nrhs = n, .lda = ld}); }},
      {"potrs", b, [](E e, N n, N ld) { PotrsPlan(e, {.n = n, .nrhs = n, .ldb = ld}); }},
      {"posv", a, [](E e, N n, N ld) { PosvPlan(e, {.n = n, .nrhs = n, .lda = ld}); }},
      {"posv", b, [](E e, N n, N ld) { PosvPlan(e, {.n = n, .nrhs = n, .ldb = ld}); }},
      {"potri", a, [](E e, N n, N ld) { PotriPlan(e, {.n = n, .lda = ld}); }}};
  all.push_back({"getrf", a, [](E e, N n, N ld) { GetrfPlan(e, {.m = n, .n = n, .lda = ld}); }});
  all.push_back({"getrs", a, [](E e, N n, N ld) { GetrsPlan(e, {.n = n, .lda = ld}); }});
  all.push_back({"getrs", b, [](E e, N n, N ld) { GetrsPlan(e, {.n = n, .nrhs = n, .ldb = ld}); }});
  all.push_back({"gesv", a, [](E e, N n, N ld) { GesvPlan(e, {.n = n, .lda = ld}); }});
  all.push_back({"gesv", b, [](E e, N n, N ld) { GesvPlan(e, {.n = n, .nrhs = n, .ldb = ld}); }});
  all.push_back({"getri", a, [](E e, N n, N ld) { GetriPlan(e, {.n = n, .lda = ld}); }});
  all.push_back({"getri", b, [](E e, N n, N ld) { GetriPlan(e, {.n = n, .ldb = ld}); }});
  all.push_back({"det", a, [](E e, N n, N ld) { DetPlan(e, {.n = n, .lda = ld}); }});
  all.push_back({"geqrf", a, [](E e, N n, N ld) { GeqrfPlan(e, {.m = n, .n = n, .lda = ld}); }});
  all.push_back({"ormqr", a, [](E e, N n, N ld) { OrmqrPlan(e, {.m = n, .n = n, .k = n, .lda = ld}); }});
  all.push_back({"ormqr", c, [](E e, N n, N ld) { OrmqrPlan(e, {.m = n, .n = n, .k = n, .ldc = ld}); }});
  all.push_back({"orgqr", a, [](E e, N n, N ld) { OrgqrPlan(e, {.m = n, .n = n, .k = n, .lda = ld}); }});
  all.push_back({"gels", a, [](E e, N n, N ld) { GelsPlan(e, {.m = n, .n = n, .nrhs = n, .lda = ld}); }});
  all.push_back({"gels", b, [](E e, N n, N ld) { GelsPlan(e, {.m = n, .n = n, .nrhs = n, .ldb = ld}); }});
  all.push_back({"syrk", a, [](E e, N n, N ld) { SyrkPlan(e, {.n = n, .k = n, .lda = ld}); }});
  all.push_back({"syrk", c, [](E e, N n, N ld) { SyrkPlan(e, {.n = n, .k = n, .ldc = ld}); }});
  all.push_back({"syr2k", a, [](E e, N n, N ld) { Syr2kPlan(e, {.n = n, .k = n, .lda = ld}); }});
  all.push_back({"syr2k", b, [](E e, N n, N ld) { Syr2kPlan(e, {.n = n, .k = n, .ldb = ld}); }});
  all.push_back({"syr2k", c, [](E e, N n, N ld) { Syr2kPlan(e, {.n = n, .k = n, .ldc = ld}); }});
  all.push_back({"gemmt", a, [](E e, N n, N ld) { GemmtPlan(e, {.n = n, .k = n, .lda = ld}); }});
  all.push_back({"gemmt", b, [](E e, N n, N ld) { GemmtPlan(e, {.n = n, .k = n, .ldb = ld}); }});
  all.push_back({"gemmt", c, [](E e, N n, N ld) { GemmtPlan(e, {.n = n, .k = n, .ldc = ld}); }});
  const auto strassen = [](E e, GemmProblem product) { StrassenPlan(e, {.product = product, .levels = 1}); };
  all.push_back({"strassen", a, [=](E e, N n, N ld) { strassen(e, {.m = n, .n = n, .k = n, .lda = ld}); }});
  all.push_back({"strassen", b, [=](E e, N n, N ld) { strassen(e, {.m = n, .n = n, .k = n, .ldb = ld}); }});
  all.push_back({"strassen", c, [=](E e, N n, N ld) { strassen(e, {.m = n, .n = n, .k = n, .ldc = ld}); }});
  return all;
}

void expect_refused(const OperationCall& call, const CallArguments& arguments, ErrorCode code, OperandName operand,
                    const std::string& message) {
  const std::string what = expect_error(code, operand, [&] { call.enqueue(arguments).wait(); });
  CHECK_MESSAGE(mentions(what, message), what);
}

}  // namespace

TEST_SUITE("call faults") {
  TEST_CASE("buffers are used as they were created, sub-buffers as the buffer that they are a part of") {
    for_every_call([](const OperationCall& call, const CallArguments& right) {
      CHECK_NOTHROW(call.enqueue(right).wait());
      for (std::size_t i = 0; i < call.operands.size(); ++i)
        for (const bool is_part : {false, true}) {
          const CallOperand& operand = call.operands[i];
          CAPTURE(operand.label);
          CAPTURE(is_part);
          CallArguments arguments = right;
          const std::string name = std::string("the buffer of ") + operand.label + " was created CL_MEM_";
          const auto use = [&](cl_mem_flags flags, bool refused, const char* how) {
            const FlaggedBuffer buffer(operand.bytes, flags, is_part);
            arguments.operands[i] = buffer.ref();
            if (refused)
              expect_refused(call, arguments, ErrorCode::invalid_buffer, operand.name, name + how);
            else
              CHECK_NOTHROW(call.enqueue(arguments).wait());
          };
          use(CL_MEM_READ_ONLY, operand.written, "READ_ONLY");
          use(CL_MEM_WRITE_ONLY, operand.read, "WRITE_ONLY");
          use(CL_MEM_HOST_NO_ACCESS, false, "");
          use(CL_MEM_HOST_WRITE_ONLY, false, "");
        }
    });
  }

  TEST_CASE("workspaces that kernels may not both read and write") {
    for_every_call([](const OperationCall& call, const CallArguments& right) {
      if (call.workspace_bytes == 0) return;
      CallArguments arguments = right;
      for (const bool is_part : {false, true}) {
        for (const cl_mem_flags flags : std::vector<cl_mem_flags>{CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY}) {
          const FlaggedBuffer buffer(call.workspace_bytes, flags, is_part);
          arguments.workspace = {buffer.ref().buffer, 0};
          expect_refused(call, arguments, ErrorCode::invalid_workspace, OperandName::workspace, "read and write");
        }
        const FlaggedBuffer buffer(call.workspace_bytes, CL_MEM_HOST_NO_ACCESS, is_part);
        arguments.workspace = {buffer.ref().buffer, 0};
        CHECK_NOTHROW(call.enqueue(arguments).wait());
      }
      const FlaggedBuffer exact(call.workspace_bytes, CL_MEM_READ_WRITE, true);
      arguments.workspace = {exact.ref().buffer, 256};
      expect_refused(call, arguments, ErrorCode::workspace_too_small, OperandName::workspace, "holds");
      arguments.workspace = {right.operands.front().buffer, 4};
      expect_refused(call, arguments, ErrorCode::invalid_workspace, OperandName::workspace, "multiple of 256");
    });
  }

  TEST_CASE("operands that are null, foreign or too small, and images") {
    const cl::Context elsewhere(cl::Device(shared_engine().device(), true));
    cl::Image2D image;
    if (shared_engine().profile().images)
      image = cl::Image2D(shared_context(), CL_MEM_READ_WRITE, cl::ImageFormat(CL_RGBA, CL_FLOAT), 64, 64);
    for_every_call([&](const OperationCall& call, const CallArguments& right) {
      for (std::size_t i = 0; i < call.operands.size(); ++i) {
        const CallOperand& operand = call.operands[i];
        CAPTURE(operand.label);
        const std::string name = operand.label;
        const auto refuse = [&](const MatrixRef& ref, ErrorCode code, const std::string& message) {
          CallArguments arguments = right;
          arguments.operands[i] = ref;
          expect_refused(call, arguments, code, operand.name, message);
        };
        refuse({}, ErrorCode::null_object, "the buffer of " + name + " is null");
        const cl::Buffer foreign(elsewhere, CL_MEM_READ_WRITE, operand.bytes);
        refuse({foreign(), 0}, ErrorCode::foreign_object, "the buffer of " + name + " belongs to another context");
        refuse({right.operands[i].buffer, 1}, ErrorCode::buffer_too_small, name + " takes ");
        constexpr std::uint64_t far = std::uint64_t{1} << 63;
        refuse({right.operands[i].buffer, far}, ErrorCode::buffer_too_small, name + " takes ");
        if (image() != nullptr) refuse({image(), 0}, ErrorCode::invalid_buffer, "is an image");
      }
      if (call.workspace_bytes == 0) return;
      const cl::Buffer foreign(elsewhere, CL_MEM_READ_WRITE, call.workspace_bytes);
      CallArguments arguments = right;
      arguments.workspace = {foreign(), 0};
      expect_refused(call, arguments, ErrorCode::foreign_object, OperandName::workspace, "another context");
    });
  }

  TEST_CASE("leading dimensions that are too short") {
    for (const NarrowProblem& problem : narrow_problems()) {
      CAPTURE(problem.what);
      const std::string what = expect_error(ErrorCode::invalid_leading_dimension, problem.operand,
                                            [&] { problem.make_plan(shared_engine(), order, order - 1); });
      CHECK_MESSAGE(mentions(what, " is 5"), what);
      count_cases();
    }
  }

  TEST_CASE("queues and events that are null or foreign, and events that have failed") {
    const cl::Context elsewhere(cl::Device(shared_engine().device(), true));
    const cl::CommandQueue foreign_queue(elsewhere, cl::Device(shared_engine().device(), true));
    cl::UserEvent foreign(elsewhere), failed(shared_context());
    failed.setStatus(-5);
    for_every_call([&](const OperationCall& call, const CallArguments& right) {
      const auto refuse_queue = [&](cl_command_queue queue, ErrorCode code) {
        CallArguments arguments = right;
        arguments.queue = queue;
        expect_refused(call, arguments, code, OperandName::none, "the command queue");
      };
      refuse_queue(nullptr, ErrorCode::null_object);
      refuse_queue(foreign_queue(), ErrorCode::foreign_object);
      const auto refuse_event = [&](cl_event event, ErrorCode code) {
        CallArguments arguments = right;
        arguments.waits = {&event, 1};
        expect_refused(call, arguments, code, OperandName::none, "event of the wait list");
      };
      refuse_event(nullptr, ErrorCode::null_object);
      refuse_event(foreign(), ErrorCode::foreign_object);
      refuse_event(failed(), ErrorCode::failed_wait);
    });
    foreign.setStatus(CL_COMPLETE);
  }
}

}  // namespace tilewright::test
