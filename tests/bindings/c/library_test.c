// Version, statuses, the log, devices, engines, explanations and the cache.
#include "check.h"

static void count_message(const char* message, void* user) {
  CHECK(strlen(message) > 0);
  ++*(int*)user;
}

typedef struct storage {
  int loads, stores, releases;
  char key[65];
  void* binary;
  uint64_t bytes;
} storage;

static int32_t load(const char* key, const void** binary, uint64_t* bytes, void* user) {
  storage* const kept = user;
  ++kept->loads;
  if (kept->binary == NULL || strcmp(key, kept->key) != 0) return 0;
  *binary = kept->binary;
  *bytes = kept->bytes;
  return 1;
}

static void store(const char* key, const void* binary, uint64_t bytes, void* user) {
  storage* const kept = user;
  ++kept->stores;
  CHECK(strlen(key) == 64 && bytes > 0);
  if (kept->binary != NULL) return;
  strcpy(kept->key, key);
  kept->binary = malloc(bytes);
  kept->bytes = bytes;
  memcpy(kept->binary, binary, bytes);
}

static void release(const void* binary, void* user) {
  CHECK(binary == ((storage*)user)->binary);
  ++((storage*)user)->releases;
}

// Scales a vector on a new engine with a cache.
static void scale_with_cache(const test_device* device, const tilewright_cache_options* options) {
  tilewright_engine* engine = NULL;
  OK(tilewright_engine_from_queue(device->queue, &engine));
  OK(tilewright_engine_set_cache(engine, options));
  const float one = 1;
  const double alpha = 2;
  tilewright_vector_problem problem = {.struct_size = sizeof problem};
  problem.n = 1;
  tilewright_vector_operands operands = {.struct_size = sizeof operands};
  operands.alpha = &alpha;
  operands.x.buffer = buffer_of(device, &one, sizeof one);
  OK(tilewright_vector(engine, device->queue, TILEWRIGHT_SCAL, &problem, &operands, 0, NULL, NULL));
  float result = 0;
  read_back(device, operands.x.buffer, &result, sizeof result);
  CHECK(result == 2);
  OK(tilewright_engine_save_programs(engine));
  tilewright_program_statistics statistics = {.struct_size = sizeof statistics};
  OK(tilewright_engine_program_statistics(engine, &statistics));
  CHECK(statistics.compiled + statistics.loaded > 0);
  tilewright_engine_release(engine);
  clReleaseMemObject(operands.x.buffer);
}

// Scales a vector on a new engine whose programs are in the application's storage.
static void scale_on_new_engine(const test_device* device, storage* kept) {
  tilewright_cache_options options = {.struct_size = sizeof options};
  options.mode = TILEWRIGHT_CACHE_READ_WRITE;  // whatever TILEWRIGHT_CACHE says
  options.load = load;
  options.store = store;
  options.release = release;
  options.user = kept;
  scale_with_cache(device, &options);
}

// The largest limit of bytes is a limit, not 0.
static void test_cache_without_limit(const test_device* device) {
  const char* const data = getenv("TILEWRIGHT_DATA_DIR");
  char directory[4096];
  snprintf(directory, sizeof directory, "%s.cache", data == NULL ? "/tmp/tilewright_c_test" : data);
  tilewright_cache_options options = {.struct_size = sizeof options};
  options.mode = TILEWRIGHT_CACHE_REFRESH;
  options.directory = directory;
  options.max_bytes = UINT64_MAX;
  scale_with_cache(device, &options);
  uint64_t removed = 0;
  OK(tilewright_cache_clear(directory, &removed));
  CHECK(removed > 0);
}

static void test_cache(const test_device* device) {
  test_cache_without_limit(device);
  storage kept = {0};
  scale_on_new_engine(device, &kept);
  CHECK(kept.loads > 0 && kept.stores > 0 && kept.releases == 0);
  scale_on_new_engine(device, &kept);
  CHECK(kept.releases > 0);

  // A damaged binary is compiled again, and the debug callback gets the reason.
  int messages = 0;
  memset(kept.binary, 'x', kept.bytes);
  OK(tilewright_set_debug_callback(count_message, &messages));
  scale_on_new_engine(device, &kept);
  OK(tilewright_set_debug_callback(NULL, NULL));
  CHECK(messages > 0);
  const int before = messages;
  scale_on_new_engine(device, &kept);
  CHECK(messages == before);
  free(kept.binary);

  char* text = NULL;
  OK(tilewright_cache_location(&text));
  CHECK(strstr(text, "\"directory\":") != NULL);
  tilewright_text_release(text);
  OK(tilewright_cache_list("/nonexistent", &text));
  CHECK(strcmp(text, "[]") == 0);
  tilewright_text_release(text);
  uint64_t removed = 1;
  OK(tilewright_cache_clear("/nonexistent", &removed));
  CHECK(removed == 0);
}

void test_library(const test_device* device) {
  CHECK(strlen(tilewright_version()) >= 5);
  CHECK(strcmp(tilewright_status_name(0), "success") == 0);
  CHECK(strcmp(tilewright_status_name(TILEWRIGHT_BUFFER_TOO_SMALL), "buffer_too_small") == 0);
  CHECK(strcmp(tilewright_status_name(12345), "unknown") == 0);
  CHECK(TILEWRIGHT_NO_PLATFORM == 1 && TILEWRIGHT_OPENCL_FAILURE == 30 && TILEWRIGHT_CANCELLED == 1002);
  tilewright_text_release(NULL);

  int messages = 0;
  OK(tilewright_set_log_callback(count_message, &messages));
  OK(tilewright_set_debug_callback(count_message, &messages));
  OK(tilewright_set_log_callback(NULL, NULL));
  OK(tilewright_set_debug_callback(NULL, NULL));

  char* text = NULL;
  OK(tilewright_opencl_library(&text));
  CHECK(text[0] == '/' && strstr(text, ".so") != NULL);
  tilewright_text_release(text);
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_opencl_library(NULL));
  OK(tilewright_list_devices(&text));
  CHECK(text[0] == '[' && strstr(text, "\"index\":\"0:0\"") != NULL);
  tilewright_text_release(text);
  OK(tilewright_device_info(device->id, &text));
  CHECK(text[0] == '{' && strstr(text, "\"global_memory_bytes\":") != NULL);
  tilewright_text_release(text);
  FAILS(TILEWRIGHT_NULL_OBJECT, tilewright_device_info(NULL, &text));
  cl_device_id none = NULL;
  FAILS(TILEWRIGHT_NO_DEVICE, tilewright_pick_device("a device that nobody has", &none));

  OK(tilewright_engine_probe(device->engine, TILEWRIGHT_ABILITY_INLINE_PTX, &text));
  CHECK(strstr(text, "\"available\":") != NULL);
  tilewright_text_release(text);
  OK(tilewright_list_variants("spmm", &text));
  CHECK(strstr(text, "\"parameters\":[") != NULL && strstr(text, "\"strategies\":[") != NULL);
  tilewright_text_release(text);
  FAILS(TILEWRIGHT_INVALID_ARGUMENT, tilewright_list_variants("sort", &text));

  tilewright_gemm_problem product = {.struct_size = sizeof product};
  product.m = product.n = product.k = 64;
  OK(tilewright_explain_gemm(device->id, &product, NULL, &text));
  CHECK(strstr(text, "\"candidates\":[{") != NULL);
  tilewright_text_release(text);
  const tilewright_choice wrong = {sizeof wrong, 0, "no such variant", NULL};
  FAILS(TILEWRIGHT_UNKNOWN_VARIANT, tilewright_explain_gemm(device->id, &product, &wrong, &text));
  double seconds = -1;
  OK(tilewright_gemm_seconds(device->id, &product, NULL, &seconds));
  CHECK(seconds >= 0);
  tilewright_gemm_memory memory = {.struct_size = sizeof memory};
  OK(tilewright_gemm_memory_of(device->engine, &product, NULL, &memory));
  memory.struct_size = 12;
  FAILS(TILEWRIGHT_UNSUPPORTED_STRUCT, tilewright_gemm_memory_of(NULL, NULL, NULL, &memory));
  tilewright_strassen_problem strassen = {.struct_size = sizeof strassen};
  strassen.product = &product;
  strassen.levels = TILEWRIGHT_MAX_STRASSEN_LEVELS + 1;
  FAILS(TILEWRIGHT_INVALID_CONFIGURATION, tilewright_explain_strassen(device->id, &strassen, NULL, &text));
  strassen.levels = TILEWRIGHT_ZERO_32;
  OK(tilewright_explain_strassen(device->id, &strassen, NULL, &text));
  CHECK(strstr(text, "\"levels\":0") != NULL);
  tilewright_text_release(text);
  test_cache(device);
}
