#include "commands/operation_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "commands/explanation.hpp"
#include "compare/contender.hpp"
#include "compare/transposition.hpp"
#include "files/shapes_file.hpp"
#include "shape.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/page.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

Json to_json(const TransposeProblem& problem, const Move& move, const Moves& moves, const Device& device) {
  Json json = {{"operation", "transpose"},
               {"m", problem.m},
               {"n", problem.n},
               {"type", tilewright::to_string(problem.type)},
               {"in_place", problem.in_place},
               {"variant", move.name},
               {"configuration", move.configuration},
               {"seconds", move.measured ? Json(move.seconds) : Json()},
               {"gigabytes_per_second", move.measured ? Json(moves.bytes / move.seconds * 1e-9) : Json()},
               {"of_copy_speed", move.measured ? Json(moves.copy_seconds / move.seconds) : Json()},
               {"copy_seconds", moves.copy_seconds},
               {"first_call_seconds", move.measured ? Json(move.first_call_seconds) : Json()},
               {"verified", move.measured && move.wrong.empty()},
               {"note", move.note.empty() ? Json() : Json(move.note)},
               {"against", Json::object()}};
  for (const Move& reference : moves.references)
    if (reference.measured) json["against"][reference.name] = reference.seconds;
  add_device(json, device);
  return json;
}

std::vector<Column> columns_of(const TransposeOptions& options, bool by_shape) {
  std::vector<Column> columns;
  if (by_shape) columns.push_back({"matrix", false, false, 26});
  for (const Column& column :
       {Column{"variant", false, false, 17}, Column{"time", true, false, 8}, Column{"GB/s", true, false, 7},
        Column{"of copy", true, false, 7}, Column{"first call", true, true, 10}, Column{"verified", true, false, 8}})
    columns.push_back(column);
  for (const std::string& name : options.against) columns.push_back({"x " + name, true, false, 10});
  columns.push_back({"configuration", false, true, 60});
  return columns;
}

std::vector<Cell> row_of(const Move& move, const Moves& moves, const TransposeOptions& options) {
  if (!move.measured) {
    std::vector<Cell> row{{move.name, Style::faint}};
    row.resize(row.size() + 5 + options.against.size(), Cell("-"));
    row.emplace_back(move.note);
    return row;
  }
  std::vector<Cell> row{move.name,
                        format_seconds(move.seconds),
                        format_number(moves.bytes / move.seconds * 1e-9),
                        fmt::format("{:.2f}", moves.copy_seconds / move.seconds),
                        format_seconds(move.first_call_seconds),
                        move.wrong.empty() ? Cell("yes") : Cell("NO", Style::bad)};
  for (const Move& reference : moves.references)
    row.emplace_back(reference.measured ? fmt::format("{:.2f}", reference.seconds / move.seconds) : "-");
  row.emplace_back(move.configuration);
  return row;
}

/// Prints wrong results and returns the exit status.
int report_failures(const TransposeProblem& problem, const Moves& moves) {
  int status = 0;
  for (const auto* const list : {&moves.moves, &moves.references})
    for (const Move& move : *list) {
      if (move.wrong.empty()) continue;
      print_error(fmt::format("{}: {} is wrong: {}", to_string(problem), move.name, move.wrong));
      status = ExitStatus::failed;
    }
  return status;
}

}  // namespace

int bench_transpose(const TransposeOptions& options) {
  const Choice choice = options.forced.choice(transpose_variants());
  check_references(options.against);
  std::vector<TransposeProblem> problems;
  for (const std::string& shape : options.shapes)
    problems.push_back(options.operation.transposition(options.product, shape));
  if (!options.shapes_file.empty())
    for (const TransposeProblem& problem :
         read_matrix_shapes(options.shapes_file, options.operation.transposition(options.product)))
      problems.push_back(problem);
  if (problems.empty()) throw UsageError("nothing to measure: give --shape or --shapes");
  const Session session(options.product.device);
  RowPrinter table(columns_of(options, true), output_page());
  if (!options.json) fmt::print("device {}  {}\n", session.device().index(), session.device().profile.name);
  int status = 0;
  for (const TransposeProblem& problem : problems) {
    try {
      const Moves moves = measure_moves(session, problem, {choice}, options.against, options.runs);
      if (options.json) {
        print_json(to_json(problem, moves.moves.front(), moves, session.device()));
      } else {
        std::vector<Cell> row = row_of(moves.moves.front(), moves, options);
        row.insert(row.begin(), to_string(problem));
        fmt::print("{}", table.add_row(row));
        std::fflush(stdout);
      }
      status = std::max(status, report_failures(problem, moves));
    } catch (const std::exception& error) {
      // Continue with the other shapes.
      clear_progress();
      print_error(fmt::format("{}: {}", to_string(problem), error.what()));
      status = ExitStatus::failed;
    }
  }
  return status;
}

int run_transpose_ladder(const TransposeOptions& options) {
  check_references(options.against);
  const TransposeProblem problem = options.operation.transposition(options.product, options.shapes.at(0));
  const Session session(options.product.device);
  std::vector<Choice> choices;
  for (const VariantInfo& variant : pick_variants(transpose_variants(), options.variants)) {
    choices.push_back({variant.name, {}});
    for (const Configuration& strategy : variant.strategies) choices.push_back({variant.name, strategy});
  }
  const Moves moves = measure_moves(session, problem, choices, options.against, options.runs);
  const auto slower = [](const Move& left, const Move& right) {
    return !left.measured || (right.measured && right.seconds < left.seconds);
  };
  const auto fastest = std::min_element(moves.moves.begin(), moves.moves.end(),
                                        [&](const Move& left, const Move& right) { return slower(right, left); });
  Table table(columns_of(options, false));
  for (const Move& move : moves.moves) {
    if (options.json) {
      Json line = to_json(problem, move, moves, session.device());
      line["fastest"] = &move == &*fastest;
      print_json(line);
    } else {
      table.add_row(row_of(move, moves, options), &move == &*fastest);
    }
  }
  if (!options.json)
    fmt::print("device {}  {}\nB = A^T, {}, row-major; a copy of as many bytes takes {}\n\n{}",
               session.device().index(), session.device().profile.name, to_string(problem),
               format_seconds(moves.copy_seconds), table.to_string(output_page()));
  return report_failures(problem, moves);
}

int explain_transpose_choice(const TransposeOptions& options) {
  const TransposeProblem problem = options.operation.transposition(options.product, options.shapes.at(0));
  const Choice forced = options.forced.choice(transpose_variants());
  const Device device = pick_device(options.product.device);
  const Explanation explanation = explain_transpose(device.profile, problem, forced);
  const Json fields = {{"operation", "transpose"},
                       {"m", problem.m},
                       {"n", problem.n},
                       {"type", tilewright::to_string(problem.type)},
                       {"in_place", problem.in_place}};
  if (options.json)
    print_json(to_json(device, fields, explanation));
  else
    print_explanation(device, "matrix", to_string(problem), explanation);
  return 0;
}

}  // namespace tilewright::tool
