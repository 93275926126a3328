#include <clblast.h>
#include <fmt/format.h>

#include <complex>
#include <stdexcept>

#include "compare/rank_k_workload.hpp"
#include "tilewright/event.hpp"

namespace tilewright::tool {
namespace {

constexpr auto by_rows = clblast::Layout::kRowMajor;
constexpr auto lower_triangle = clblast::Triangle::kLower;

template <class T>
clblast::StatusCode update(const RankKWorkload& of, clblast::Transpose trans, cl_command_queue* queue,
                           cl_event* event) {
  const RankKTask& task = of.task();
  if (!task.routine->has_b)
    return clblast::Syrk<T>(by_rows, lower_triangle, trans, task.n, task.k, T{1}, of.a(), 0, task.lda(), T{0}, of.c(),
                            0, task.n, queue, event);
  return clblast::Syr2k<T>(by_rows, lower_triangle, trans, task.n, task.k, T{1}, of.a(), 0, task.lda(), of.b(), 0,
                           task.lda(), T{0}, of.c(), 0, task.n, queue, event);
}

// T: the type of the parts.
template <class T>
clblast::StatusCode hermitian_update(const RankKWorkload& of, clblast::Transpose trans, cl_command_queue* queue,
                                     cl_event* event) {
  const RankKTask& task = of.task();
  if (!task.routine->has_b)
    return clblast::Herk<T>(by_rows, lower_triangle, trans, task.n, task.k, T{1}, of.a(), 0, task.lda(), T{0}, of.c(),
                            0, task.n, queue, event);
  return clblast::Her2k<std::complex<T>, T>(by_rows, lower_triangle, trans, task.n, task.k, std::complex<T>{1}, of.a(),
                                            0, task.lda(), of.b(), 0, task.lda(), T{0}, of.c(), 0, task.n, queue,
                                            event);
}

using RankKUpdate = clblast::StatusCode (*)(const RankKWorkload&, clblast::Transpose, cl_command_queue*, cl_event*);

RankKUpdate update_of(DataType type, bool hermitian) {
  switch (type) {
    case DataType::f32:
      return update<float>;
    case DataType::f64:
      return update<double>;
    case DataType::c64:
      return hermitian ? hermitian_update<float> : update<std::complex<float>>;
    case DataType::c128:
      return hermitian ? hermitian_update<double> : update<std::complex<double>>;
    default:
      return nullptr;
  }
}

}  // namespace

// CLBlast has no gemmt.
std::function<void(unsigned)> clblast_rank_k_call(RankKWorkload& workload) {
  const RankKTask& task = workload.task();
  const bool hermitian = is_complex(task.type) && task.routine->symmetry == Symmetry::hermitian;
  const RankKUpdate call = task.routine->has_second_trans ? nullptr : update_of(task.type, hermitian);
  if (call == nullptr) return {};
  const clblast::Transpose trans = task.trans_a == Transpose::no ? clblast::Transpose::kNo
                                   : hermitian                   ? clblast::Transpose::kConjugate
                                                                 : clblast::Transpose::kYes;
  return [&workload, call, trans](unsigned calls) {
    cl_command_queue queue = workload.session().queue();
    enqueue_all(calls, [&](bool wanted) {
      cl_event event = nullptr;
      if (const auto status = call(workload, trans, &queue, wanted ? &event : nullptr);
          status != clblast::StatusCode::kSuccess)
        throw std::runtime_error(fmt::format("CLBlast failed with status {}", static_cast<int>(status)));
      return Event(event);
    });
  };
}

}  // namespace tilewright::tool
