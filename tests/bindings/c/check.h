// Checks of the C interface's tests, in C11.
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilewright.h"

/// Number of checks that failed so far.
extern int failures;

/// The device under test, with an engine and an in-order queue of the engine's context.
typedef struct test_device {
  cl_device_id id;
  tilewright_engine* engine;
  cl_context context;
  cl_command_queue queue;
} test_device;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      failures++;                                                     \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
      printf("  the last error is: %s\n", tilewright_last_message()); \
    }                                                                 \
  } while (0)

/// Checks that a call succeeds.
#define OK(call) CHECK((call) == TILEWRIGHT_SUCCESS)

/// Checks that a call fails with a status, and that the last error says so.
#define FAILS(expected, call)                                       \
  do {                                                              \
    tilewright_error of_call = {.struct_size = sizeof of_call};     \
    const tilewright_status status_of_call = (call);                \
    CHECK(status_of_call == (expected));                            \
    CHECK(tilewright_last_error(&of_call) == TILEWRIGHT_SUCCESS);   \
    CHECK(of_call.status == (expected));                            \
    CHECK(strlen(of_call.message) > 10);                            \
    CHECK(strcmp(of_call.message, tilewright_last_message()) == 0); \
  } while (0)

/// Returns a buffer that holds a copy of `bytes` bytes at `data`; zeros if it is null.
cl_mem buffer_of(const test_device* device, const void* data, size_t bytes);

/// Reads a buffer after everything that was enqueued.
void read_back(const test_device* device, cl_mem buffer, void* data, size_t bytes);

void wait_for(cl_event event);

// The tests.
void test_library(const test_device* device);
void test_structs(const test_device* device);
void test_gemm(const test_device* device);
void test_events(const test_device* device);
void test_handles(const test_device* device);
void test_threads(const test_device* device);
void test_systems(const test_device* device);
void test_level2(const test_device* device);
void test_sparse(const test_device* device);
void test_host(const test_device* device);
void test_records(const test_device* device);
