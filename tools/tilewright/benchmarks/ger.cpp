// The outer product of two vectors, added to a matrix.
#include <fmt/format.h>

#include <span>

#include "benchmarks/memory_bound.hpp"
#include "compare/level2_calls.hpp"
#include "compare/references.hpp"
#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"
#include "options/shape.hpp"
#include "usage_error.hpp"
#include "verification/common/random_data.hpp"
#include "verification/gemv/gemv_case.hpp"

namespace tilewright::tool {
namespace {

using verification::GemvCase;

constexpr double alpha = 0.5;

/// A, x and y, on the host and on the device.
struct OuterProductData {
  OuterProductData(const Session& session, const GemvCase& test) {
    detail::with_host_type(test.type, [&]<class T>(std::type_identity<T>) {
      for (const std::uint64_t length : {test.m * test.n, test.m, test.n}) {
        const auto numbers = verification::random_data<T>(length, verification::DataKind::uniform, host.size());
        const auto bytes = std::as_bytes(std::span(numbers));
        host.emplace_back(bytes.begin(), bytes.end());
        device.push_back(session.make_buffer(host.back()));
      }
    });
  }

  HostVectors host;
  DeviceVectors device;
};

GerProblem problem_of(const GemvCase& test) { return {.type = test.type, .m = test.m, .n = test.n}; }

/// Its check runs in separate guarded memory.
Contender own_contender(const Session& session, const GemvCase& test, const OuterProductData& data) {
  const auto run = [&session, &test, &data](unsigned calls) {
    enqueue_all(calls, [&](bool event) {
      return ger(session.engine(), session.queue(), problem_of(test),
                 {.alpha = alpha,
                  .x = {data.device[1].get()},
                  .y = {data.device[2].get()},
                  .a = {data.device[0].get()},
                  .event = event},
                 {}, test.choice);
    });
  };
  return {.run = run,
          .check = [&session, &test]() -> Verdict { return {.wrong = try_gemv_case(session.engine(), test)}; }};
}

BenchmarkResult measure(const Session& session, const GemvCase& test, MemoryBoundCall call,
                        const BenchmarkOptions& options) {
  const auto m = static_cast<double>(test.m), n = static_cast<double>(test.n),
             element = static_cast<double>(size_of(test.type));
  session.require_memory(m * n * element);
  call.bytes = element * (2 * m * n + m + n);
  OuterProductData data(session, test);
  Contest contest(session.engine(), call.label, {});
  contest.add("ger", [&] { return own_contender(session, test, data); });
  for (const std::string& library : options.against)
    contest.add_reference_if(library,
                             library == "openblas"
                                 ? openblas_function(openblas_ger_call(problem_of(test), alpha, data.host))
                                 : clblast_function(clblast_ger_call(session, problem_of(test), alpha, data.device)));
  return measure_memory_bound(session, contest, call, options.runs, "{1}");
}

BenchmarkPlan bench_ger(const BenchmarkOptions& options) {
  check_no_product_options(options);
  check_no_names(options);
  check_no_batch(options);
  if (options.product.transposes != "NN") throw UsageError("--trans is not for --op ger; leave it out");
  const DataType type = parse_type(options.product.type);
  if (detail::is_integer(type))
    throw UsageError(fmt::format("--type is {}, but --op ger takes floating-point types", options.product.type));
  BenchmarkPlan plan{.columns = memory_bound_columns(options, "matrix")};
  for (const std::string& shape : options.shapes) {
    TransposeProblem matrix;
    parse_matrix_shape(shape, matrix);
    const GemvCase test{.call = verification::GemvCall::ger,
                        .choice = options.forced.choice(),
                        .type = type,
                        .m = matrix.m,
                        .n = matrix.n,
                        .alpha = alpha,
                        .offset = 0};
    const MemoryBoundCall call{fmt::format("ger {} x {} {}", test.m, test.n, options.product.type),
                               {{"operation", "ger"}, {"m", test.m}, {"n", test.n}, {"type", options.product.type}}};
    plan.problems.push_back(
        {call.label, [&options, test, call](const Session& session) { return measure(session, test, call, options); }});
  }
  if (plan.problems.empty()) throw UsageError("nothing to measure: give --shape");
  check_references(options.against, type);
  return plan;
}

}  // namespace

const Benchmark ger_benchmark{"ger", bench_ger};

}  // namespace tilewright::tool
