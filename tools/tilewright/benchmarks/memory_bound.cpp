#include "benchmarks/memory_bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/rows.hpp"
#include "compare/references.hpp"
#include "text/format.hpp"
#include "tilewright/vector.hpp"

namespace tilewright::tool {
namespace {

std::vector<Cell> cells_of(const MemoryBoundCall& call, const Contest& contest, double copy_seconds) {
  const Entrant& entrant = contest.own.front();
  std::vector<Cell> row{call.label,
                        format_seconds(entrant.seconds),
                        format_number(call.bytes / entrant.seconds * 1e-9),
                        fmt::format("{:.2f}", copy_seconds / entrant.seconds),
                        format_seconds(entrant.first_call_seconds),
                        verified_cell(entrant)};
  add_ratios(row, entrant, contest.references);
  return row;
}

Json json_of(const MemoryBoundCall& call, const Contest& contest, double copy_seconds, const Device& device) {
  const Entrant& entrant = contest.own.front();
  Json json = call.fields;
  json["seconds"] = entrant.seconds;
  json["gigabytes_per_second"] = call.bytes / entrant.seconds * 1e-9;
  json["of_copy_speed"] = copy_seconds / entrant.seconds;
  json["copy_seconds"] = copy_seconds;
  json["first_call_seconds"] = entrant.first_call_seconds;
  json["verified"] = entrant.verified();
  json["against"] = against_json(entrant, contest.references);
  add_device(json, device);
  return json;
}

}  // namespace

Timed buffer_copy(const Session& session, cl_mem from, cl_mem to, std::size_t bytes) {
  return {"clEnqueueCopyBuffer",
          [&session, from, to, bytes](unsigned calls) {
            for (unsigned call = 0; call < calls; ++call)
              check_opencl(clEnqueueCopyBuffer(session.queue(), from, to, 0, 0, bytes, 0, nullptr, nullptr),
                           "clEnqueueCopyBuffer");
            check_opencl(clFinish(session.queue()), "clFinish");
          },
          {}};
}

BenchmarkResult measure_memory_bound(const Session& session, Contest& contest, const MemoryBoundCall& call,
                                     unsigned runs, std::string_view pattern) {
  const std::uint64_t words = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(call.bytes / 8));
  const std::vector<std::byte> content(4 * words);
  const Buffer from = session.make_buffer(content), to = session.make_buffer(content);
  const auto copy_words = [&](unsigned calls) {
    enqueue_all(calls, [&](bool) {
      return copy(session.engine(), session.queue(), {.n = words}, {.x = {from.get()}, .y = {to.get()}});
    });
  };
  const std::vector<double> copies = contest.time(
      {.runs = runs}, {buffer_copy(session, from.get(), to.get(), content.size()), {"copy()", copy_words, {}}});
  const double copy_seconds = std::min(copies[0], copies[1]);
  return {.rows = {{cells_of(call, contest, copy_seconds), json_of(call, contest, copy_seconds, session.device())}},
          .failures = contest.failures(pattern)};
}

std::optional<Contender> openblas_function(const std::function<void()>& call) {
  if (!call) return {};
  return Contender{.run = repeat(call), .settle = let_openblas_sleep};
}

std::optional<Contender> clblast_function(const std::function<void(unsigned)>& run) {
  if (!run) return {};
  return Contender{.run = run};
}

std::vector<Column> memory_bound_columns(const BenchmarkOptions& options, const char* first) {
  std::vector<Column> columns{{first, false, false, 26},      {"time", true, false, 8},
                              {"GB/s", true, false, 7},       {"of copy", true, false, 7},
                              {"first call", true, true, 10}, {"verified", true, false, 8}};
  add_reference_columns(columns, options.against);
  return columns;
}

}  // namespace tilewright::tool
