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

  // Shorter: the rest counts as zero, whatever is there. Here incx, incy, offset_alignment and batch are missing.
  problem.known.struct_size = (uint32_t)offsetof(tilewright_gemv_problem, incx);
  memset(&problem.known.incx, 0xff, sizeof problem.known - offsetof(tilewright_gemv_problem, incx));
  OK(explain(device, &problem.known));

  // Not set at all.
  problem.known.struct_size = 0;
  FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT, explain(device, &problem.known));
  problem.known.struct_size = 3;
  FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT, explain(device, &problem.known));

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
  statistics.known.load_seconds = -1;
  statistics.known.struct_size = (uint32_t)offsetof(tilewright_program_statistics, load_seconds);
  OK(tilewright_engine_program_statistics(device->engine, &statistics.known));
  CHECK(statistics.known.load_seconds == -1);
  statistics.known.struct_size = 0;
  FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT, tilewright_engine_program_statistics(device->engine, &statistics.known));
}
