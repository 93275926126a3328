// Matrix times vector, y = alpha op(A) x + beta y, and the outer product of two vectors, A = alpha x y^T + A. Generated
// by tools/write-c-api.py from tilewright/gemv.hpp.
#include "tilewright/gemv.hpp"

#include "bindings/c/conversions.hpp"
#include "bindings/c/plan_calls.hpp"
#include "selection/member_count.hpp"

namespace tilewright::c {

static_assert(detail::member_count<GemvProblem>() == 11, "run tools/write-c-api.py");
GemvProblem from_c(const tilewright_gemv_problem& c) {
  expect_zero(c.reserved1);
  return {.type = from_c(c.type, DataType::f32),
          .type_y = optional_value<DataType>(c.type_y),
          .layout = from_c(c.layout, Layout::row_major),
          .trans = from_c(c.trans, Transpose::no),
          .m = c.m,
          .n = c.n,
          .lda = c.lda,
          .incx = number_or(c.incx, decltype(c.incx){1}),
          .incy = number_or(c.incy, decltype(c.incy){1}),
          .offset_alignment = number_or(c.offset_alignment, decltype(c.offset_alignment){16}),
          .batch = nested<Batch>(c.batch)};
}

static_assert(detail::member_count<GemvOperands>() == 7, "run tools/write-c-api.py");
GemvOperands from_c(const tilewright_gemv_operands& c, Form& form) {
  expect_zero(c.reserved1);
  return {.alpha = scalar(c.alpha, 1, form.is_complex),
          .a = {c.a.buffer, c.a.offset},
          .x = {c.x.buffer, c.x.offset},
          .beta = scalar(c.beta, 0, form.is_complex),
          .y = {c.y.buffer, c.y.offset},
          .workspace = {c.workspace.buffer, c.workspace.offset}};
}

static_assert(detail::member_count<GerProblem>() == 10, "run tools/write-c-api.py");
GerProblem from_c(const tilewright_ger_problem& c) {
  return {.type = from_c(c.type, DataType::f32),
          .layout = from_c(c.layout, Layout::row_major),
          .conj_y = c.conj_y != 0,
          .m = c.m,
          .n = c.n,
          .incx = number_or(c.incx, decltype(c.incx){1}),
          .incy = number_or(c.incy, decltype(c.incy){1}),
          .lda = c.lda,
          .offset_alignment = number_or(c.offset_alignment, decltype(c.offset_alignment){16}),
          .batch = nested<Batch>(c.batch)};
}

static_assert(detail::member_count<GerOperands>() == 6, "run tools/write-c-api.py");
GerOperands from_c(const tilewright_ger_operands& c, Form& form) {
  expect_zero(c.reserved1);
  return {.alpha = scalar(c.alpha, 1, form.is_complex),
          .x = {c.x.buffer, c.x.offset},
          .y = {c.y.buffer, c.y.offset},
          .a = {c.a.buffer, c.a.offset},
          .workspace = {c.workspace.buffer, c.workspace.offset}};
}

}  // namespace tilewright::c

using namespace tilewright;

tilewright_status tilewright_gemv_plan_create(const tilewright_engine* engine, const tilewright_gemv_problem* problem,
                                              const tilewright_choice* choice, tilewright_plan** plan) {
  return c::create_plan<GemvPlan>(engine, problem, choice, plan);
}

tilewright_status tilewright_gemv_enqueue(const tilewright_plan* plan, cl_command_queue queue,
                                          const tilewright_gemv_operands* operands, cl_uint num_waits,
                                          const cl_event* waits, cl_event* event) {
  return c::enqueue<GemvPlan>(plan, queue, operands, num_waits, waits, event);
}

tilewright_status tilewright_gemv(const tilewright_engine* engine, cl_command_queue queue,
                                  const tilewright_gemv_problem* problem, const tilewright_gemv_operands* operands,
                                  const tilewright_choice* choice, cl_uint num_waits, const cl_event* waits,
                                  cl_event* event) {
  return c::call<&gemv>(engine, queue, problem, operands, choice, num_waits, waits, event);
}

tilewright_status tilewright_ger_plan_create(const tilewright_engine* engine, const tilewright_ger_problem* problem,
                                             const tilewright_choice* choice, tilewright_plan** plan) {
  return c::create_plan<GerPlan>(engine, problem, choice, plan);
}

tilewright_status tilewright_ger_enqueue(const tilewright_plan* plan, cl_command_queue queue,
                                         const tilewright_ger_operands* operands, cl_uint num_waits,
                                         const cl_event* waits, cl_event* event) {
  return c::enqueue<GerPlan>(plan, queue, operands, num_waits, waits, event);
}

tilewright_status tilewright_ger(const tilewright_engine* engine, cl_command_queue queue,
                                 const tilewright_ger_problem* problem, const tilewright_ger_operands* operands,
                                 const tilewright_choice* choice, cl_uint num_waits, const cl_event* waits,
                                 cl_event* event) {
  return c::call<&ger>(engine, queue, problem, operands, choice, num_waits, waits, event);
}
