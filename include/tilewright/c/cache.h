// The cache of compiled programs that outlives the process.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/cache.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Looks up a program in the application's own storage. `key` has 64 hexadecimal digits. If the program is there, sets
/// `binary` and `bytes` and returns 1; otherwise returns 0. The library reads the binary, and then calls `release` of
/// tilewright_cache_options with it.
typedef int32_t (*tilewright_cache_load_function)(const char* key, const void** binary, uint64_t* bytes, void* user);

/// Stores a program in the application's own storage. `key` and `binary` are valid during the call.
typedef void (*tilewright_cache_store_function)(const char* key, const void* binary, uint64_t bytes, void* user);

/// Frees what tilewright_cache_load_function returned.
typedef void (*tilewright_cache_release_function)(const void* binary, void* user);

/// Where an engine keeps its program binaries. Any failure there counts as a missing binary: the program is compiled.
typedef struct tilewright_cache_options {
  uint32_t struct_size;  ///< sizeof(tilewright_cache_options)
  int32_t mode;          ///< how binaries are used (tilewright_cache_mode; 0: TILEWRIGHT_CACHE_AUTOMATIC)
  /// A directory; its owner is not checked. If null or empty, TILEWRIGHT_CACHE_DIR names it, and otherwise it is
  /// tilewright in XDG_CACHE_HOME or in ~/.cache, provided that only this user can write there.
  const char* directory;
  /// The directory's limit in bytes, beyond which the least recently used binaries are removed (0: 256 MiB;
  /// UINT64_MAX: no limit)
  uint64_t max_bytes;
  /// The application's own storage, used instead of a directory if `load` or `store` is set. Both may be called from
  /// any thread that uses the engine, and may use the library.
  tilewright_cache_load_function load;
  tilewright_cache_store_function store;      ///< null: programs are not stored
  tilewright_cache_release_function release;  ///< null: binaries from `load` need not be freed
  /// Passed to the functions. Must stay valid until the engine and everything that was made from it are released. If
  /// other options replace these, until all calls that began before have returned.
  void* user;
} tilewright_cache_options;

/// Sets where the engine keeps compiled programs between processes, for programs that are needed from now on. Without
/// this call, or with null, the defaults hold.
TILEWRIGHT_C_API tilewright_status tilewright_engine_set_cache(const tilewright_engine* engine,
                                                               const tilewright_cache_options* options);

/// Writes the cache directory of engines without another setting to `text`, as a JSON object with
///   - `directory`: an absolute path; empty if there is none
///   - `reason`: the source of the directory, or why there is none
TILEWRIGHT_C_API tilewright_status tilewright_cache_location(char** text);

/// Reads and checks every file of a cache directory. Writes a JSON array to `text`, the most recently used files first.
/// The array is empty if the directory is missing. Each file is an object with
///   - `path`, `bytes` and `last_use`: seconds since 1970, to the day
///   - `problem`: why the file cannot be used; empty if it is valid
///   - `program`, `options`, `device`, `platform` and `driver`: what the binary was compiled from and for
///   - `library`: the version of Tilewright that wrote it
TILEWRIGHT_C_API tilewright_status tilewright_cache_list(const char* directory, char** text);

/// Removes the library's files from a cache directory. Writes the number of binaries among them to `removed`, which may
/// be null.
TILEWRIGHT_C_API tilewright_status tilewright_cache_clear(const char* directory, uint64_t* removed);

#ifdef __cplusplus
}
#endif
