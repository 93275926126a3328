// Products of matrices in host memory: callbacks, cancelling, resuming, and a group of devices.
#include "check.h"

enum { n = 256, tile = 64, tiles = (n / tile) * (n / tile) };

typedef struct run {
  uint64_t done;
  int progress_calls;
  int cancel_after;  // tiles
  char has[tiles];
} run;

static int32_t progress(const tilewright_out_of_core_progress* so_far, void* user) {
  run* const current = user;
  CHECK(so_far->struct_size == sizeof *so_far && so_far->tiles == tiles);
  ++current->progress_calls;
  return current->cancel_after > 0 && current->done >= (uint64_t)current->cancel_after;
}

static void tile_done(const tilewright_result_tile* finished, void* user) {
  run* const current = user;
  CHECK(finished->number < tiles && finished->rows == tile && finished->columns == tile);
  ++current->done;
  current->has[finished->number] = 1;
}

static int32_t has_tile(const tilewright_result_tile* wanted, void* user) { return ((run*)user)->has[wanted->number]; }

void test_host(const test_device* device) {
  float* const a = malloc(n * n * sizeof(float));
  float* const c = malloc(n * n * sizeof(float));
  CHECK(a != NULL && c != NULL);
  for (int i = 0; i < n * n; ++i) a[i] = i / n == i % n ? 2.0f : 0.0f;  // twice the identity
  for (int i = 0; i < n * n; ++i) c[i] = (float)(i % 13);

  tilewright_gemm_problem problem = {.struct_size = sizeof problem};
  problem.m = problem.n = problem.k = n;
  tilewright_host_operands operands = {.struct_size = sizeof operands};
  const double beta = 1;
  operands.a = operands.b = a;
  operands.beta = &beta;
  operands.c = c;
  const tilewright_tile_sizes sizes = {sizeof sizes, 0, tile, tile, n};
  const tilewright_transfer_speeds speeds = {sizeof speeds, 0, 1e9, 1e9, 1e9, 1e9, 0, 0};
  tilewright_out_of_core_options options = {.struct_size = sizeof options};
  options.transfer = TILEWRIGHT_TRANSFER_STAGED;
  options.tile = &sizes;
  options.speeds = &speeds;
  tilewright_host_plan* plan = NULL;
  OK(tilewright_host_plan_create(device->engine, &problem, &options, &plan));

  // Outputs are checked before anything is computed.
  tilewright_out_of_core_progress wrong = {.struct_size = 8};
  FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT, tilewright_host_plan_run(plan, &operands, NULL, &wrong));
  FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT,
        tilewright_gemm_out_of_core(device->engine, &problem, &operands, &options, NULL, &wrong));
  for (int i = 0; i < n * n; ++i) CHECK(c[i] == (float)(i % 13));
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_measure_transfer_speeds(NULL, TILEWRIGHT_F32, NULL));
  CHECK(strstr(tilewright_last_message(), "tilewright_transfer_speeds") != NULL);
  char* text = NULL;
  OK(tilewright_host_plan_explain(plan, &text));
  CHECK(strstr(text, "\"tiles_m\":4") != NULL && strstr(text, "\"explanation\":{") != NULL);
  tilewright_text_release(text);

  run current = {0};
  current.cancel_after = 3;
  tilewright_out_of_core_callbacks callbacks = {.struct_size = sizeof callbacks};
  callbacks.user = &current;
  callbacks.progress = progress;
  callbacks.tile_done = tile_done;
  callbacks.has_tile = has_tile;
  tilewright_out_of_core_progress at_end = {.struct_size = sizeof at_end};
  FAILS(TILEWRIGHT_CANCELLED, tilewright_host_plan_run(plan, &operands, &callbacks, &at_end));
  CHECK(current.done >= 3 && current.done < tiles && at_end.tiles_done == current.done);
  CHECK(current.progress_calls > 0);

  // The rest, without the tiles that are done. Each gets its C once: 4 on the diagonal, plus what was there.
  current.cancel_after = 0;
  OK(tilewright_host_plan_run(plan, &operands, &callbacks, &at_end));
  CHECK(current.done == tiles && at_end.tiles_done == tiles);
  for (int i = 0; i < n * n; ++i) CHECK(c[i] == (float)(i % 13) + (i / n == i % n ? 4.0f : 0.0f));
  OK(tilewright_host_plan_retain(plan));
  tilewright_host_plan_release(plan);
  tilewright_host_plan_release(plan);

  operands.c = a;
  FAILS(TILEWRIGHT_OVERLAPPING_OPERANDS,
        tilewright_gemm_out_of_core(device->engine, &problem, &operands, &options, NULL, NULL));
  operands.c = c;
  operands.beta = NULL;
  OK(tilewright_gemm_out_of_core(device->engine, &problem, &operands, &options, NULL, NULL));
  CHECK(c[0] == 4 && c[1] == 0);
  uint64_t bytes = 0;
  OK(tilewright_min_memory_out_of_core(device->engine, &problem, &options, &bytes));
  CHECK(bytes > 0);

  tilewright_group* group = NULL;
  FAILS(TILEWRIGHT_NO_DEVICE, tilewright_group_create(NULL, 0, &group));
  const tilewright_engine* engines[1] = {device->engine};
  OK(tilewright_group_create(engines, 1, &group));
  const tilewright_transfer_speeds* const all_speeds[1] = {&speeds};
  tilewright_device_group_options group_options = {.struct_size = sizeof group_options};
  group_options.speeds = all_speeds;
  group_options.speeds_count = 1;
  memset(c, 0, n * n * sizeof(float));
  OK(tilewright_group_gemm(group, &problem, &operands, &group_options, &text));
  CHECK(c[0] == 4 && c[1] == 0);
  CHECK(strstr(text, "\"devices\":[{") != NULL && strstr(text, "\"reason\":\"") != NULL);
  CHECK(strstr(text, "\"bytes_copied\":") != NULL);
  tilewright_text_release(text);
  OK(tilewright_group_release_memory(group));
  OK(tilewright_group_size(group, &bytes));
  CHECK(bytes == 1);
  tilewright_group_release(group);
  free(a);
  free(c);
}
