// Constants that `tilewright fit-times --json` fitted, carried with the functions for records. The device is that of
// described_gpu.cpp, and TILEWRIGHT_DATA_DIR names an empty directory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilewright.h"

#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, tilewright_last_message()); \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)
#define OK(call) CHECK((call) == TILEWRIGHT_SUCCESS)

enum { products = 3, longest = 1 << 16 };

// Writes the choice for each product, and its expected seconds.
static void choose(cl_device_id device, double* seconds, char** choices) {
  static const uint64_t sizes[products] = {256, 1024, 4096};
  for (int i = 0; i < products; ++i) {
    tilewright_gemm_problem problem = {.struct_size = sizeof problem};
    problem.type = TILEWRIGHT_F16;
    problem.m = problem.n = problem.k = sizes[i];
    OK(tilewright_gemm_seconds(device, &problem, NULL, &seconds[i]));
    OK(tilewright_explain_gemm(device, &problem, NULL, &choices[i]));
    CHECK(seconds[i] > 0);
  }
}

static int all_same(cl_device_id device, const double* seconds, char* const* choices) {
  double now[products];
  char* text[products];
  int same = 1;
  choose(device, now, text);
  for (int i = 0; i < products; ++i) {
    same = same && now[i] == seconds[i] && strcmp(text[i], choices[i]) == 0;
    tilewright_text_release(text[i]);
  }
  return same;
}

// Stores the fitted constants as `tilewright tune` does.
static void store(const char* file, const char* fit) {
  static char text[longest];
  FILE* const stream = fopen(fit, "r");
  CHECK(stream != NULL);
  text[fread(text, 1, longest - 1, stream)] = 0;
  fclose(stream);
  char* const constants = strstr(text, "\"constants\":");
  CHECK(constants != NULL && strchr(constants, '}') != NULL);
  strchr(constants, '}')[1] = 0;
  FILE* const stored = fopen(file, "w");
  CHECK(stored != NULL);
  fprintf(stored, "{\"of\":{\"platform\":\"NVIDIA CUDA\",\"device\":\"described H100\",\"driver\":\"1.0\",");
  fprintf(stored, "\"library\":\"%s\"},%s}\n", tilewright_version(), constants);
  fclose(stored);
}

static int exists(const char* file) {
  FILE* const stream = fopen(file, "r");
  if (stream != NULL) fclose(stream);
  return stream != NULL;
}

int main(int argc, char** argv) {
  cl_device_id device = NULL;
  char *records = NULL, *text = NULL, *by_library[products], *fitted[products];
  char times[4096], exported[4096];
  double seconds_by_library[products], seconds_fitted[products];
  uint64_t added = 1;
  CHECK(argc == 2);
  OK(tilewright_pick_device(NULL, &device));
  OK(tilewright_records_file(device, &records));
  const int stem = (int)(strlen(records) - strlen(".jsonl"));
  snprintf(times, sizeof times, "%.*s.times.json", stem, records);
  snprintf(exported, sizeof exported, "%.*s.exported", stem, records);
  choose(device, seconds_by_library, by_library);
  CHECK(tilewright_records_export(device, exported) == TILEWRIGHT_INVALID_RECORDS);

  store(times, argv[1]);
  choose(device, seconds_fitted, fitted);
  for (int i = 0; i < products; ++i) CHECK(seconds_fitted[i] != seconds_by_library[i]);

  // Constants alone can be exported. Without them the library chooses as before; with them as it did with them.
  OK(tilewright_records_export(device, exported));
  CHECK(tilewright_records_export(device, exported) == TILEWRIGHT_INVALID_RECORDS);
  OK(tilewright_records_clear(device, &text));
  CHECK(strlen(text) == 0 && !exists(times));
  tilewright_text_release(text);
  CHECK(all_same(device, seconds_by_library, by_library));
  OK(tilewright_records_import(device, exported, &added));
  CHECK(added == 0 && exists(times));
  CHECK(all_same(device, seconds_fitted, fitted));

  // A file of records carries the constants, too.
  remove(exported);
  OK(tilewright_records_export(device, exported));
  OK(tilewright_records_clear(device, NULL));
  CHECK(all_same(device, seconds_by_library, by_library));
  OK(tilewright_records_import(device, exported, NULL));
  CHECK(all_same(device, seconds_fitted, fitted));

  for (int i = 0; i < products; ++i) {
    tilewright_text_release(by_library[i]);
    tilewright_text_release(fitted[i]);
  }
  tilewright_text_release(records);
  return 0;
}
