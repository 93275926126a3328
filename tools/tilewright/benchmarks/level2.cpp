// A triangle of a matrix and vectors: symv, trmv, syr, syr2 and their Hermitian forms.
#include <fmt/format.h>

#include <span>

#include "benchmarks/memory_bound.hpp"
#include "compare/level2_calls.hpp"
#include "compare/references.hpp"
#include "kernels/host_type.hpp"
#include "options/shape.hpp"
#include "tilewright/symv.hpp"
#include "tilewright/syr.hpp"
#include "tilewright/trmv.hpp"
#include "usage_error.hpp"
#include "verification/common/random_data.hpp"
#include "verification/level2/level2_case.hpp"

namespace tilewright::tool {
namespace {

using verification::Level2Call;
using verification::Level2Case;

bool is_update(Level2Call call) {
  return call == Level2Call::syr || call == Level2Call::her || call == Level2Call::syr2 || call == Level2Call::her2;
}

Symmetry symmetry_of(Level2Call call) {
  const bool is_hermitian = call == Level2Call::hemv || call == Level2Call::her || call == Level2Call::her2;
  return is_hermitian ? Symmetry::hermitian : Symmetry::symmetric;
}

/// Returns the variants of the function, which are not listed anywhere else.
std::vector<VariantInfo> variants_of(Level2Call call) {
  const Parameter groups{.name = "groups"};
  const std::vector<Parameter> of_tiles = is_update(call) ? std::vector<Parameter>() : std::vector{groups};
  return {{.name = "rows", .parameters = {groups}}, {.name = "tiles", .parameters = of_tiles}};
}

/// A, x and y, on the host and on the device. A of trmv is the identity, so that x stays bounded.
struct TriangleData {
  TriangleData(const Session& session, const Level2Case& test) {
    detail::with_host_type(test.type, [&]<class T>(std::type_identity<T>) {
      for (std::size_t i = 0; i < 3; ++i) {
        auto numbers =
            verification::random_data<T>(i == 0 ? test.n * test.n : test.n, verification::DataKind::uniform, i);
        if (i == 0 && test.call == Level2Call::trmv)
          for (std::uint64_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<T>(k % (test.n + 1) == 0 ? 1 : 0);
        const auto bytes = std::as_bytes(std::span(numbers));
        host.emplace_back(bytes.begin(), bytes.end());
        device.push_back(session.make_buffer(host.back()));
      }
    });
  }

  HostVectors host;
  DeviceVectors device;
};

Event enqueue(const Session& session, const Level2Case& test, const TriangleData& data, bool event) {
  const MatrixRef a{data.device[0].get()}, x{data.device[1].get()}, y{data.device[2].get()};
  const Engine& engine = session.engine();
  const Symmetry symmetry = symmetry_of(test.call);
  switch (test.call) {
    case Level2Call::symv:
    case Level2Call::hemv:
      break;
    case Level2Call::trmv:
      return trmv(engine, session.queue(),
                  {.type = test.type, .uplo = test.uplo, .trans = test.trans, .diag = test.diag, .n = test.n},
                  {.a = a, .x = x, .event = event}, {}, test.choice);
    case Level2Call::syr:
    case Level2Call::her:
      return syr(engine, session.queue(), {.type = test.type, .uplo = test.uplo, .symmetry = symmetry, .n = test.n},
                 {.alpha = test.alpha, .x = x, .a = a, .event = event}, {}, test.choice);
    case Level2Call::syr2:
    case Level2Call::her2:
      return syr2(engine, session.queue(), {.type = test.type, .uplo = test.uplo, .symmetry = symmetry, .n = test.n},
                  {.alpha = test.alpha, .x = x, .y = y, .a = a, .event = event}, {}, test.choice);
  }
  return symv(engine, session.queue(), {.type = test.type, .uplo = test.uplo, .symmetry = symmetry, .n = test.n},
              {.alpha = test.alpha, .a = a, .x = x, .beta = test.beta, .y = y, .event = event}, {}, test.choice);
}

/// Its check runs in separate guarded memory.
Contender own_contender(const Session& session, const Level2Case& test, const TriangleData& data) {
  const auto run = [&session, &test, &data](unsigned calls) {
    enqueue_all(calls, [&](bool event) { return enqueue(session, test, data, event); });
  };
  const auto check = [&session, &test]() -> Verdict { return {.wrong = try_level2_case(session.engine(), test)}; };
  return {.run = run, .check = check};
}

/// Returns a library's function, whose results are not verified; nothing if it has none.
std::optional<Contender> library_function(const std::string& library, const Session& session, const Level2Case& test,
                                          TriangleData& data) {
  if (library == "openblas") return openblas_function(openblas_level2_call(test, data.host));
  return clblast_function(clblast_level2_call(session, test, data.device));
}

BenchmarkResult measure(const Session& session, const Level2Case& test, MemoryBoundCall call,
                        const BenchmarkOptions& options) {
  const auto n = static_cast<double>(test.n), element = static_cast<double>(size_of(test.type));
  session.require_memory(n * n * element);
  // The triangle is read once, and by an update also written. Each vector counts once.
  const double vectors =
      test.call == Level2Call::trmv || test.call == Level2Call::syr || test.call == Level2Call::her ? 1 : 2;
  call.bytes = element * ((is_update(test.call) ? 2 : 1) * n * (n + 1) / 2 + vectors * n);
  TriangleData data(session, test);
  Contest contest(session.engine(), call.label, {});
  contest.add(options.operation.name, [&] { return own_contender(session, test, data); });
  for (const std::string& library : options.against)
    contest.add_reference_if(library, library_function(library, session, test, data));
  return measure_memory_bound(session, contest, call, options.runs, "{1}");
}

Transpose trans_of(const BenchmarkOptions& options, Level2Call call) {
  const std::string& text = options.product.transposes;
  if (text == "NN" || text == "N") return Transpose::no;  // "NN" is the default
  if (call != Level2Call::trmv)
    throw UsageError(fmt::format("--trans is not for --op {}; leave it out", options.operation.name));
  if (text == "T") return Transpose::yes;
  if (text == "C") return Transpose::conjugate_transpose;
  throw UsageError(fmt::format("--trans is {}, but --op trmv takes N, T and C", text));
}

BenchmarkPlan bench_level2(const BenchmarkOptions& options) {
  check_no_product_options(options);
  check_no_names(options);
  check_no_batch(options);
  const std::string& name = options.operation.name;
  const auto call = verification::value_of(verification::level2_calls, "function", name);
  BenchmarkPlan plan{.columns = memory_bound_columns(options, "matrix")};
  for (const std::string& shape : options.shapes) {
    const auto [n, second] = parse_order(shape);
    if (second != 0)
      throw UsageError(
          fmt::format("bad shape {}: --op {} takes the order N of a matrix, for example 4096", shape, name));
    const Level2Case test{.call = call,
                          .choice = options.forced.choice(variants_of(call)),
                          .type = parse_type(options.product.type),
                          .uplo = options.lapack.uplo == "upper" ? Uplo::upper : Uplo::lower,
                          .trans = trans_of(options, call),
                          .diag = options.lapack.diag == "unit" ? Diag::unit : Diag::non_unit,
                          .n = n,
                          .gap = 0,
                          .alpha = 0.5,
                          .beta = 0,
                          .offset = 0};
    const MemoryBoundCall measured{fmt::format("{} of order {} {}", name, n, options.product.type),
                                   {{"operation", name}, {"n", n}, {"type", options.product.type}}};
    plan.problems.push_back({measured.label, [&options, test, measured](const Session& session) {
                               return measure(session, test, measured, options);
                             }});
  }
  if (plan.problems.empty()) throw UsageError("nothing to measure: give --shape");
  check_references(options.against);
  return plan;
}

}  // namespace

std::vector<Benchmark> level2_benchmarks() {
  std::vector<Benchmark> list;
  for (const auto& [call, name] : verification::level2_calls) list.push_back({name, bench_level2});
  return list;
}

}  // namespace tilewright::tool
