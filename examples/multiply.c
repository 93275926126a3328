// Multiplies matrices through the C interface: plans a product once, runs it twice, and shows what an error says.
//
// Usage: multiply_in_c       on the device that Tilewright picks (or that TILEWRIGHT_DEVICE names)
//
// By hand: cc -std=c11 multiply.c $(pkg-config --cflags --libs tilewright) -lOpenCL

#define CL_TARGET_OPENCL_VERSION 120
#include <stdio.h>
#include <stdlib.h>
#include <tilewright.h>

enum { m = 300, n = 200, k = 100 };

// Ends the program if a call of Tilewright failed.
static void check(tilewright_status status) {
  if (status == TILEWRIGHT_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", tilewright_status_name(status), tilewright_last_message());
  exit(1);
}

// Ends the program if a call of OpenCL failed.
static void check_opencl(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s failed with status %d\n", call, status);
  exit(1);
}

static cl_mem make_buffer(cl_context context, float* values, size_t count) {
  cl_int status = CL_SUCCESS;
  cl_mem buffer =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof(float), values, &status);
  check_opencl(status, "clCreateBuffer");
  return buffer;
}

// Small integers: every partial sum is exact in float, so the result must be exact as well.
static void fill(float* values, size_t count, size_t period) {
  for (size_t i = 0; i < count; ++i) values[i] = (float)(i % period) - 3.0F;
}

static int count_wrong(const float* a, const float* b, const float* c) {
  int wrong = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      wrong += c[row * n + column] != 2 * sum;
    }
  return wrong;
}

static float a[m * k], b[k * n], c[m * n];

int main(void) {
  cl_device_id device = NULL;
  tilewright_engine* engine = NULL;
  cl_context context = NULL;
  check(tilewright_pick_device(NULL, &device));
  check(tilewright_engine_create_for_device(device, &engine));  // makes a context; it can also use one of yours
  check(tilewright_engine_context(engine, &context));
  cl_int status = CL_SUCCESS;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check_opencl(status, "clCreateCommandQueue");

  // All members that are not named are 0, which means their default: f32, row-major, not transposed, one product.
  const tilewright_gemm_problem problem = {.struct_size = sizeof problem, .m = m, .n = n, .k = k};
  tilewright_plan* plan = NULL;
  check(tilewright_gemm_plan_create(engine, &problem, NULL, &plan));

  fill(a, m * k, 7);
  fill(b, k * n, 5);
  const double one = 1;
  tilewright_gemm_operands operands = {.struct_size = sizeof operands};
  operands.a.buffer = make_buffer(context, a, m * k);
  operands.b.buffer = make_buffer(context, b, k * n);
  operands.c.buffer = make_buffer(context, c, m * n);

  // C = A B, and then C = A B + C. The second call waits for the first one, on any queue.
  cl_event first = NULL, second = NULL;
  check(tilewright_gemm_enqueue(plan, queue, &operands, 0, NULL, &first));
  operands.beta = &one;
  check(tilewright_gemm_enqueue(plan, queue, &operands, 1, &first, &second));
  check_opencl(clEnqueueReadBuffer(queue, operands.c.buffer, CL_TRUE, 0, sizeof c, c, 1, &second, NULL),
               "clEnqueueReadBuffer");
  const int wrong = count_wrong(a, b, c);
  printf("%d x %d x %d: %d wrong elements\n", m, n, k, wrong);

  // A mistake gets a status and a text.
  const cl_mem result = operands.c.buffer;
  operands.c.buffer = operands.a.buffer;
  const tilewright_status refused = tilewright_gemm_enqueue(plan, queue, &operands, 0, NULL, NULL);
  printf("%s: %s\n", tilewright_status_name(refused), tilewright_last_message());

  clReleaseEvent(first);
  clReleaseEvent(second);
  clReleaseMemObject(operands.a.buffer);
  clReleaseMemObject(operands.b.buffer);
  clReleaseMemObject(result);
  tilewright_plan_release(plan);
  clReleaseCommandQueue(queue);
  tilewright_engine_release(engine);
  return wrong > 0 || refused == TILEWRIGHT_SUCCESS;
}
