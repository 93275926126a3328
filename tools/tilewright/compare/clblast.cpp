#include <clblast.h>
#include <fmt/format.h>

#include <complex>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "compare/references.hpp"
#include "tilewright/event.hpp"

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

class ClblastContender final : public Contender {
 public:
  // CLBlast's Gemv reads y even if beta is 0, so y must contain numbers.
  explicit ClblastContender(Workload& workload) : Contender(workload) {
    if (!is_vector()) return;
    const std::vector<std::byte> zeros(workload.problem().m * size_of(workload.problem().type));
    workload.session().write(workload.operands().c.buffer, zeros);
  }

  void run(unsigned calls) override {
    const GemmProblem& problem = workload().problem();
    for (unsigned left = calls; left > 0; --left) {
      const bool is_last = left == 1;
      const Event last = enqueue(problem, is_last);
      if (is_last) last.wait();
    }
  }

 private:
  // A single column of C is a matrix-vector product, for which CLBlast has Gemv.
  bool is_vector() const { return workload().problem().n == 1 && workload().problem().batch.count == 1; }

  Event enqueue(const GemmProblem& problem, bool with_event) const {
    switch (problem.type) {
      case DataType::f32:
        return enqueue_as<float>(problem, with_event);
      case DataType::f64:
        return enqueue_as<double>(problem, with_event);
      case DataType::c64:
        return enqueue_as<std::complex<float>>(problem, with_event);
      case DataType::c128:
        return enqueue_as<std::complex<double>>(problem, with_event);
      case DataType::f16:
      case DataType::bf16:
      case DataType::i8:
      case DataType::u8:
      case DataType::i32:
        break;  // check_references() rejects these types
    }
    throw std::logic_error("CLBlast is not compared for this type");
  }

  template <class T>
  Event enqueue_as(const GemmProblem& problem, bool with_event) const {
    const GemmOperands operands = workload().operands();
    const std::size_t lda = problem.trans_a != Transpose::no ? problem.m : problem.k;
    const std::size_t ldb = problem.trans_b != Transpose::no ? problem.k : problem.n;
    cl_command_queue queue = workload().session().queue();
    cl_event event = nullptr;
    cl_event* const wanted = with_event ? &event : nullptr;
    const Batch& batch = problem.batch;
    const clblast::StatusCode status =
        is_vector()
            ? clblast::Gemv<T>(clblast::Layout::kRowMajor, to_clblast(problem.trans_a),
                               problem.trans_a == Transpose::no ? problem.m : problem.k, lda, T{1}, operands.a.buffer,
                               0, lda, operands.b.buffer, 0, 1, T{0}, operands.c.buffer, 0, 1, &queue, wanted)
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
};

}  // namespace

std::unique_ptr<Contender> make_clblast(Workload& workload) { return std::make_unique<ClblastContender>(workload); }

}  // namespace tilewright::tool
