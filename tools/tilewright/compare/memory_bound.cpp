#include "compare/memory_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <thread>
#include <utility>

#include "compare/contender.hpp"
#include "compare/measure.hpp"
#include "kernels/host_type.hpp"
#include "result.hpp"
#include "runtime/system/stopwatch.hpp"
#include "text/progress.hpp"
#include "text/suggest.hpp"
#include "tilewright/vector.hpp"
#include "tuning/measure/median.hpp"
#include "usage_error.hpp"
#include "verification/vector/vector_trial.hpp"
#include "workload.hpp"

namespace tilewright::tool {
namespace {

using verification::VectorCall;

/// A benchmarked call. The scalars keep the numbers bounded over any number of calls.
struct VectorBench {
  const char* name;
  VectorCall call;
  unsigned traffic;  ///< number of vectors read or written
  double alpha = 1, beta = 1;
};
constexpr VectorBench vector_benches[] = {
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

const VectorBench& find_bench(const std::string& name) {
  for (const VectorBench& bench : vector_benches)
    if (bench.name == name) return bench;
  throw UsageError(unknown_word("operation on vectors", name, vector_call_names()));
}

Event enqueue(const Session& session, const VectorBench& bench, const VectorProblem& problem,
              const DeviceVectors& vectors) {
  const MatrixRef x{vectors[0].get()}, y{vectors[1].get()}, z{vectors[2].get()};
  const VectorOperands operands{.alpha = bench.alpha, .x = x, .beta = bench.beta, .y = y, .z = z, .result = z};
  if (bench.call == VectorCall::axpby && bench.beta == 1)
    return axpy(session.engine(), session.queue(), problem, operands);
  return verification::enqueue(session.engine(), session.queue(), bench.call, problem, operands);
}

/// Two ways to copy between a pair of own buffers.
class Copies {
 public:
  Copies(const Session& session, double bytes)
      : session_(session), words_(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(bytes / 8))) {
    const std::vector<std::byte> content(4 * words_);
    from_ = session.make_buffer(content);
    to_ = session.make_buffer(content);
  }

  std::vector<Timed> timed() const {
    return {
        {"clEnqueueCopyBuffer",
         [this](unsigned calls) {
           for (unsigned call = 0; call < calls; ++call)
             check_opencl(
                 clEnqueueCopyBuffer(session_.queue(), from_.get(), to_.get(), 0, 0, 4 * words_, 0, nullptr, nullptr),
                 "clEnqueueCopyBuffer");
           check_opencl(clFinish(session_.queue()), "clFinish");
         },
         {}},
        {"copy()",
         [this](unsigned calls) {
           Event last;
           for (unsigned call = 0; call < calls; ++call)
             last = copy(session_.engine(), session_.queue(), {.n = words_}, {.x = {from_.get()}, .y = {to_.get()}});
           last.wait();
         },
         {}}};
  }

 private:
  const Session& session_;
  std::uint64_t words_;
  Buffer from_, to_;
};

/// Times all functions in turns, together with copies. The first one is Tilewright's, the rest are references.
void time_with_copies(const Session& session, std::vector<Timed> timed, unsigned runs, MemoryBoundRun& result) {
  const Copies copies(session, result.bytes);
  for (Timed& copy : copies.timed()) timed.push_back(std::move(copy));
  MeasureLimits limits;
  limits.runs = runs;
  measure_in_turns(timed, limits);
  clear_progress();
  result.seconds = tuning::median(timed.front().seconds);
  for (const Timed& one : timed)
    for (MemoryBoundRun::Reference& reference : result.references)
      if (reference.name == one.name) reference.seconds = tuning::median(one.seconds);
  result.copy_seconds = std::min(tuning::median(timed[timed.size() - 2].seconds), tuning::median(timed.back().seconds));
}

// OpenBLAS's threads spin for a while after a call, on cores that the next call may need.
void let_threads_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(120)); }

class GemvContender final : public Contender {
 public:
  GemvContender(Workload& workload, const GemvProblem& problem, Choice choice)
      : Contender(workload), problem_(problem), choice_(std::move(choice)) {}

  void run(unsigned calls) override {
    const Session& session = workload().session();
    const GemmOperands product = workload().operands();
    GemvOperands operands{.a = product.a, .x = product.b, .y = product.c};
    for (unsigned left = calls; left > 0; --left) {
      operands.event = left == 1;
      const Event last = gemv(session.engine(), session.queue(), problem_, operands, {}, choice_);
      if (operands.event) last.wait();
    }
  }

 private:
  GemvProblem problem_;
  Choice choice_;
};

}  // namespace

std::vector<std::string> vector_call_names() {
  std::vector<std::string> names;
  for (const VectorBench& bench : vector_benches) names.emplace_back(bench.name);
  return names;
}

MemoryBoundRun measure_vector_call(const Session& session, const std::string& name, DataType type, std::uint64_t n,
                                   const std::vector<std::string>& against, unsigned runs) {
  const VectorBench& bench = find_bench(name);
  const double vector_bytes = static_cast<double>(n) * static_cast<double>(size_of(type));
  session.require_memory(3 * vector_bytes);
  MemoryBoundRun result{.bytes = bench.traffic * vector_bytes};
  const VectorProblem problem{.type = type, .n = n};
  HostVectors host(3);
  DeviceVectors device;
  detail::with_host_type(type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < host.size(); ++i) {
      const auto numbers = verification::random_data<T>(n, verification::DataKind::uniform, i);
      const auto bytes = std::as_bytes(std::span(numbers));
      host[i].assign(bytes.begin(), bytes.end());
      host[i].resize(std::max<std::size_t>(host[i].size(), 16));  // must hold a result
      device.push_back(session.make_buffer(host[i]));
    }
  });
  show_progress(fmt::format("{} of {}: first call", name, n));
  const detail::Stopwatch begin;
  enqueue(session, bench, problem, device).wait();
  result.first_call_seconds = begin.seconds();
  result.wrong = verification::try_vector_case(session.engine(), {.call = bench.call,
                                                                  .type = type,
                                                                  .n = n,
                                                                  .alpha = bench.alpha,
                                                                  .beta = bench.beta,
                                                                  .memory = verification::Memory::exact});
  std::vector<Timed> timed{{name,
                            [&](unsigned calls) {
                              Event last;
                              for (unsigned call = 0; call < calls; ++call)
                                last = enqueue(session, bench, problem, device);
                              last.wait();
                            },
                            {}}};
  for (const std::string& library : against) {
    result.references.push_back({library, 0, {}});
    if (library == "openblas") {
      if (const auto call = openblas_vector_call(name, type, n, host))
        timed.push_back({library,
                         [call](unsigned calls) {
                           for (unsigned x = 0; x < calls; ++x) call();
                         },
                         let_threads_sleep});
    } else if (const auto calls = clblast_vector_call(session, name, type, n, device)) {
      timed.push_back({library, calls, {}});
    }
  }
  time_with_copies(session, std::move(timed), runs, result);
  return result;
}

MemoryBoundRun measure_gemv(const Session& session, const GemvProblem& problem, const Choice& choice,
                            const std::vector<std::string>& against, unsigned runs) {
  const bool is_stored = problem.trans == Transpose::no;
  const GemmProblem product{.type = problem.type,
                            .trans_a = problem.trans,
                            .m = is_stored ? problem.m : problem.n,
                            .n = 1,
                            .k = is_stored ? problem.n : problem.m};
  check_references(against, product);
  Workload workload(session, product);
  const auto elements = static_cast<double>(problem.m) * static_cast<double>(problem.n) +
                        static_cast<double>(problem.m) + static_cast<double>(problem.n);
  MemoryBoundRun result{.bytes = elements * static_cast<double>(size_of(problem.type))};
  std::vector<Entrant> entrants;
  entrants.push_back(
      make_entrant("gemv", workload, [&] { return std::make_unique<GemvContender>(workload, problem, choice); }));
  for (const std::string& name : against)
    entrants.push_back(make_entrant(name, workload, [&] { return make_reference(name, workload); }));
  result.first_call_seconds = entrants.front().first_call_seconds;
  if (!entrants.front().verified()) result.wrong = describe_failure(entrants.front());
  std::vector<Timed> timed;
  for (Entrant& entrant : entrants) {
    if (&entrant != &entrants.front())
      result.references.push_back({entrant.name, 0, entrant.verified() ? std::string() : describe_failure(entrant)});
    timed.push_back(
        {entrant.name, [&](unsigned calls) { entrant.contender->run(calls); }, [&] { entrant.contender->settle(); }});
  }
  time_with_copies(session, std::move(timed), runs, result);
  return result;
}

#ifndef TILEWRIGHT_WITH_OPENBLAS
std::function<void()> openblas_vector_call(std::string_view, DataType, std::uint64_t, HostVectors&) { return {}; }
#endif
#ifndef TILEWRIGHT_WITH_CLBLAST
std::function<void(unsigned)> clblast_vector_call(const Session&, std::string_view, DataType, std::uint64_t,
                                                  const DeviceVectors&) {
  return {};
}
#endif

}  // namespace tilewright::tool
