// Products: one call, plans, types, scalars, batches, epilogues, packed matrices, transposes and sums.
#include "check.h"

enum { m = 5, n = 4, k = 3 };

static void fill(float* values, int count) {
  for (int i = 0; i < count; ++i) values[i] = (float)((i * 7) % 11 - 5);
}

static float product(const float* a, const float* b, int row, int column) {
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  return sum;
}

static void test_one_call(const test_device* device, const float* a, const float* b, cl_mem a_buffer, cl_mem b_buffer) {
  float c[m * n];
  fill(c, m * n);
  const cl_mem c_buffer = buffer_of(device, c, sizeof c);
  tilewright_gemm_problem problem = {.struct_size = sizeof problem};
  problem.m = m;
  problem.n = n;
  problem.k = k;
  tilewright_gemm_operands operands = {.struct_size = sizeof operands};
  operands.a.buffer = a_buffer;
  operands.b.buffer = b_buffer;
  operands.c.buffer = c_buffer;
  float result[m * n];

  // Zeros everywhere else mean alpha = 1 and beta = 0.
  OK(tilewright_gemm(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));
  read_back(device, c_buffer, result, sizeof result);
  for (int i = 0; i < m * n; ++i) CHECK(result[i] == product(a, b, i / n, i % n));

  const double alpha = -2, beta = 3;
  operands.alpha = &alpha;
  operands.beta = &beta;
  OK(tilewright_gemm(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));
  float scaled[m * n];
  read_back(device, c_buffer, scaled, sizeof scaled);
  for (int i = 0; i < m * n; ++i) CHECK(scaled[i] == result[i]);  // -2 P + 3 P

  // A column-major product with CBLAS's numbers: C^T = B^T A^T is the same memory.
  problem.layout = 102;
  problem.trans_a = 111;
  problem.m = n;
  problem.n = m;
  operands.a.buffer = b_buffer;
  operands.b.buffer = a_buffer;
  operands.alpha = operands.beta = NULL;
  const tilewright_choice choice = {sizeof choice, 0, "naive", ""};
  OK(tilewright_gemm(device->engine, device->queue, &problem, &operands, &choice, 0, NULL, NULL));
  read_back(device, c_buffer, scaled, sizeof scaled);
  for (int i = 0; i < m * n; ++i) CHECK(scaled[i] == result[i]);

  // An epilogue: a bias for each column, and relu.
  float bias[n];
  fill(bias, n);
  tilewright_gemm_epilogue epilogue = {.struct_size = sizeof epilogue};
  epilogue.bias = TILEWRIGHT_EPILOGUE_PER_COLUMN;
  epilogue.activation = TILEWRIGHT_ACTIVATION_RELU;
  tilewright_gemm_problem with_epilogue = {.struct_size = sizeof with_epilogue};
  with_epilogue.m = m;
  with_epilogue.n = n;
  with_epilogue.k = k;
  with_epilogue.epilogue = &epilogue;
  operands.a.buffer = a_buffer;
  operands.b.buffer = b_buffer;
  operands.bias.buffer = buffer_of(device, bias, sizeof bias);
  OK(tilewright_gemm(device->engine, device->queue, &with_epilogue, &operands, NULL, 0, NULL, NULL));
  read_back(device, c_buffer, scaled, sizeof scaled);
  for (int i = 0; i < m * n; ++i) {
    const float value = result[i] + bias[i % n];
    CHECK(scaled[i] == (value > 0 ? value : 0));
  }
  clReleaseMemObject(operands.bias.buffer);
  clReleaseMemObject(c_buffer);
}

static void test_plan(const test_device* device, const float* a, const float* b, cl_mem a_buffer, cl_mem b_buffer) {
  float result[2 * m * n];
  const cl_mem c_buffer = buffer_of(device, NULL, sizeof result);
  tilewright_batch batch = {.struct_size = sizeof batch};
  batch.count = 2;
  batch.stride_c = m * n;  // both products read the same A and B
  tilewright_gemm_problem problem = {.struct_size = sizeof problem};
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.batch = &batch;
  tilewright_plan* plan = NULL;
  OK(tilewright_gemm_plan_create(device->engine, &problem, NULL, &plan));
  batch.count = 0;  // the plan does not use the caller's structs any more

  const double alphas[2] = {1, 2}, betas[2] = {0, 0};
  tilewright_gemm_operands operands = {.struct_size = sizeof operands};
  operands.a.buffer = a_buffer;
  operands.b.buffer = b_buffer;
  operands.c.buffer = c_buffer;
  operands.alphas = alphas;
  operands.betas = betas;
  OK(tilewright_gemm_enqueue(plan, device->queue, &operands, 0, NULL, NULL));
  read_back(device, c_buffer, result, sizeof result);
  for (int i = 0; i < 2 * m * n; ++i)
    CHECK(result[i] == (float)(i / (m * n) + 1) * product(a, b, i % (m * n) / n, i % n));

  uint64_t bytes = 0;
  OK(tilewright_plan_workspace_bytes(plan, &bytes));
  char* text = NULL;
  OK(tilewright_plan_explain(plan, &text));
  CHECK(text != NULL && strstr(text, "\"variant\":\"") != NULL && strstr(text, "\"parts\":[") != NULL);
  tilewright_text_release(text);

  // An operand of another operation's plan is no operand of this one.
  tilewright_trsm_operands other = {.struct_size = sizeof other};
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_trsm_enqueue(plan, device->queue, &other, 0, NULL, NULL));
  tilewright_plan_release(plan);

  // A batch of no products does nothing, and 0 is one product.
  batch.count = TILEWRIGHT_ZERO;
  operands.c.buffer = NULL;
  operands.alphas = operands.betas = NULL;
  OK(tilewright_gemm(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));
  batch.count = 0;
  batch.stride_c = 0;
  FAILS(TILEWRIGHT_NULL_OBJECT,
        tilewright_gemm(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));
  clReleaseMemObject(c_buffer);
}

static void test_offsets(const test_device* device, const float* a, const float* b, cl_mem a_buffer, cl_mem b_buffer) {
  float result[3 * m * n];
  const cl_mem c_buffer = buffer_of(device, NULL, sizeof result);
  const uint64_t zeros[2] = {0, 0}, places[2] = {2 * m * n, 0};
  tilewright_batch batch = {.struct_size = sizeof batch};
  batch.count = 2;
  tilewright_gemm_problem problem = {.struct_size = sizeof problem};
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.batch = &batch;
  tilewright_gemm_operands operands = {.struct_size = sizeof operands};
  operands.a.buffer = a_buffer;
  operands.b.buffer = b_buffer;
  operands.c.buffer = c_buffer;
  operands.offsets_a = operands.offsets_b = zeros;
  operands.offsets_c = places;
  OK(tilewright_gemm(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));
  read_back(device, c_buffer, result, sizeof result);
  for (int i = 0; i < m * n; ++i) {
    CHECK(result[i] == product(a, b, i / n, i % n));
    CHECK(result[m * n + i] == 0);
    CHECK(result[2 * m * n + i] == result[i]);
  }
  clReleaseMemObject(c_buffer);
}

static void test_packed(const test_device* device, const float* a, const float* b, cl_mem a_buffer, cl_mem b_buffer) {
  float result[m * n];
  tilewright_gemm_problem problem = {.struct_size = sizeof problem};
  problem.m = m;
  problem.n = n;
  problem.k = k;
  tilewright_plan* plan = NULL;
  OK(tilewright_gemm_plan_create(device->engine, &problem, NULL, &plan));
  const tilewright_matrix source = {b_buffer, 0};
  tilewright_packed_matrix* packed = NULL;
  FAILS(TILEWRIGHT_INVALID_ARGUMENT,
        tilewright_packed_matrix_create(plan, 0, device->queue, &source, 0, NULL, &packed));
  OK(tilewright_packed_matrix_create(plan, TILEWRIGHT_INPUT_B, device->queue, &source, 0, NULL, &packed));
  OK(tilewright_packed_matrix_retain(packed));
  tilewright_packed_matrix_release(packed);
  cl_event ready = NULL;
  OK(tilewright_packed_matrix_ready(packed, &ready));
  wait_for(ready);
  uint64_t bytes = 0;
  OK(tilewright_packed_matrix_bytes(packed, &bytes));
  CHECK(bytes >= k * n * sizeof(float));
  tilewright_gemm_operands operands = {.struct_size = sizeof operands};
  operands.a.buffer = a_buffer;
  operands.packed_b = packed;
  operands.c.buffer = buffer_of(device, NULL, sizeof result);
  OK(tilewright_gemm_enqueue(plan, device->queue, &operands, 0, NULL, NULL));
  read_back(device, operands.c.buffer, result, sizeof result);
  for (int i = 0; i < m * n; ++i) CHECK(result[i] == product(a, b, i / n, i % n));
  tilewright_packed_matrix_release(packed);
  tilewright_plan_release(plan);
  clReleaseMemObject(operands.c.buffer);
}

static void test_transpose(const test_device* device) {
  const double complex_elements[4] = {1, 2, 3, 4};
  double moved[4];
  const cl_mem a = buffer_of(device, complex_elements, sizeof complex_elements);
  const cl_mem b = buffer_of(device, NULL, sizeof moved);
  tilewright_transpose_problem problem = {.struct_size = sizeof problem};
  problem.m = 2;
  problem.n = 2;
  problem.element_bytes = 8;
  tilewright_transpose_operands operands = {.struct_size = sizeof operands};
  operands.a.buffer = a;
  operands.b.buffer = b;
  OK(tilewright_transpose(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));
  read_back(device, b, moved, sizeof moved);
  CHECK(moved[0] == 1 && moved[1] == 3 && moved[2] == 2 && moved[3] == 4);
  problem.type = TILEWRIGHT_F64;
  FAILS(TILEWRIGHT_INVALID_ARGUMENT,
        tilewright_transpose(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));

  tilewright_matrix_add_problem sum = {.struct_size = sizeof sum};
  sum.type = TILEWRIGHT_F64;
  sum.m = 2;
  sum.n = 2;
  sum.trans_b = TILEWRIGHT_TRANS;
  tilewright_matrix_add_operands sum_operands = {.struct_size = sizeof sum_operands};
  sum_operands.a.buffer = a;
  sum_operands.b.buffer = a;
  const double beta = 10;
  sum_operands.beta = &beta;
  sum_operands.c.buffer = b;
  OK(tilewright_matrix_add(device->engine, device->queue, &sum, &sum_operands, 0, NULL, NULL));
  read_back(device, b, moved, sizeof moved);
  CHECK(moved[0] == 11 && moved[1] == 32 && moved[2] == 23 && moved[3] == 44);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
}

static void test_complex(const test_device* device) {
  const float a[2] = {1, 2}, b[2] = {3, -1};
  float c[2] = {0, 0};
  const double alpha[2] = {0, 1};
  tilewright_gemm_problem problem = {.struct_size = sizeof problem};
  problem.type = TILEWRIGHT_C64;
  problem.m = problem.n = problem.k = 1;
  problem.trans_b = TILEWRIGHT_CONJ_TRANS;
  tilewright_gemm_operands operands = {.struct_size = sizeof operands};
  operands.alpha = alpha;
  operands.a.buffer = buffer_of(device, a, sizeof a);
  operands.b.buffer = buffer_of(device, b, sizeof b);
  operands.c.buffer = buffer_of(device, c, sizeof c);
  OK(tilewright_gemm(device->engine, device->queue, &problem, &operands, NULL, 0, NULL, NULL));
  read_back(device, operands.c.buffer, c, sizeof c);
  CHECK(c[0] == -7 && c[1] == 1);  // i (1 + 2 i) (3 + i)
  clReleaseMemObject(operands.a.buffer);
  clReleaseMemObject(operands.b.buffer);
  clReleaseMemObject(operands.c.buffer);
}

void test_gemm(const test_device* device) {
  float a[m * k], b[k * n];
  fill(a, m * k);
  fill(b, k * n);
  const cl_mem a_buffer = buffer_of(device, a, sizeof a), b_buffer = buffer_of(device, b, sizeof b);
  test_one_call(device, a, b, a_buffer, b_buffer);
  test_plan(device, a, b, a_buffer, b_buffer);
  test_offsets(device, a, b, a_buffer, b_buffer);
  test_packed(device, a, b, a_buffer, b_buffer);
  test_transpose(device);
  test_complex(device);
  clReleaseMemObject(a_buffer);
  clReleaseMemObject(b_buffer);
}
