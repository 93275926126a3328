// Every OpenCL call of every operation fails, except for plain products, which fault_test.cpp covers.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "faults/fault_shim.hpp"
#include "faults/fault_subject.hpp"
#include "kernels/command_chain.hpp"
#include "out_of_core/host_product.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::test {
namespace {

constexpr std::uint64_t n = 140, columns = 9;  // larger than a diagonal block of 128

// Small whole numbers.
template <class T = float>
std::vector<T> numbers(std::uint64_t count, unsigned factor) {
  std::vector<T> values(count);
  for (std::uint64_t i = 0; i < count; ++i) values[i] = static_cast<T>(i * factor % 11) - 5;
  return values;
}

// A symmetric, positive definite, well-conditioned matrix; its triangles are good factors, too.
template <class T = float>
std::vector<T> definite_matrix() {
  std::vector<T> a(n * n);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j)
      a[i * n + j] = i == j ? T{4} : (i + j) % 7 == 0 ? T{1} / static_cast<T>(16) : T{0};
  return a;
}

// Tests the calls of an operation with an engine of the buffers' context: one shared by all tries, and a new one per
// try.
template <class Call>
void fail_operation(const std::string& name, FaultBuffers& buffers, const Call& call) {
  const LiveObjects live;
  const auto subject = [&](const std::string& how, const std::function<Try()>& start, bool keeps_events) {
    return FaultSubject{name + how, [&] { buffers.reset(); }, [&] { return buffers.are_right(); }, start, keeps_events};
  };
  {
    const Engine engine = Engine::from_queue(buffers.queue());
    buffers.reset();
    call(engine);
    buffers.accept_results();
    fail_all_calls(subject(
                       "", [&] { return [&] { call(engine); }; }, true),
                   buffers.queue());
  }
  live.check_same(name);
  if (test_level() == TestLevel::quick) return;  // each try compiles
  const auto start = [&] { return [&call, own = Engine::from_queue(buffers.queue())] { call(own); }; };
  fail_all_calls(subject(", first call", start, false), buffers.queue());
}

// Tests the calls of one plan that all tries share, and of a new plan per try.
template <class Plan, class Problem, class Operands>
void fail_plan(const std::string& name, FaultBuffers& buffers, const Problem& problem, const Operands& operands) {
  const LiveObjects live;
  {
    const Engine engine = Engine::from_queue(buffers.queue());
    const auto enqueue = [&](const Plan& plan) { plan.enqueue(buffers.queue(), operands).wait(); };
    const auto reset = [&] { buffers.reset(); };
    const auto is_right = [&] { return buffers.are_right(); };
    {
      const Plan plan(engine, problem);
      reset();
      enqueue(plan);
      buffers.accept_results();
      fail_all_calls({name, reset, is_right, [&] { return [&] { enqueue(plan); }; }, true}, buffers.queue());
    }
    fail_all_calls({name + ", planned", reset, is_right, [&] { return [&] { enqueue(Plan(engine, problem)); }; }, true},
                   buffers.queue());
  }
  live.check_same(name);
  count_kernel_of(name);
}

}  // namespace

TEST_SUITE("operation faults") {
  TEST_CASE("the commands of a call that failed are flushed, and later calls do not keep its queue") {
    FaultBuffers all;
    const MatrixRef a = all.add(numbers(4, 3));
    all.reset();
    detail::WorkspaceArena arena;
    detail::PendingCommands users;
    const LiveObjects live;
    faults::arm({});
    {
      detail::CommandChain chain(all.queue(), {}, arena);
      chain.add([&](std::span<const cl_event> waits, bool event) {
        CHECK_FALSE(event);
        return detail::enqueue_zeros(all.queue(), a.buffer, 0, 4 * sizeof(float), waits, event);
      });
      expect_error(ErrorCode::opencl_failure, [&] {
        chain.add([](auto, bool) -> Event { throw Error(ErrorCode::opencl_failure, "the step failed"); });
      });
      chain.leave_to(users);
    }
    faults::disarm();
    CHECK(faults::calls()["clFlush"] == 1);
    clFinish(all.queue());
    std::vector<cl_event> waits;
    users.append_to(waits, all.queue());
    CHECK(waits.empty());
    live.check_same("a call that failed");
    count_cases();
  }

  TEST_CASE("batches and epilogues of products") {
    FaultBuffers all;
    const MatrixRef a = all.add(numbers(3 * 20 * 28, 3)), b = all.add(numbers(3 * 28 * 24, 5)),
                    c = all.add(numbers(3 * 20 * 24, 7)), bias = all.add(numbers(24, 2));
    const GemmProblem batch{
        .m = 20, .n = 24, .k = 28, .batch = {.count = 3, .stride_a = 560, .stride_b = 672, .stride_c = 480}};
    fail_plan<GemmPlan>("a batch by strides", all, batch, GemmOperands{.alpha = 2, .a = a, .b = b, .beta = 3, .c = c});
    GemmProblem with_bias{.m = 20, .n = 24, .k = 28};
    with_bias.epilogue = {.bias = EpilogueVector::per_column, .activation = Activation::relu};
    GemmOperands operands{.alpha = 2, .a = a, .b = b, .beta = 0, .c = c};
    operands.bias = bias;
    fail_plan<GemmPlan>("an epilogue", all, with_bias, operands);
  }

  TEST_CASE("transposes and sums of matrices") {
    FaultBuffers all;
    const MatrixRef a = all.add(numbers(n * n, 3)), b = all.add(numbers(n * n, 5)), c = all.add(numbers(n * n, 7));
    fail_plan<TransposePlan>("transpose", all, TransposeProblem{.m = n, .n = n}, TransposeOperands{.a = a, .b = b});
    fail_plan<TransposePlan>("transpose in place", all, TransposeProblem{.m = n, .n = n, .in_place = true},
                             TransposeOperands{.a = a});
    fail_plan<TransposePlan>("transpose in place, not square", all,
                             TransposeProblem{.m = 70, .n = 2 * n, .in_place = true}, TransposeOperands{.a = a});
    fail_plan<MatrixAddPlan>("matrix_add", all, MatrixAddProblem{.trans_b = Transpose::yes, .m = n, .n = n},
                             MatrixAddOperands{.alpha = 2, .a = a, .beta = 3, .b = b, .c = c});
  }

  TEST_CASE("vectors") {
    FaultBuffers all;
    constexpr std::uint64_t length = 50'000;  // more than one work-group reduces
    const MatrixRef x = all.add(numbers(length, 3)), y = all.add(numbers(length, 5)), z = all.add(numbers(length, 7)),
                    result = all.add(std::vector<std::int64_t>(2));
    const MatrixRef number = all.add(std::vector<float>(2));
    const VectorProblem plain{.n = length}, compensated{.n = length, .summation = Summation::compensated};
    const VectorOperands operands{.alpha = 2, .x = x, .beta = 3, .y = y, .z = z, .result = number};
    VectorOperands index = operands;
    index.result = result;
    using Function = Event (*)(const Engine&, cl_command_queue, const VectorProblem&, const VectorOperands&,
                               std::span<const cl_event>);
    const auto fail = [&](const char* name, Function function, const VectorProblem& problem, const VectorOperands& of) {
      fail_operation(name, all, [&](const Engine& e) { function(e, all.queue(), problem, of, {}).wait(); });
    };
    fail("axpy", axpy, plain, operands);
    fail("axpby", axpby, plain, operands);
    fail("scal", scal, plain, operands);
    fail("hadamard", hadamard, plain, operands);
    fail("copy", tilewright::copy, plain, operands);
    fail("swap", tilewright::swap, plain, operands);
    fail("dot", dot, plain, operands);
    fail("dotc, compensated", dotc, compensated, operands);
    fail("nrm2", nrm2, plain, operands);
    fail("asum", asum, plain, operands);
    fail("iamax", iamax, plain, index);
    fail_operation("dot, planned", all, [&](const Engine& e) {
      VectorPlan(e, VectorFunction::dot, plain).enqueue(all.queue(), operands).wait();
    });
  }

  TEST_CASE("matrices times vectors, and outer products") {
    FaultBuffers all;
    const MatrixRef a = all.add(numbers(n * 2000, 3)), x = all.add(numbers(2000, 5)), y = all.add(numbers(2000, 7));
    for (const Transpose trans : {Transpose::no, Transpose::yes})
      fail_plan<GemvPlan>(trans == Transpose::no ? "gemv" : "gemv of A^T", all,
                          GemvProblem{.trans = trans, .m = n, .n = 2000},
                          GemvOperands{.alpha = 2, .a = a, .x = x, .beta = 3, .y = y});
    fail_plan<GemvPlan>("gemv of reversed vectors", all, GemvProblem{.m = n, .n = 2000, .incx = -1, .incy = -1},
                        GemvOperands{.alpha = 2, .a = a, .x = x, .beta = 3, .y = y});
    fail_plan<GerPlan>("ger", all, GerProblem{.m = n, .n = 1000}, GerOperands{.alpha = 2, .x = x, .y = y, .a = a});
  }

  TEST_CASE("triangles and vectors") {
    FaultBuffers all;
    const MatrixRef a = all.add(numbers(n * n, 3)), x = all.add(numbers(n, 5)), y = all.add(numbers(n, 7));
    for (const Choice& choice : {Choice{"rows", {{"groups", 2}}}, Choice{"tiles", {}}}) {
      const auto call = [&](const std::string& name, const auto& make) {
        fail_operation(name + ' ' + choice.variant, all, [&](const Engine& e) { make(e).wait(); });
        count_kernel_of(name);
      };
      const cl_command_queue queue = all.queue();
      call("symv", [&](const Engine& e) {
        return symv(e, queue, {.n = n, .incx = -1}, {.alpha = 2, .a = a, .x = x, .beta = 3, .y = y}, {}, choice);
      });
      call("trmv", [&](const Engine& e) { return trmv(e, queue, {.n = n}, {.a = a, .x = x}, {}, choice); });
      call("syr", [&](const Engine& e) { return syr(e, queue, {.n = n}, {.alpha = 2, .x = x, .a = a}, {}, choice); });
      call("syr2", [&](const Engine& e) {
        return syr2(e, queue, {.n = n, .incx = -1}, {.alpha = 2, .x = x, .y = y, .a = a}, {}, choice);
      });
    }
  }

  TEST_CASE("sparse times dense") {
    FaultBuffers all;
    std::vector<std::int32_t> offsets(n + 1), indices(3 * n);
    for (std::uint64_t i = 0; i <= n; ++i) offsets[i] = static_cast<std::int32_t>(3 * i);
    for (std::uint64_t i = 0; i < 3 * n; ++i) indices[i] = static_cast<std::int32_t>(i % 3 * 40 + i / 3 % 40);
    const MatrixRef starts = all.add(offsets), places = all.add(indices), values = all.add(numbers(3 * n, 3)),
                    b = all.add(numbers(n * 20, 5)), c = all.add(numbers(n * 20, 7));
    for (const SparseFormat format : {SparseFormat::csr, SparseFormat::csc})
      for (const Transpose trans : {Transpose::no, Transpose::yes}) {
        const bool by_rows = format == SparseFormat::csr;
        const SparseStructure structure{starts, by_rows ? MatrixRef{} : places, by_rows ? places : MatrixRef{}};
        const SpmmProblem problem{.format = format, .trans_a = trans, .m = n, .n = 20, .k = n, .nonzeros = 3 * n};
        fail_operation("spmm " + std::string(to_string(format)) + (trans == Transpose::no ? "" : " transposed"), all,
                       [&](const Engine& e) {
                         SpmmPlan(e, problem, structure)
                             .enqueue(all.queue(), {.alpha = 2, .values = values, .b = b, .beta = 3, .c = c})
                             .wait();
                       });
      }
  }

  TEST_CASE("triangular systems") {
    FaultBuffers all;
    const MatrixRef a = all.add(definite_matrix()), b = all.add(numbers(n * columns, 5));
    fail_plan<TrsmPlan>("trsm", all, TrsmProblem{.m = n, .n = columns}, TrsmOperands{.alpha = 2, .a = a, .b = b});
    fail_plan<TrsmPlan>("trsm from the right", all,
                        TrsmProblem{.side = Side::right, .trans = Transpose::yes, .m = columns, .n = n},
                        TrsmOperands{.alpha = 2, .a = a, .b = b});
    for (const std::int64_t incx : {1, -1})
      fail_plan<TrsvPlan>(incx == 1 ? "trsv" : "trsv of a reversed vector", all, TrsvProblem{.n = n, .incx = incx},
                          TrsvOperands{.a = a, .x = b});
  }

  TEST_CASE("products with a triangular or symmetric matrix") {
    FaultBuffers all;
    const MatrixRef a = all.add(definite_matrix()), b = all.add(numbers(n * columns, 5)),
                    c = all.add(numbers(n * columns, 6));
    fail_plan<TrmmPlan>("trmm", all, TrmmProblem{.m = n, .n = columns}, TrmmOperands{.alpha = 2, .a = a, .b = b});
    fail_plan<TrmmPlan>("trmm from the right", all,
                        TrmmProblem{.side = Side::right, .trans = Transpose::yes, .m = columns, .n = n},
                        TrmmOperands{.alpha = 2, .a = a, .b = b});
    fail_plan<SymmPlan>("symm", all, SymmProblem{.m = n, .n = columns},
                        SymmOperands{.alpha = 2, .a = a, .b = b, .beta = 1, .c = c});
  }

  TEST_CASE("rank-k updates") {
    FaultBuffers all;
    const MatrixRef a = all.add(numbers(n * 20, 3)), b = all.add(numbers(n * 20, 5)), c = all.add(numbers(n * n, 7));
    fail_plan<SyrkPlan>("syrk", all, SyrkProblem{.n = n, .k = 20}, SyrkOperands{.alpha = 2, .a = a, .beta = 3, .c = c});
    fail_plan<SyrkPlan>("syrk, k = 0", all, SyrkProblem{.n = n}, SyrkOperands{.beta = 3, .c = c});
    fail_plan<Syr2kPlan>("syr2k", all, Syr2kProblem{.uplo = Uplo::upper, .n = n, .k = 20},
                         Syr2kOperands{.alpha = 2, .a = a, .b = b, .beta = 3, .c = c});
    fail_plan<GemmtPlan>("gemmt", all, GemmtProblem{.n = n, .k = 20},
                         GemmtOperands{.alpha = 2, .a = a, .b = b, .beta = 3, .c = c});
  }

  TEST_CASE("Cholesky") {
    FaultBuffers all;
    const MatrixRef a = all.add(definite_matrix()), b = all.add(numbers(n * columns, 5)),
                    info = all.add(std::vector<std::int64_t>(1, 7));
    fail_plan<PotrfPlan>("potrf", all, PotrfProblem{.n = n}, PotrfOperands{.a = a, .info = info});
    fail_plan<PotrsPlan>("potrs", all, PotrsProblem{.n = n, .nrhs = columns}, PotrsOperands{.a = a, .b = b});
    fail_plan<PosvPlan>("posv", all, PosvProblem{.n = n, .nrhs = columns}, PosvOperands{.a = a, .b = b, .info = info});
    fail_plan<PotriPlan>("potri", all, PotriProblem{.n = n}, PotriOperands{.a = a});
  }

  TEST_CASE("LU") {
    FaultBuffers all;
    std::vector<std::int64_t> in_order(n);
    std::iota(in_order.begin(), in_order.end(), 0);
    const MatrixRef a = all.add(definite_matrix()), b = all.add(numbers(n * n, 5)), pivots = all.add(in_order),
                    info = all.add(std::vector<std::int64_t>(1, 7)), determinant = all.add(std::vector<float>(2));
    fail_plan<GetrfPlan>("getrf", all, GetrfProblem{.m = n, .n = n},
                         GetrfOperands{.a = a, .pivots = pivots, .info = info});
    fail_plan<GetrsPlan>("getrs", all, GetrsProblem{.n = n, .nrhs = columns},
                         GetrsOperands{.a = a, .pivots = pivots, .b = b});
    fail_plan<GesvPlan>("gesv", all, GesvProblem{.n = n, .nrhs = columns},
                        GesvOperands{.a = a, .pivots = pivots, .info = info, .b = b});
    fail_plan<GetriPlan>("getri", all, GetriProblem{.n = n}, GetriOperands{.a = a, .pivots = pivots, .b = b});
    fail_plan<DetPlan>("det", all, DetProblem{.n = n},
                       DetOperands{.a = a, .pivots = pivots, .determinant = determinant});
  }

  TEST_CASE("refinement of LU") {
    if (!device_under_test().profile.fp64) return count_skip("refinement of LU", "the device lacks fp64");
    FaultBuffers all;
    const GesvOperands operands{.a = all.add(definite_matrix<double>()),
                                .pivots = all.add(std::vector<std::int64_t>(n)),
                                .info = all.add(std::vector<std::int64_t>(1, 7)),
                                .b = all.add(numbers<double>(n * columns, 5)),
                                .iterations = all.add(std::vector<std::int64_t>(1, 7))};
    fail_plan<GesvPlan>("gesv with refinement", all,
                        GesvProblem{.type = DataType::f64, .n = n, .nrhs = columns, .refinements = 5}, operands);
  }

  TEST_CASE("QR") {
    FaultBuffers all;
    const MatrixRef a = all.add(definite_matrix()), b = all.add(numbers(n * columns, 5)),
                    tau = all.add(std::vector<float>(n)), info = all.add(std::vector<std::int64_t>(1, 7));
    fail_plan<GeqrfPlan>("geqrf", all, GeqrfProblem{.m = n, .n = n}, GeqrfOperands{.a = a, .tau = tau});
    fail_plan<OrmqrPlan>("ormqr", all, OrmqrProblem{.m = n, .n = columns, .k = n},
                         OrmqrOperands{.a = a, .tau = tau, .c = b});
    fail_plan<OrgqrPlan>("orgqr", all, OrgqrProblem{.m = n, .n = n, .k = n}, OrgqrOperands{.a = a, .tau = tau});
    fail_plan<GelsPlan>("gels", all, GelsProblem{.m = n, .n = n, .nrhs = columns},
                        GelsOperands{.a = a, .b = b, .info = info});
  }

  TEST_CASE("Strassen") {
    FaultBuffers all;
    const MatrixRef a = all.add(numbers(64 * 64, 3)), b = all.add(numbers(64 * 64, 5)),
                    c = all.add(numbers(64 * 64, 7));
    fail_plan<StrassenPlan>("strassen", all, StrassenProblem{.product = {.m = 64, .n = 64, .k = 64}, .levels = 2},
                            StrassenOperands{.alpha = 2, .a = a, .b = b, .beta = 3, .c = c});
  }

  TEST_CASE("out of core") {
    const bool is_cpu = device_under_test().profile.type == DeviceType::cpu;
    const TransferSpeeds speeds{.upload = 1e9, .download = 2e9, .host_copy = 3e9, .flops = 1e10, .launch = 1e-5};
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::in_place}) {
      if (transfer == TileTransfer::in_place && !is_cpu) continue;
      const LiveObjects live;
      const std::string how = "out of core, " + std::string(to_string(transfer));
      {
        HostProduct<float> product({.m = 90, .n = 130, .k = 50}, 2, 3);
        const Engine engine(device_under_test());
        const OutOfCoreOptions options{.memory = 1 << 22, .transfer = transfer, .tile = {24, 32, 40}, .speeds = speeds};
        const auto is_right = [&] { return HostProduct<float>::differences(product.c, product.expected) == 0; };
        const auto reset = [&] { product.reset(); };
        const cl::CommandQueue queue(cl::Context(engine.context(), true), cl::Device(engine.device(), true));
        {
          const OutOfCorePlan plan(engine, product.problem, options);
          const Try run = [&] { plan.run(product.operands); };
          run();
          fail_all_calls({how, reset, is_right, [&] { return run; }, true}, queue());
        }
        const Try run = [&] { gemm_out_of_core(engine, product.problem, product.operands, options); };
        fail_all_calls({how + ", planned", reset, is_right, [&] { return run; }, true}, queue());
      }
      live.check_same(how);
    }
    count_kernel_of("out of core");
  }
}

}  // namespace tilewright::test
