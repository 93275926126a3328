#include <cstdint>
#include <cstdio>
#include <tilewright/tilewright.hpp>
#include <vector>

using namespace tilewright;

int main() {
  const Device device = pick_device();  // a GPU if there is one; TILEWRIGHT_DEVICE names another device
  const Engine engine(device);          // holds the compiled kernels: make it once
  cl_command_queue queue = clCreateCommandQueue(engine.context(), device.id, 0, nullptr);

  const auto upload = [&](auto values) {
    return clCreateBuffer(engine.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(values[0]),
                          values.data(), nullptr);
  };
  const auto print = [&](const char* name, cl_mem vector) {
    float values[2] = {};
    clEnqueueReadBuffer(queue, vector, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr);
    std::printf("%s = (%g, %g)\n", name, values[0], values[1]);
  };

  // C = A B. Matrices are row-major and densely stored unless the problem says otherwise.
  cl_mem a = upload(std::vector<float>{4, 1, 1, 3});
  cl_mem b = upload(std::vector<float>{1, 2});
  cl_mem c = upload(std::vector<float>(2));
  gemm(engine, queue, {.m = 2, .n = 1, .k = 2}, {.a = {a}, .b = {b}, .c = {c}});
  print("A b", c);  // (6, 7)

  // A X = B, by LU with partial pivoting. A becomes its factors and B becomes X.
  cl_mem pivots = upload(std::vector<std::int64_t>(2));
  cl_mem info = upload(std::vector<std::int64_t>(1));
  gesv(engine, queue, {.n = 2, .nrhs = 1}, {.a = {a}, .pivots = {pivots}, .info = {info}, .b = {c}});
  print("x", c);  // (1, 2)

  // C = S B with a sparse S = [0 5; 7 9]. The plan reads the structure; the values may change between calls.
  cl_mem offsets = upload(std::vector<std::int32_t>{0, 1, 3});
  cl_mem columns = upload(std::vector<std::int32_t>{1, 0, 1});
  cl_mem values = upload(std::vector<float>{5, 7, 9});
  const SpmmPlan plan(engine, {.m = 2, .n = 1, .k = 2, .nonzeros = 3}, {.offsets = {offsets}, .columns = {columns}});
  plan.enqueue(queue, {.values = {values}, .b = {b}, .c = {c}}).wait();
  print("S b", c);  // (10, 25)

  for (cl_mem buffer : {a, b, c, pivots, info, offsets, columns, values}) clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
}
