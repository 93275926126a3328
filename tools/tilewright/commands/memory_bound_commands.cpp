#include "commands/memory_bound_commands.hpp"

#include <fmt/format.h>

#include <exception>
#include <functional>

#include "compare/contender.hpp"
#include "compare/memory_bound.hpp"
#include "runtime/system/plain_text.hpp"
#include "session.hpp"
#include "shape.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

/// A measurement: its label, its JSON fields, and the function that measures.
struct MemoryBoundCall {
  std::string label;
  Json fields;
  std::function<MemoryBoundRun(const Session&)> measure;
};

std::uint64_t parse_elements(const std::string& text) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  const auto n = detail::find_whole<std::uint64_t>(text);
  if (!n || *n == 0 || *n > most)
    throw UsageError(fmt::format("{} is not a number of elements from 1 to 2^40", in_quotes(text)));
  return *n;
}

Json to_json(const MemoryBoundCall& call, const MemoryBoundRun& run, const Device& device) {
  Json json = call.fields;
  json["seconds"] = run.seconds;
  json["gigabytes_per_second"] = run.bytes / run.seconds * 1e-9;
  json["of_copy_speed"] = run.copy_seconds / run.seconds;
  json["copy_seconds"] = run.copy_seconds;
  json["first_call_seconds"] = run.first_call_seconds;
  json["verified"] = run.wrong.empty();
  json["against"] = Json::object();
  for (const auto& reference : run.references)
    if (reference.seconds > 0)
      json["against"][reference.name] = {{"seconds", reference.seconds}, {"ratio", reference.seconds / run.seconds}};
  add_device(json, device);
  return json;
}

std::vector<Column> columns_of(const MemoryBoundOptions& options, const char* first) {
  std::vector<Column> columns{{first, false, false, 26},      {"time", true, false, 8},
                              {"GB/s", true, false, 7},       {"of copy", true, false, 7},
                              {"first call", true, true, 10}, {"verified", true, false, 8}};
  for (const std::string& name : options.against) columns.push_back({"x " + name, true, false, 10});
  return columns;
}

std::vector<Cell> row_of(const MemoryBoundCall& call, const MemoryBoundRun& run) {
  std::vector<Cell> row{call.label,
                        format_seconds(run.seconds),
                        format_number(run.bytes / run.seconds * 1e-9),
                        fmt::format("{:.2f}", run.copy_seconds / run.seconds),
                        format_seconds(run.first_call_seconds),
                        run.wrong.empty() ? Cell("yes") : Cell("NO", Style::bad)};
  for (const auto& reference : run.references) {
    const double ratio = reference.seconds / run.seconds;
    if (reference.seconds > 0)
      row.emplace_back(fmt::format("{:.2f}", ratio), ratio >= 1 ? Style::good : Style::plain);
    else
      row.emplace_back("-");
  }
  return row;
}

int measure_all(const std::vector<MemoryBoundCall>& calls, const MemoryBoundOptions& options, const char* first) {
  if (calls.empty()) throw UsageError("nothing to measure: give --shape");
  check_references(options.against);
  const Session session(options.product.device);
  RowPrinter table(columns_of(options, first), output_page());
  if (!options.json) fmt::print("device {}  {}\n", session.device().index(), session.device().profile.name);
  int status = 0;
  const auto fail = [&](const std::string& message) {
    clear_progress();
    print_error(message);
    status = ExitStatus::failed;
  };
  for (const MemoryBoundCall& call : calls) {
    try {
      const MemoryBoundRun run = call.measure(session);
      if (options.json) {
        print_json(to_json(call, run, session.device()));
      } else {
        fmt::print("{}", table.add_row(row_of(call, run)));
        std::fflush(stdout);
      }
      if (!run.wrong.empty()) fail(fmt::format("{}: {}", call.label, run.wrong));
      for (const auto& reference : run.references)
        if (!reference.wrong.empty()) fail(fmt::format("{}: {}", call.label, reference.wrong));
    } catch (const std::exception& error) {
      // Continue with the other calls.
      fail(fmt::format("{}: {}", call.label, error.what()));
    }
  }
  return status;
}

}  // namespace

int bench_vectors(const MemoryBoundOptions& options) {
  const DataType type = parse_type(options.product.type);
  if (!(options.forced.choice() == Choice{}))
    throw UsageError("vector operations have no variants; leave out --variant and --configuration");
  if (options.product.transposes != "NN") throw UsageError("--trans is not for --op vector; leave it out");
  std::vector<MemoryBoundCall> calls;
  for (const std::string& shape : options.shapes) {
    const std::uint64_t n = parse_elements(shape);
    for (const std::string& name : options.names.empty() ? vector_call_names() : options.names)
      calls.push_back({fmt::format("{} of {} {}", name, n, options.product.type),
                       {{"operation", "vector"}, {"name", name}, {"n", n}, {"type", options.product.type}},
                       [=](const Session& session) {
                         return measure_vector_call(session, name, type, n, options.against, options.runs);
                       }});
  }
  return measure_all(calls, options, "vectors");
}

int bench_gemv(const MemoryBoundOptions& options) {
  const Choice choice = options.forced.choice();
  std::vector<MemoryBoundCall> calls;
  for (const std::string& shape : options.shapes) {
    TransposeProblem matrix;
    parse_matrix_shape(shape, matrix);
    GemmProblem product = options.product.problem();
    if (product.trans_b != Transpose::no) throw UsageError("x has no transpose; use --trans NN, TN or CN");
    const GemvProblem problem{.type = product.type, .trans = product.trans_a, .m = matrix.m, .n = matrix.n};
    const std::string trans = transposes_of(product).substr(0, 1);
    calls.push_back(
        {fmt::format("{} x {} {} {}", problem.m, problem.n, options.product.type, trans),
         {{"operation", "gemv"}, {"m", problem.m}, {"n", problem.n}, {"trans", trans}, {"type", options.product.type}},
         [=](const Session& session) {
           return measure_gemv(session, problem, choice, options.against, options.runs);
         }});
  }
  return measure_all(calls, options, "matrix");
}

}  // namespace tilewright::tool
