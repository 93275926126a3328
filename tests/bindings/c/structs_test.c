// struct_size, reserved members, unknown constants and null pointers.
#include "check.h"

// A problem as a newer header may have it.
typedef struct newer_problem {
  tilewright_gemv_problem known;
  uint64_t newer;
} newer_problem;

static tilewright_status explain(const test_device* device, const tilewright_gemv_problem* problem) {
  char* text = NULL;
  const tilewright_status status = tilewright_explain_gemv(device->id, problem, NULL, &text);
  tilewright_text_release(text);
  return status;
}

void test_structs(const test_device* device) {
  newer_problem problem;
  memset(&problem, 0, sizeof problem);
  problem.known.struct_size = sizeof problem.known;
  problem.known.m = problem.known.n = 4;
  OK(explain(device, &problem.known));

  // Longer: accepted while the rest is zero.
  problem.known.struct_size = sizeof problem;
  OK(explain(device, &problem.known));
  problem.newer = 1;
  FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT, explain(device, &problem.known));
  CHECK(strstr(tilewright_last_message(), "tilewright_gemv_problem") != NULL);

  // Sizes that no release has: too small, inside a member, that of a pointer, and so large that it was not set. The
  // last one must not be read.
  const uint32_t wrong_sizes[] = {0,
                                  3,
                                  4,
                                  sizeof &problem,
                                  sizeof problem.known - 8,
                                  sizeof problem.known - 1,
                                  sizeof problem.known + 4,
                                  4104,
                                  0x80000000U,
                                  UINT32_MAX};
  for (size_t i = 0; i < sizeof wrong_sizes / sizeof *wrong_sizes; ++i) {
    problem.known.struct_size = wrong_sizes[i];
    FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT, explain(device, &problem.known));
    CHECK(strstr(tilewright_last_message(), "sizeof(tilewright_gemv_problem)") != NULL);
  }

  tilewright_trsm_problem reserved = {.struct_size = sizeof reserved};
  reserved.reserved1 = 1;
  tilewright_plan* plan = NULL;
  FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT, tilewright_trsm_plan_create(device->engine, &reserved, NULL, &plan));
  reserved.reserved1 = 0;
  reserved.uplo = 123;
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_trsm_plan_create(device->engine, &reserved, NULL, &plan));
  CHECK(strstr(tilewright_last_message(), "123") != NULL);
  reserved.uplo = TILEWRIGHT_UPPER;
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_trsm_plan_create(NULL, &reserved, NULL, &plan));
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_trsm_plan_create(device->engine, NULL, NULL, &plan));
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_trsm_plan_create(device->engine, &reserved, NULL, NULL));
  CHECK(plan == NULL);
  const tilewright_choice misspelt = {sizeof misspelt, 0, NULL, "tile_m"};
  FAILS(TILEWRIGHT_INVALID_CONFIGURATION, tilewright_trsm_plan_create(device->engine, &reserved, &misspelt, &plan));

  // Output structs: a shorter one receives the first members, a longer one zeros.
  struct {
    tilewright_program_statistics known;
    uint64_t newer;
  } statistics;
  memset(&statistics, 0xff, sizeof statistics);
  statistics.known.struct_size = sizeof statistics;
  OK(tilewright_engine_program_statistics(device->engine, &statistics.known));
  CHECK(statistics.newer == 0 && statistics.known.struct_size == sizeof statistics);
  const uint32_t wrong[] = {0, (uint32_t)offsetof(tilewright_program_statistics, load_seconds), UINT32_MAX - 7};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    statistics.known.struct_size = wrong[i];
    FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT, tilewright_engine_program_statistics(device->engine, &statistics.known));
  }

  // The last error describes other calls only.
  tilewright_error error = {.struct_size = 0};
  CHECK(tilewright_last_error(&error) == TILEWRIGHT_UNSUPPORTED_STRUCT);
  error.struct_size = UINT32_MAX - 7;
  CHECK(tilewright_last_error(&error) == TILEWRIGHT_UNSUPPORTED_STRUCT);
  CHECK(tilewright_last_error(NULL) == TILEWRIGHT_INVALID_ARGUMENT);
  CHECK(strstr(tilewright_last_message(), "tilewright_program_statistics") != NULL);
}
