// Wait lists, events, handles and errors of threads.
#include <pthread.h>

#include "check.h"

static tilewright_vector_problem one_number(void) {
  tilewright_vector_problem problem = {.struct_size = sizeof problem};
  problem.n = 1;
  return problem;
}

void test_events(const test_device* device) {
  cl_int status = CL_SUCCESS;
  // On an out-of-order queue only wait lists order the calls.
  cl_command_queue queue =
      clCreateCommandQueue(device->context, device->id, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
  if (status != CL_SUCCESS) queue = clCreateCommandQueue(device->context, device->id, 0, &status);
  CHECK(status == CL_SUCCESS);
  const float one = 1;
  const double alpha = 3;
  const tilewright_vector_problem problem = one_number();
  tilewright_vector_operands operands = {.struct_size = sizeof operands};
  operands.alpha = &alpha;
  operands.x.buffer = buffer_of(device, &one, sizeof one);

  const cl_event gate = clCreateUserEvent(device->context, &status);
  CHECK(status == CL_SUCCESS);
  cl_event first = NULL, second = NULL;
  OK(tilewright_vector(device->engine, queue, TILEWRIGHT_SCAL, &problem, &operands, 1, &gate, &first));
  OK(tilewright_vector(device->engine, queue, TILEWRIGHT_SCAL, &problem, &operands, 1, &first, &second));
  cl_int state = CL_COMPLETE;
  CHECK(clGetEventInfo(second, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) == CL_SUCCESS);
  CHECK(state != CL_COMPLETE);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
  clFlush(queue);
  wait_for(second);
  clReleaseEvent(first);
  clReleaseEvent(gate);
  float result = 0;
  read_back(device, operands.x.buffer, &result, sizeof result);
  CHECK(result == 9);

  const cl_event failed = clCreateUserEvent(device->context, &status);
  CHECK(clSetUserEventStatus(failed, -5) == CL_SUCCESS);
  cl_event none = NULL;
  FAILS(TILEWRIGHT_FAILED_WAIT,
        tilewright_vector(device->engine, queue, TILEWRIGHT_SCAL, &problem, &operands, 1, &failed, &none));
  CHECK(none == NULL);
  clReleaseEvent(failed);
  FAILS(TILEWRIGHT_INVALID_ARGUMENT,
        tilewright_vector(device->engine, queue, TILEWRIGHT_SCAL, &problem, &operands, 1, NULL, &none));
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_vector(device->engine, queue, 0, &problem, &operands, 0, NULL, &none));
  FAILS(TILEWRIGHT_NULL_OBJECT,
        tilewright_vector(device->engine, NULL, TILEWRIGHT_SCAL, &problem, &operands, 0, NULL, &none));
  clReleaseMemObject(operands.x.buffer);
  clReleaseCommandQueue(queue);
}

static cl_uint references_of(cl_context context) {
  cl_uint count = 0;
  CHECK(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL) == CL_SUCCESS);
  return count;
}

void test_handles(const test_device* device) {
  const cl_uint before = references_of(device->context);
  tilewright_engine* engine = NULL;
  OK(tilewright_engine_create(device->context, device->id, &engine));
  CHECK(references_of(device->context) > before);
  cl_device_id same = NULL;
  OK(tilewright_engine_device(engine, &same));
  CHECK(same == device->id);

  tilewright_vector_problem problem = one_number();
  tilewright_plan* plan = NULL;
  OK(tilewright_vector_plan_create(engine, TILEWRIGHT_SCAL, &problem, &plan));
  OK(tilewright_plan_retain(plan));
  OK(tilewright_engine_retain(engine));
  tilewright_engine_release(engine);
  tilewright_engine_release(engine);  // the plan keeps what it needs
  tilewright_plan_release(plan);

  const float one = 1;
  const double alpha = 5;
  tilewright_vector_operands operands = {.struct_size = sizeof operands};
  operands.alpha = &alpha;
  operands.x.buffer = buffer_of(device, &one, sizeof one);
  cl_event done = NULL;
  OK(tilewright_vector_enqueue(plan, device->queue, &operands, 0, NULL, &done));
  wait_for(done);
  float result = 0;
  read_back(device, operands.x.buffer, &result, sizeof result);
  CHECK(result == 5);
  clReleaseMemObject(operands.x.buffer);
  tilewright_plan_release(plan);
  CHECK(references_of(device->context) == before);

  tilewright_plan_release(NULL);
  tilewright_engine_release(NULL);
  tilewright_packed_matrix_release(NULL);
  tilewright_host_plan_release(NULL);
  tilewright_group_release(NULL);
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_plan_retain(NULL));
  FAILS(TILEWRIGHT_NULL_OBJECT, tilewright_engine_create(NULL, device->id, &engine));
  FAILS(TILEWRIGHT_NULL_OBJECT, tilewright_engine_from_queue(NULL, &engine));
}

// Makes a failing call in another thread, whose last error is its own.
static void* fail_in_thread(void* argument) {
  const test_device* const device = argument;
  tilewright_error error = {.struct_size = sizeof error};
  CHECK(tilewright_last_error(&error) == TILEWRIGHT_SUCCESS);
  CHECK(error.status == TILEWRIGHT_SUCCESS && strcmp(error.message, "") == 0 && strcmp(error.operand_name, "") == 0);
  tilewright_gemm_problem problem = {.struct_size = sizeof problem};
  problem.m = problem.n = problem.k = 4;
  problem.ldb = 3;
  tilewright_plan* plan = NULL;
  FAILS(TILEWRIGHT_INVALID_LEADING_DIMENSION, tilewright_gemm_plan_create(device->engine, &problem, NULL, &plan));
  CHECK(tilewright_last_error(&error) == TILEWRIGHT_SUCCESS);
  CHECK(error.operand == TILEWRIGHT_OPERAND_B && strcmp(error.operand_name, "B") == 0);
  CHECK(error.opencl_status == CL_SUCCESS);
  return NULL;
}

void test_threads(const test_device* device) {
  char* text = NULL;
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_list_variants("mine", &text));
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, fail_in_thread, (void*)device) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(strstr(tilewright_last_message(), "'mine'") != NULL);
  CHECK(tilewright_last_error(NULL) == TILEWRIGHT_INVALID_ARGUMENT);
}
