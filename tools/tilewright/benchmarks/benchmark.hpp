// Operations as `bench`, `ladder` and `explain` see them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "operation_list.hpp"
#include "options/algorithm_options.hpp"
#include "options/group_options.hpp"
#include "options/lapack_options.hpp"
#include "options/operation_options.hpp"
#include "options/product_options.hpp"
#include "session.hpp"
#include "text/json_output.hpp"
#include "text/table.hpp"

namespace tilewright::tool {

/// Options of these commands. Each operation reads its own, and refuses others.
struct BenchmarkOptions {
  ProductOptions product;
  ChoiceOptions forced;
  OperationOptions operation;
  AlgorithmOptions algorithm;
  LapackOptions lapack;
  GroupOptions group;
  std::vector<std::string> shapes;
  std::string shapes_file;            ///< table with more shapes
  std::uint64_t size = 0;             ///< ladder: size of a square problem, if there is no shape
  std::vector<std::string> names;     ///< functions on vectors; empty: all
  std::vector<std::string> variants;  ///< ladder: variants to run; empty: all
  std::vector<std::string> against;   ///< other libraries
  std::uint64_t memory = 0;           ///< explain: device memory in bytes; 0: the matrices are in device memory
  unsigned runs = 7;
  bool packed_b = false;
  bool summary = false;
  bool json = false;
};

/// One way to compute a problem.
struct BenchmarkRow {
  std::vector<Cell> cells;
  Json json{};         ///< null: only in tables
  double seconds = 0;  ///< 0 if it was not measured or is wrong
};

struct BenchmarkResult {
  std::vector<BenchmarkRow> rows{};
  std::vector<std::string> failures{};
  std::string heading{};  ///< lines above the ladder's table
  std::string details{};  ///< lines below bench's row
};

struct BenchmarkProblem {
  std::string label;  ///< precedes failures; may be empty
  std::function<BenchmarkResult(const Session&)> measure;
};

/// The problems that a command line asks for. May refer to its options.
struct BenchmarkPlan {
  std::vector<Column> columns{};
  std::vector<BenchmarkProblem> problems{};
  std::string heading{};                            ///< lines below the device's name in bench's table
  std::function<void(const Session&)> summarize{};  ///< prints the end; may be empty
};

/// An operation. The functions throw UsageError, FileError and Error.
struct Benchmark {
  std::string_view name;                                  ///< value of --op
  BenchmarkPlan (*bench)(const BenchmarkOptions&);        ///< with its own or the forced choice
  BenchmarkPlan (*ladder)(const BenchmarkOptions&) = {};  ///< every variant of one problem; null if it has no variants
  void (*explain)(const BenchmarkOptions&) = {};          ///< prints the choice for one problem; null if `ladder` is
};

// Each tuned operation has a benchmark. Each of the others has a line here and a line in benchmarks().
#define TILEWRIGHT_BENCHMARK(name) extern const Benchmark name##_benchmark;
TILEWRIGHT_TUNED_OPERATIONS(TILEWRIGHT_BENCHMARK)
#undef TILEWRIGHT_BENCHMARK
extern const Benchmark gemv_benchmark;
extern const Benchmark ger_benchmark;
extern const Benchmark vector_benchmark;
std::vector<Benchmark> level2_benchmarks();
std::vector<Benchmark> rank_k_benchmarks();
std::vector<Benchmark> lapack_benchmarks();

/// Returns all operations.
const std::vector<Benchmark>& benchmarks();

/// Returns the operation of this name, which must exist.
const Benchmark& find_benchmark(std::string_view name);

/// Returns the names of all operations, or of those with a ladder.
std::vector<std::string> benchmark_names(bool with_ladder = false);

/// Returns the first shape. Throws UsageError if there is none.
const std::string& single_shape(const BenchmarkOptions& options);

// Throw UsageError if options are set that only products have, only vectors have, or if there is a batch.
void check_no_product_options(const BenchmarkOptions& options);
void check_no_names(const BenchmarkOptions& options);
void check_no_batch(const BenchmarkOptions& options);

}  // namespace tilewright::tool
