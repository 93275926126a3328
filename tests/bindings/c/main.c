// Runs the tests of the C interface on the device that TILEWRIGHT_DEVICE names, as a program in C would use it.
#include "check.h"

int failures = 0;

cl_mem buffer_of(const test_device* device, const void* data, size_t bytes) {
  cl_int status = CL_SUCCESS;
  const cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  CHECK(status == CL_SUCCESS);
  if (data != NULL) {
    CHECK(clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL) == CL_SUCCESS);
  } else {
    const cl_char zero = 0;
    CHECK(clEnqueueFillBuffer(device->queue, buffer, &zero, 1, 0, bytes, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clFinish(device->queue) == CL_SUCCESS);
  }
  return buffer;
}

void read_back(const test_device* device, cl_mem buffer, void* data, size_t bytes) {
  CHECK(clEnqueueReadBuffer(device->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL) == CL_SUCCESS);
}

void wait_for(cl_event event) {
  CHECK(event != NULL);
  CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
  clReleaseEvent(event);
}

int main(void) {
  test_device device = {NULL, NULL, NULL, NULL};
  cl_int status = CL_SUCCESS;
  OK(tilewright_pick_device(NULL, &device.id));
  OK(tilewright_engine_create_for_device(device.id, &device.engine));
  OK(tilewright_engine_context(device.engine, &device.context));
  device.queue = clCreateCommandQueue(device.context, device.id, 0, &status);
  CHECK(status == CL_SUCCESS);
  if (failures > 0) return 1;

  test_library(&device);
  test_structs(&device);
  test_gemm(&device);
  test_events(&device);
  test_handles(&device);
  test_threads(&device);
  test_systems(&device);
  test_level2(&device);
  test_sparse(&device);
  test_host(&device);
  test_records(&device);

  clReleaseCommandQueue(device.queue);
  tilewright_engine_release(device.engine);
  printf("%d checks failed\n", failures);
  return failures > 0;
}
