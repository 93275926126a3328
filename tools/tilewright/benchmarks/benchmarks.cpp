#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/benchmark.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = [] {
#define TILEWRIGHT_BENCHMARK(name) name##_benchmark,
    std::vector<Benchmark> list{TILEWRIGHT_TUNED_OPERATIONS(TILEWRIGHT_BENCHMARK) gemv_benchmark, ger_benchmark,
                                vector_benchmark};
#undef TILEWRIGHT_BENCHMARK
    const std::vector<Benchmark> level2 = level2_benchmarks();
    list.insert(list.end(), level2.begin(), level2.end());
    const std::vector<Benchmark> rank_k = rank_k_benchmarks();
    list.insert(list.end(), rank_k.begin(), rank_k.end());
    const std::vector<Benchmark> lapack = lapack_benchmarks();
    list.insert(list.end(), lapack.begin(), lapack.end());
    return list;
  }();
  return all;
}

const Benchmark& find_benchmark(std::string_view name) {
  return *std::find_if(benchmarks().begin(), benchmarks().end(),
                       [&](const Benchmark& benchmark) { return benchmark.name == name; });
}

std::vector<std::string> benchmark_names(bool with_ladder) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks())
    if (!with_ladder || benchmark.ladder != nullptr) names.emplace_back(benchmark.name);
  return names;
}

const std::string& single_shape(const BenchmarkOptions& options) {
  if (options.shapes.empty()) throw UsageError("--shape is missing; give the sizes MxNxK, or MxN for a matrix");
  return options.shapes.front();
}

void check_no_product_options(const BenchmarkOptions& options) {
  options.operation.check_gemm();
  const ProductOptions& product = options.product;
  if (options.packed_b || options.summary || !options.shapes_file.empty() || product.accuracy != "full" ||
      !product.type_c.empty() || !product.epilogue.empty())
    throw UsageError(
        fmt::format("--shapes, --packed-b, --summary, --c-type, --accuracy and --epilogue are not for --op {}; leave "
                    "them out",
                    options.operation.name));
}

void check_no_names(const BenchmarkOptions& options) {
  if (!options.names.empty()) throw UsageError("--name is for --op vector alone; add --op vector, or leave --name out");
}

void check_no_batch(const BenchmarkOptions& options) {
  if (options.product.batch != 1)
    throw UsageError(fmt::format("--batch is not for --op {}; leave it out", options.operation.name));
}

}  // namespace tilewright::tool
