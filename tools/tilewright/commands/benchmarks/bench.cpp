#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>

#include "benchmarks/benchmark.hpp"
#include "benchmarks/lapack.hpp"
#include "benchmarks/vectors.hpp"
#include "commands/commands.hpp"
#include "files/shapes_file.hpp"
#include "options/option_values.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

void check_group(const BenchmarkOptions& options) {
  if (options.algorithm.is_strassen() || options.operation.name != "gemm")
    throw UsageError("--devices is for products by --algorithm gemm; leave out --algorithm and --op");
  if (!(options.forced.choice() == Choice{}))
    throw UsageError(
        "with --devices each tile's variant is chosen automatically; leave out --variant and --configuration");
}

/// Checks the options that several operations share.
void check_shared(const BenchmarkOptions& options) {
  options.algorithm.check_with(options.operation.name);
  options.group.check();
  options.lapack.check_for(options.operation.name);
  if (options.packed_b && (options.algorithm.is_strassen() || options.group.is_used()))
    throw UsageError("--packed-b is not for --algorithm strassen or --devices; leave it out");
  if (options.group.is_used()) check_group(options);
  if (options.summary && options.against.empty())
    throw UsageError("--summary compares with other libraries; add --against, for example --against openblas");
}

int run_bench(const BenchmarkOptions& options) {
  check_shared(options);
  const BenchmarkPlan plan = find_benchmark(options.operation.name).bench(options);
  const Session session(options.product.device);
  RowPrinter table(plan.columns, output_page());
  if (!options.json)
    fmt::print("device {}  {}\n{}", session.device().index(), session.device().profile.name, plan.heading);
  int status = 0;
  for (const BenchmarkProblem& problem : plan.problems) {
    BenchmarkResult result;
    try {
      result = problem.measure(session);
    } catch (const std::exception& error) {
      if (is_wrong_usage(error)) throw;
      result.failures.emplace_back(error.what());  // continue with the other problems
    }
    clear_progress();
    for (const BenchmarkRow& row : result.rows) {
      if (options.json) {
        print_json(row.json);
      } else {
        fmt::print("{}{}", table.add_row(row.cells), result.details);
        std::fflush(stdout);
      }
    }
    for (const std::string& failure : result.failures) {
      print_error(fmt::format("{}: {}", problem.label, failure));
      status = ExitStatus::failed;
    }
  }
  if (plan.summarize) plan.summarize(session);
  return status;
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("bench",
                                               "Measure the speed of an operation with its own or a forced choice: "
                                               "complete warm calls, alternating with other libraries");
  const auto options = std::make_shared<BenchmarkOptions>();
  command->add_option("--shape", options->shapes,
                      "sizes, several allowed: MxNxK for products, MxN for matrices, N for vectors and for systems "
                      "of equations");
  command
      ->add_option("--name", options->names,
                   "with --op vector: the functions to measure, comma-separated; default: all")
      ->delimiter(',')
      ->check(one_of("operation on vectors", vector_function_names()));
  command->add_option("--shapes", options->shapes_file, shapes_table_help);
  options->product.add_to(*command);
  options->forced.add_to(*command);
  options->algorithm.add_to(*command);
  options->operation.add_with_files_to(*command, benchmark_names());
  options->lapack.add_to(*command);
  options->group.add_to(*command);
  add_against_option(*command, options->against);
  command->add_option("--runs", options->runs, "number of batches of calls; the time is their median")
      ->transform(whole_number(1, 10000))
      ->capture_default_str();
  command->add_flag("--packed-b", options->packed_b, "pack B once, before the first call, as for constant weights");
  command->add_flag("--summary", options->summary, "end with a table by class of shapes, such as thin or deep");
  command->add_flag("--json", options->json, "print one JSON object per line");
  command->footer(
      "Products are of row-major matrices. A ratio is the other library's time over Tilewright's: above 1 Tilewright\n"
      "is faster.\n"
      "For transpose, gemv, ger, symv, trmv, syr, syr2 and vector, GB/s counts bytes read and written, and \"of\n"
      "copy\" is the speed relative to a copy of as many bytes, by the faster of clEnqueueCopyBuffer and a kernel.\n"
      "A triangle counts as its own bytes. For spmm, GB/s counts A, B and C once.\n"
      "syrk, herk, syr2k, her2k and gemmt update the lower triangle; --shape is N or NxK, and GFLOP/s counts n^2 k\n"
      "operations (rank-2k updates twice, complex numbers four times as many).\n" +
      lapack_footer() +
      "Example:\n"
      "  tilewright bench --shape 1024x1024x1024 35x700x2048 --against clblast,openblas\n"
      "  tilewright bench --algorithm strassen --levels 1 --shape 4096x4096x4096\n"
      "  tilewright bench --devices all --shape 16384x16384x16384\n"
      "  tilewright bench --op transpose --shape 8192x8192 8000x12000\n"
      "  tilewright bench --op spmm A.npz --columns 1,8,32,128\n"
      "  tilewright bench --op gemv --shape 4096x4096 --trans TN\n"
      "  tilewright bench --op symv --shape 4096 --type f64 --against openblas\n"
      "  tilewright bench --op vector --shape 16777216 --name axpy,dot\n"
      "  tilewright bench --op syrk --shape 2048 4096x512 --trans TN --against clblast,openblas\n"
      "  tilewright bench --op getrf --shape 1024 4096 --type f64 --against openblas\n"
      "  tilewright bench --op gels --shape 4096x1024 --nrhs 8 --against openblas\n"
      "  tilewright bench --op trsm --shape 2048x64 --side right --uplo upper --against clblast,openblas");
  command->callback([&action, options] { action = [options] { return run_bench(*options); }; });
}

}  // namespace tilewright::tool
