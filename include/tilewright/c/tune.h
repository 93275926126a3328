// Tuning: finds the fastest kernels for a program's problems on its device, and stores them as records.
#pragma once

#include "tilewright/c/base.h"
#include "tilewright/c/generated/gemm_problem.h"
#include "tilewright/c/generated/transpose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How far tuning has come.
typedef struct tilewright_tune_progress {
  uint32_t struct_size;      ///< sizeof(tilewright_tune_progress)
  uint32_t reserved1;        ///< 0
  uint64_t problem;          ///< number of the problem, from 0 on
  uint64_t problems;         ///< number of problems
  uint64_t evaluations;      ///< configurations that were tried for this problem
  double best_seconds;       ///< time of the best one so far; 0: none yet
  double untuned_seconds;    ///< time of the choice without records; 0: not yet known
  double seconds_left;       ///< until the budget is used up; infinite without a limit of time
  const char* problem_text;  ///< the problem, such as "512x512x512 f32"
  const char* activity;      ///< "search", "verify", "final" or "compare"
} tilewright_tune_progress;

/// The problems to tune, and the limits. Give a list of problems, or let `preset` name one.
typedef struct tilewright_tune_options {
  uint32_t struct_size;  ///< sizeof(tilewright_tune_options)
  int32_t type;          ///< element type of the preset's problems (tilewright_data_type; 0: TILEWRIGHT_F32)
  int32_t refresh;       ///< 0: problems that have records of this driver are left out; 1: they are tuned again
  uint32_t reserved1;    ///< must be 0
  const tilewright_gemm_problem* const* gemm_problems;            ///< products to tune
  uint64_t gemm_problems_count;                                   ///< number of pointers in `gemm_problems`
  const tilewright_transpose_problem* const* transpose_problems;  ///< transpositions to tune, if there are no products
  uint64_t transpose_problems_count;                              ///< number of pointers in `transpose_problems`
  const char* operation;  ///< operation of the preset: "gemm", "transpose" or "spmm" (null: "gemm")
  const char* preset;  ///< "default" or "quick", a list of problems of many sizes that fit the device (null: "default")
  double seconds;      ///< limit of time for the whole run in seconds (0: 300)
  uint64_t evaluations;  ///< limit of configurations to try for each problem (0: no limit)
  const char* strategy;  ///< order in which configurations are tried (null: the default of `tilewright tune`)
  uint64_t seed;         ///< seed of the random choices, any number but 0 (0: 1)
  /// Called after each configuration, from any thread, one call at a time. A result other than 0 ends the run; the
  /// problems that are finished keep their records.
  int32_t (*progress)(const tilewright_tune_progress* progress, void* user);
  void* user;  ///< passed to `progress`
} tilewright_tune_options;

/// Tunes problems on the engine's device: tries configurations, verifies the best ones against a reference, and times
/// them in turns. Stores records in tilewright_records_file(), by which the library chooses kernels in the future.
/// Plans and engines that exist keep their choices. Nothing else should use the device meanwhile. A configuration that
/// makes the driver crash ends the process; the command `tilewright tune` tries configurations in a child process.
///
/// `report`, which may be null, receives a JSON object with
///   - `records`: path of the file of records
///   - `stopped`: whether `progress` ended the run
///   - `results`: an array of objects with `problem`, `variant`, `configuration`, `seconds`, `untuned_seconds`,
///     `evaluations` and `message`: why there is no result; empty if there is one
///
/// Fails with one of:
///   - TILEWRIGHT_CANCELLED: `progress` ended the run; the report and the records of finished problems are there
///   - TILEWRIGHT_INVALID_ARGUMENT: an unknown operation, preset or strategy
///   - TILEWRIGHT_INVALID_RECORDS: records cannot be stored; nothing was tuned
///   - the failures of tilewright_gemm_plan_create() or tilewright_transpose_plan_create() for an invalid problem
///   - TILEWRIGHT_OUT_OF_MEMORY, TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OPENCL_FAILURE
TILEWRIGHT_C_API tilewright_status tilewright_tune(const tilewright_engine* engine,
                                                   const tilewright_tune_options* options, char** report);

#ifdef __cplusplus
}
#endif
