// Tuning and its records. TILEWRIGHT_DATA_DIR names an empty directory.
#include "check.h"

static int32_t count_progress(const tilewright_tune_progress* progress, void* user) {
  CHECK(progress->problems == 1 && progress->problem == 0 && strlen(progress->problem_text) > 0);
  return ++*(int*)user >= 1000;
}

static int32_t stop_at_once(const tilewright_tune_progress* progress, void* user) {
  (void)progress;
  (void)user;
  return 1;
}

void test_records(const test_device* device) {
  char *file = NULL, *text = NULL, *report = NULL;
  char exported[4096];
  OK(tilewright_records_file(device->id, &file));
  snprintf(exported, sizeof exported, "%s.exported", file);
  remove(file);  // of a run that was interrupted
  remove(exported);
  tilewright_transpose_problem problem = {.struct_size = sizeof problem};
  problem.m = 65;
  problem.n = 33;
  const tilewright_transpose_problem* const problems[1] = {&problem};
  int calls = 0;
  tilewright_tune_options options = {.struct_size = sizeof options};
  options.transpose_problems = problems;
  options.transpose_problems_count = 1;
  options.seconds = 20;
  options.evaluations = 2;
  options.progress = count_progress;
  options.user = &calls;
  OK(tilewright_tune(device->engine, &options, &report));
  CHECK(calls > 0);
  CHECK(strstr(report, "\"results\":[{") != NULL && strstr(report, "\"stopped\":false") != NULL);
  tilewright_text_release(report);

  // The records are there, can be exported and imported, and the problem counts as tuned.
  OK(tilewright_records_export(device->id, exported));
  FAILS(TILEWRIGHT_INVALID_RECORDS, tilewright_records_export(device->id, exported));
  OK(tilewright_tune(device->engine, &options, &report));
  CHECK(strstr(report, "\"results\":[]") != NULL);
  tilewright_text_release(report);
  OK(tilewright_records_clear(device->id, &text));
  CHECK(strlen(text) > 0);
  remove(text);
  tilewright_text_release(text);
  uint64_t added = 0;
  OK(tilewright_records_import(device->id, exported, &added));
  CHECK(added > 0);
  FAILS(TILEWRIGHT_INVALID_RECORDS, tilewright_records_import(device->id, "/nonexistent", NULL));
  OK(tilewright_records_load(device->id, &text));
  CHECK(strstr(text, "\"records\":[") != NULL);
  tilewright_text_release(text);

  options.refresh = 1;
  options.progress = stop_at_once;
  FAILS(TILEWRIGHT_CANCELLED, tilewright_tune(device->engine, &options, NULL));
  options.transpose_problems_count = 0;
  options.preset = "huge";
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_tune(device->engine, &options, NULL));
  remove(exported);
  remove(file);
  tilewright_text_release(file);
}
