// The C header in a C++11 program, which multiplies two numbers and makes an error.
#include <cstring>

#include "tilewright.h"

int main() {
  cl_device_id device = nullptr;
  tilewright_engine* engine = nullptr;
  cl_context context = nullptr;
  if (tilewright_pick_device(nullptr, &device) != 0 || tilewright_engine_create_for_device(device, &engine) != 0 ||
      tilewright_engine_context(engine, &context) != 0)
    return 1;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  float values[3] = {6, 7, 0};
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof values, values, nullptr);

  auto problem = tilewright_gemm_problem();
  problem.struct_size = sizeof problem;
  problem.m = problem.n = problem.k = 1;
  auto operands = tilewright_gemm_operands();
  operands.struct_size = sizeof operands;
  operands.a.buffer = operands.b.buffer = operands.c.buffer = buffer;
  operands.b.offset = 1;
  operands.c.offset = 2;
  int result = 0;
  if (tilewright_gemm(engine, queue, &problem, &operands, nullptr, 0, nullptr, nullptr) != TILEWRIGHT_SUCCESS ||
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr) != CL_SUCCESS ||
      values[2] != 42)
    result = 2;
  operands.c.offset = 1;
  if (tilewright_gemm(engine, queue, &problem, &operands, nullptr, 0, nullptr, nullptr) !=
          TILEWRIGHT_OVERLAPPING_OPERANDS ||
      std::strlen(tilewright_last_message()) == 0)
    result = 3;
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
  tilewright_engine_release(engine);
  return result;
}
