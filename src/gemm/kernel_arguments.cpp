#include "gemm/kernel_arguments.hpp"

#include <utility>

namespace tilewright::detail {
namespace {

// Sets arguments one after the other, or steps over them.
class Setter {
 public:
  Setter(cl_kernel kernel, const GemmProblem& problem)
      : kernel_(kernel), problem_(problem), wide_(needs_64_bit_indices(problem)) {}

  template <class T>
  void value(const T& v) {
    check(clSetKernelArg(kernel_, position_++, sizeof v, &v), "clSetKernelArg");
  }
  void index(std::uint64_t v) { wide_ ? value(static_cast<cl_long>(v)) : value(static_cast<cl_int>(v)); }
  void offset(std::uint64_t v) { value(static_cast<cl_ulong>(v)); }
  void scalar(double v) { problem_.type == DataType::f32 ? value(static_cast<cl_float>(v)) : value(cl_double{v}); }
  void part(cl_mem buffer, std::uint64_t first) {
    value(buffer);
    offset(first);
  }

  void batch(cl_mem offsets) {
    if (!is_batched(problem_)) return;
    if (problem_.batch.by_offsets) return value(offsets);
    offset(problem_.batch.stride_a);
    offset(problem_.batch.stride_b);
    offset(problem_.batch.stride_c);
  }

  void skip(Operand operand) {
    switch (operand) {
      case Operand::a:
      case Operand::b:
      case Operand::c:
      case Operand::workspace:
        position_ += 2;
        break;
      case Operand::batch:
        if (is_batched(problem_)) position_ += problem_.batch.by_offsets ? 1 : 3;
        break;
      default:
        ++position_;
    }
  }

 private:
  cl_kernel kernel_;
  const GemmProblem& problem_;
  bool wide_;
  cl_uint position_ = 0;
};

}  // namespace

void set_fixed_arguments(cl_kernel kernel, const Pass& pass, const FixedValues& values) {
  const GemmProblem& p = values.problem;
  Setter set(kernel, p);
  for (const auto& [operand, value] : pass.arguments) {
    switch (operand) {
      case Operand::m:
        set.index(p.m);
        break;
      case Operand::n:
        set.index(p.n);
        break;
      case Operand::lda:
        set.index(p.lda);
        break;
      case Operand::ldb:
        set.index(p.ldb);
        break;
      case Operand::ldc:
        set.index(p.ldc);
        break;
      case Operand::index:
        set.index(value);
        break;
      case Operand::offset:
        set.offset(value);
        break;
      case Operand::batch:
        set.batch(values.batch_offsets);
        break;
      default:
        set.skip(operand);
    }
  }
}

void set_call_arguments(cl_kernel kernel, const Pass& pass, const FixedValues& fixed, const CallValues& call) {
  Setter set(kernel, fixed.problem);
  for (const auto& [operand, value] : pass.arguments) {
    switch (operand) {
      case Operand::k:
        set.index(call.k);
        break;
      case Operand::alpha:
        set.scalar(call.alpha);
        break;
      case Operand::beta:
        set.scalar(call.beta);
        break;
      case Operand::a:
        set.part(call.a.buffer, call.a.offset);
        break;
      case Operand::b:
        set.part(call.b.buffer, call.b.offset);
        break;
      case Operand::c:
        set.part(call.c.buffer, call.c.offset);
        break;
      case Operand::workspace:
        set.part(call.workspaces[value].buffer, call.workspaces[value].offset);
        break;
      case Operand::image:
        set.value(call.workspaces[value].buffer);
        break;
      default:
        set.skip(operand);
    }
  }
}

}  // namespace tilewright::detail
