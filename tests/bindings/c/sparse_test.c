// A product of a sparse and a dense matrix.
#include "check.h"

void test_sparse(const test_device* device) {
  // (1 0 2; 0 3 0) times (1 2; 3 4; 5 6)
  const int32_t offsets[3] = {0, 2, 3}, columns[3] = {0, 2, 1};
  const double values[3] = {1, 2, 3}, b[6] = {1, 2, 3, 4, 5, 6}, expected[4] = {11, 14, 9, 12};
  double c[4];
  tilewright_spmm_problem problem = {.struct_size = sizeof problem};
  problem.type = TILEWRIGHT_F64;
  problem.m = 2;
  problem.n = 2;
  problem.k = 3;
  problem.nonzeros = 3;
  tilewright_sparse_structure structure = {.struct_size = sizeof structure};
  structure.offsets.buffer = buffer_of(device, offsets, sizeof offsets);
  structure.columns.buffer = buffer_of(device, columns, sizeof columns);
  structure.check = TILEWRIGHT_CHECK_CANONICAL;
  tilewright_plan* plan = NULL;
  OK(tilewright_spmm_plan_create(device->engine, &problem, &structure, NULL, 0, NULL, &plan));
  tilewright_spmm_operands operands = {.struct_size = sizeof operands};
  operands.values.buffer = buffer_of(device, values, sizeof values);
  operands.b.buffer = buffer_of(device, b, sizeof b);
  operands.c.buffer = buffer_of(device, NULL, sizeof c);
  cl_event done = NULL;
  OK(tilewright_spmm_enqueue(plan, device->queue, &operands, 0, NULL, &done));
  wait_for(done);
  read_back(device, operands.c.buffer, c, sizeof c);
  for (int i = 0; i < 4; ++i) CHECK(c[i] == expected[i]);

  tilewright_row_statistics statistics = {.struct_size = sizeof statistics};
  OK(tilewright_spmm_plan_statistics(plan, &statistics));
  CHECK(statistics.rows == 2 && statistics.nonzeros == 3 && statistics.longest == 2 && statistics.mean == 1.5);
  uint64_t bytes = 0;
  OK(tilewright_spmm_plan_structure_bytes(plan, &bytes));
  CHECK(bytes > 0);
  tilewright_plan_release(plan);

  const int32_t outside[3] = {0, 3, 1};
  CHECK(clEnqueueWriteBuffer(device->queue, structure.columns.buffer, CL_TRUE, 0, sizeof outside, outside, 0, NULL,
                             NULL) == CL_SUCCESS);
  FAILS(TILEWRIGHT_INVALID_STRUCTURE,
        tilewright_spmm_plan_create(device->engine, &problem, &structure, NULL, 0, NULL, &plan));
  clReleaseMemObject(structure.offsets.buffer);
  clReleaseMemObject(structure.columns.buffer);
  clReleaseMemObject(operands.values.buffer);
  clReleaseMemObject(operands.b.buffer);
  clReleaseMemObject(operands.c.buffer);
}
