// Multiplies two matrices on the best OpenCL device there is, and checks the result.
//
// Usage: multiply            on the device that Tilewright picks (or that TILEWRIGHT_DEVICE names)

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <tilewright/tilewright.hpp>
#include <vector>

namespace {

constexpr std::uint64_t m = 300;
constexpr std::uint64_t n = 200;
constexpr std::uint64_t k = 100;

void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS) {
    throw std::runtime_error(std::string(call) + ": " + tilewright::opencl_status_name(status));
  }
}

// Small integers: every partial sum is exact in float, so the result must be exact as well.
std::vector<float> small_integers(std::uint64_t count, std::uint64_t period) {
  std::vector<float> values(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(i % period) - 3.0F;
  }
  return values;
}

cl_mem make_buffer(cl_context context, std::vector<float>& values) {
  cl_int status = CL_SUCCESS;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(float),
                                 values.data(), &status);
  check(status, "clCreateBuffer");
  return buffer;
}

std::uint64_t count_wrong(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& c) {
  std::uint64_t wrong = 0;
  for (std::uint64_t row = 0; row < m; ++row) {
    for (std::uint64_t column = 0; column < n; ++column) {
      float sum = 0;
      for (std::uint64_t i = 0; i < k; ++i) {
        sum += a[row * k + i] * b[i * n + column];
      }
      wrong += static_cast<std::uint64_t>(!(c[row * n + column] == sum));
    }
  }
  return wrong;
}

}  // namespace

int main() try {
  const tilewright::Device device = tilewright::pick_device();
  const tilewright::Engine engine(device);  // makes a context; it can also work in one of yours
  cl_int status = CL_SUCCESS;
  cl_command_queue queue = clCreateCommandQueue(engine.context(), device.id, 0, &status);
  check(status, "clCreateCommandQueue");

  std::vector<float> a = small_integers(m * k, 7);
  std::vector<float> b = small_integers(k * n, 5);
  std::vector<float> c(m * n);
  cl_mem buffer_a = make_buffer(engine.context(), a);
  cl_mem buffer_b = make_buffer(engine.context(), b);
  cl_mem buffer_c = make_buffer(engine.context(), c);

  // C = A B; sizes in elements, row-major and densely stored unless told otherwise.
  const tilewright::GemmProblem problem{.m = m, .n = n, .k = k};
  const tilewright::GemmPlan plan(engine, problem);
  const tilewright::Event done =
      plan.enqueue(queue, {.a = {buffer_a}, .b = {buffer_b}, .beta = 0, .c = {buffer_c}});  // may be repeated

  const cl_event product = done.get();
  check(clEnqueueReadBuffer(queue, buffer_c, CL_TRUE, 0, c.size() * sizeof(float), c.data(), 1, &product, nullptr),
        "clEnqueueReadBuffer");

  for (cl_mem buffer : {buffer_a, buffer_b, buffer_c}) {
    clReleaseMemObject(buffer);
  }
  clReleaseCommandQueue(queue);

  const std::uint64_t wrong = count_wrong(a, b, c);
  std::printf("%s: %llu x %llu x %llu with %s (%s), %llu wrong elements\n", device.profile.name.c_str(),
              static_cast<unsigned long long>(m), static_cast<unsigned long long>(n),
              static_cast<unsigned long long>(k), plan.explanation().variant.c_str(),
              to_string(plan.explanation().configuration).c_str(), static_cast<unsigned long long>(wrong));
  return wrong == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
