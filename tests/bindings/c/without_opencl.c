// A program that starts on a machine without OpenCL. TILEWRIGHT_OPENCL_LIBRARY names a missing file.
#include <stdio.h>
#include <string.h>

#include "tilewright.h"

#define CHECK(condition)                                         \
  do {                                                           \
    if (!(condition)) {                                          \
      printf("%s: %s\n", #condition, tilewright_last_message()); \
      return 1;                                                  \
    }                                                            \
  } while (0)

int main(void) {
  char* text = NULL;
  cl_device_id device = NULL;
  tilewright_engine* engine = NULL;
  tilewright_group* group = NULL;
  tilewright_error error = {.struct_size = sizeof error};
  CHECK(strlen(tilewright_version()) > 0);
  CHECK(tilewright_list_variants("gemm", &text) == TILEWRIGHT_SUCCESS);
  tilewright_text_release(text);
  text = NULL;
  CHECK(tilewright_opencl_library(&text) == TILEWRIGHT_NO_PLATFORM && text == NULL);
  CHECK(tilewright_list_devices(&text) == TILEWRIGHT_NO_PLATFORM && text == NULL);
  CHECK(strstr(tilewright_last_message(), "/nonexistent/libOpenCL.so.1") != NULL);
  CHECK(strstr(tilewright_last_message(), "apt install ocl-icd-libopencl1") != NULL);
  CHECK(tilewright_pick_device(NULL, &device) == TILEWRIGHT_NO_PLATFORM && device == NULL);
  CHECK(tilewright_group_create_all(&group) == TILEWRIGHT_NO_PLATFORM && group == NULL);
  CHECK(tilewright_last_error(&error) == TILEWRIGHT_SUCCESS && error.status == TILEWRIGHT_NO_PLATFORM);
  // Handles of no library.
  CHECK(tilewright_engine_from_queue((cl_command_queue)&error, &engine) == TILEWRIGHT_NO_PLATFORM && engine == NULL);
  const cl_device_id foreign = (cl_device_id)&error;
  CHECK(tilewright_engine_create((cl_context)&error, foreign, &engine) == TILEWRIGHT_NO_PLATFORM && engine == NULL);
  CHECK(tilewright_engine_create_for_device(foreign, &engine) == TILEWRIGHT_NO_PLATFORM && engine == NULL);
  CHECK(tilewright_device_info(foreign, &text) == TILEWRIGHT_NO_PLATFORM && text == NULL);
  CHECK(strstr(tilewright_last_message(), "install") != NULL);
  return 0;
}
