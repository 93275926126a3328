#include <clblast.h>
#include <fmt/format.h>

#include <complex>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "compare/references.hpp"
#include "tilewright/event.hpp"
#include "tilewright/gemm_operands.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::tool {
namespace {

clblast::Transpose to_clblast(Transpose transpose) {
  switch (transpose) {
    case Transpose::no:
      return clblast::Transpose::kNo;
    case Transpose::yes:
      return clblast::Transpose::kYes;
    case Transpose::conjugate_transpose:
      break;
  }
  return clblast::Transpose::kConjugate;
}

// A single column of C is a matrix-vector product, for which CLBlast has Gemv.
bool is_vector(const GemmProblem& problem) { return problem.n == 1 && problem.batch.count == 1; }

template <class T>
Event enqueue_as(const Workload& workload, bool with_event) {
  const GemmProblem& problem = workload.problem();
  const GemmOperands operands = workload.operands();
  const std::size_t lda = problem.trans_a != Transpose::no ? problem.m : problem.k;
  const std::size_t ldb = problem.trans_b != Transpose::no ? problem.k : problem.n;
  cl_command_queue queue = workload.session().queue();
  cl_event event = nullptr;
  cl_event* const wanted = with_event ? &event : nullptr;
  const Batch& batch = problem.batch;
  const clblast::StatusCode status =
      is_vector(problem)
          ? clblast::Gemv<T>(clblast::Layout::kRowMajor, to_clblast(problem.trans_a),
                             problem.trans_a == Transpose::no ? problem.m : problem.k, lda, T{1}, operands.a.buffer, 0,
                             lda, operands.b.buffer, 0, 1, T{0}, operands.c.buffer, 0, 1, &queue, wanted)
      : batch.count > 1
          ? clblast::GemmStridedBatched<T>(
                clblast::Layout::kRowMajor, to_clblast(problem.trans_a), to_clblast(problem.trans_b), problem.m,
                problem.n, problem.k, T{1}, operands.a.buffer, 0, lda, batch.stride_a, operands.b.buffer, 0, ldb,
                batch.stride_b, T{0}, operands.c.buffer, 0, problem.n, batch.stride_c, batch.count, &queue, wanted)
          : clblast::Gemm<T>(clblast::Layout::kRowMajor, to_clblast(problem.trans_a), to_clblast(problem.trans_b),
                             problem.m, problem.n, problem.k, T{1}, operands.a.buffer, 0, lda, operands.b.buffer, 0,
                             ldb, T{0}, operands.c.buffer, 0, problem.n, &queue, wanted);
  if (status != clblast::StatusCode::kSuccess) {
    throw std::runtime_error(fmt::format("CLBlast failed with status {}", static_cast<int>(status)));
  }
  return Event(event);
}

Event enqueue(const Workload& workload, bool with_event) {
  switch (workload.problem().type) {
    case DataType::f32:
      return enqueue_as<float>(workload, with_event);
    case DataType::f64:
      return enqueue_as<double>(workload, with_event);
    case DataType::c64:
      return enqueue_as<std::complex<float>>(workload, with_event);
    case DataType::c128:
      return enqueue_as<std::complex<double>>(workload, with_event);
    case DataType::f16:
    case DataType::bf16:
    case DataType::i8:
    case DataType::u8:
    case DataType::i32:
      break;  // check_references() rejects these types
  }
  throw std::logic_error("CLBlast is not compared for this type");
}

}  // namespace

Contender clblast_contender(Workload& workload) {
  const GemmProblem& problem = workload.problem();
  if (is_vector(problem)) {
    // CLBlast's Gemv reads y even if beta is 0, so y must contain numbers.
    const std::vector<std::byte> zeros(problem.m * size_of(problem.type));
    workload.session().write(workload.operands().c.buffer, zeros);
  }
  const auto run = [&workload](unsigned calls) {
    enqueue_all(calls, [&](bool event) { return enqueue(workload, event); });
  };
  return {.run = run, .check = [&workload] { return workload.check_device_result(); }};
}

}  // namespace tilewright::tool
