// Operations on vectors.
#include "benchmarks/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "benchmarks/memory_bound.hpp"
#include "compare/references.hpp"
#include "compare/vector_calls.hpp"
#include "kernels/host_type.hpp"
#include "options/shape.hpp"
#include "runtime/system/plain_text.hpp"
#include "text/suggest.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"
#include "verification/common/random_data.hpp"
#include "verification/vector/vector_trial.hpp"

namespace tilewright::tool {
namespace {

using verification::VectorCall;

/// A benchmarked function. The scalars keep the numbers bounded over any number of calls.
struct VectorFunction {
  const char* name;
  VectorCall call;
  unsigned traffic;  ///< number of vectors read or written
  double alpha = 1, beta = 1;
};
constexpr VectorFunction vector_functions[] = {
    {"axpy", VectorCall::axpby, 3, 0.5, 1},
    {"axpby", VectorCall::axpby, 3, 0.5, -1},
    {"scal", VectorCall::scal, 2, -1},
    {"hadamard", VectorCall::hadamard, 3, 2, 0},
    {"copy", VectorCall::copy, 2},
    {"swap", VectorCall::swap, 4},
    {"dot", VectorCall::dot, 2},
    {"compensated_dot", VectorCall::compensated_dot, 2},
    {"nrm2", VectorCall::nrm2, 1},
    {"asum", VectorCall::asum, 1},
    {"iamax", VectorCall::iamax, 1},
};

const VectorFunction& find_function(const std::string& name) {
  return *std::find_if(std::begin(vector_functions), std::end(vector_functions),
                       [&](const VectorFunction& function) { return function.name == name; });
}

std::uint64_t parse_elements(const std::string& text) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  const auto n = detail::find_whole<std::uint64_t>(text);
  if (!n || *n == 0 || *n > most)
    throw UsageError(fmt::format("{} is not a number of elements from 1 to 2^40", in_quotes(text)));
  return *n;
}

/// x, y and z, on the host and on the device.
struct Vectors {
  Vectors(const Session& session, DataType type, std::uint64_t n) : host(3) {
    detail::with_host_type(type, [&]<class T>(std::type_identity<T>) {
      for (std::size_t i = 0; i < host.size(); ++i) {
        const auto numbers = verification::random_data<T>(n, verification::DataKind::uniform, i);
        const auto bytes = std::as_bytes(std::span(numbers));
        host[i].assign(bytes.begin(), bytes.end());
        host[i].resize(std::max<std::size_t>(host[i].size(), 16));  // must hold a result
        device.push_back(session.make_buffer(host[i]));
      }
    });
  }

  HostVectors host;
  DeviceVectors device;
};

/// Its check runs in separate guarded memory.
Contender own_contender(const Session& session, const VectorFunction& function, const VectorProblem& problem,
                        const Vectors& vectors) {
  const MatrixRef x{vectors.device[0].get()}, y{vectors.device[1].get()}, z{vectors.device[2].get()};
  const VectorOperands operands{.alpha = function.alpha, .x = x, .beta = function.beta, .y = y, .z = z, .result = z};
  const auto run = [&session, &function, problem, operands](unsigned calls) {
    enqueue_all(calls, [&](bool) {
      if (function.call == VectorCall::axpby && function.beta == 1)
        return axpy(session.engine(), session.queue(), problem, operands);
      return verification::enqueue(session.engine(), session.queue(), function.call, problem, operands);
    });
  };
  const auto check = [&session, &function, problem]() -> Verdict {
    return {.wrong = verification::try_vector_case(session.engine(), {.call = function.call,
                                                                      .type = problem.type,
                                                                      .n = problem.n,
                                                                      .alpha = function.alpha,
                                                                      .beta = function.beta,
                                                                      .memory = verification::Memory::exact})};
  };
  return {.run = run, .check = check};
}

/// Returns a library's function, whose results are not verified; nothing if it has none.
std::optional<Contender> reference_contender(const std::string& library, const Session& session,
                                             const VectorFunction& function, const VectorProblem& problem,
                                             Vectors& vectors) {
  if (library == "openblas")
    return openblas_function(openblas_vector_call(function.name, problem.type, problem.n, vectors.host));
  return clblast_function(clblast_vector_call(session, function.name, problem.type, problem.n, vectors.device));
}

BenchmarkResult measure(const Session& session, const VectorFunction& function, const VectorProblem& problem,
                        MemoryBoundCall call, const BenchmarkOptions& options) {
  const double vector_bytes = static_cast<double>(problem.n) * static_cast<double>(size_of(problem.type));
  session.require_memory(3 * vector_bytes);
  call.bytes = function.traffic * vector_bytes;
  Vectors vectors(session, problem.type, problem.n);
  Contest contest(session.engine(), call.label, {});
  contest.add(function.name, [&] { return own_contender(session, function, problem, vectors); });
  for (const std::string& library : options.against)
    contest.add_reference_if(library, reference_contender(library, session, function, problem, vectors));
  return measure_memory_bound(session, contest, call, options.runs, "{1}");
}

BenchmarkPlan bench_vectors(const BenchmarkOptions& options) {
  check_no_product_options(options);
  check_no_batch(options);
  const DataType type = parse_type(options.product.type);
  if (!(options.forced.choice() == Choice{}))
    throw UsageError("vector operations have no variants; leave out --variant and --configuration");
  if (options.product.transposes != "NN") throw UsageError("--trans is not for --op vector; leave it out");
  BenchmarkPlan plan{.columns = memory_bound_columns(options, "vectors")};
  for (const std::string& shape : options.shapes) {
    const std::uint64_t n = parse_elements(shape);
    for (const std::string& name : options.names.empty() ? vector_function_names() : options.names) {
      const MemoryBoundCall call{fmt::format("{} of {} {}", name, n, options.product.type),
                                 {{"operation", "vector"}, {"name", name}, {"n", n}, {"type", options.product.type}}};
      const auto measure_call = [&options, &function = find_function(name), type, n, call](const Session& session) {
        return measure(session, function, {.type = type, .n = n}, call, options);
      };
      plan.problems.push_back({call.label, measure_call});
    }
  }
  if (plan.problems.empty()) throw UsageError("nothing to measure: give --shape");
  check_references(options.against);
  return plan;
}

}  // namespace

std::vector<std::string> vector_function_names() {
  std::vector<std::string> names;
  for (const VectorFunction& function : vector_functions) names.emplace_back(function.name);
  return names;
}

const Benchmark vector_benchmark{"vector", bench_vectors};

}  // namespace tilewright::tool
