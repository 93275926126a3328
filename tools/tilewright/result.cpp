#include "result.hpp"

#include <fmt/format.h>

#include "gemm/problem.hpp"
#include "shape.hpp"

namespace tilewright::tool {

double Result::gflops() const { return flops_of(problem) / seconds * 1e-9; }

void Result::set_measurement(const Entrant& entrant) {
  measured = true;
  seconds = entrant.median_seconds();
  first_call_seconds = entrant.first_call_seconds;
  compilation = entrant.compilation;
  error_over_bound = entrant.comparison.error_over_bound;
  verified = entrant.verified();
}

void Result::add_reference(const Entrant& reference) {
  against.push_back({reference.name, reference.median_seconds()});
}

Json to_json(const Result& result, const Device& device) {
  const auto number = [&](double value) { return result.measured ? Json(value) : Json(); };
  Json against = Json::object();
  for (const Result::Against& reference : result.against) {
    against[reference.name] = {{"seconds", reference.seconds}, {"ratio", number(reference.seconds / result.seconds)}};
  }
  Json json = {
      {"m", result.problem.m},
      {"n", result.problem.n},
      {"k", result.problem.k},
      {"batch", result.problem.batch.count},
      {"type", tilewright::to_string(result.problem.type)},
      {"trans", transposes_of(result.problem)},
      {"variant", result.variant},
      {"configuration", result.configuration},
      {"seconds", number(result.seconds)},
      {"gflops", number(result.gflops())},
      {"first_call_seconds", number(result.first_call_seconds)},
      {"programs_compiled", result.compilation.programs},
      {"compile_seconds", number(result.compilation.seconds)},
      {"error_over_bound", number(result.error_over_bound)},  // null if infinite
      {"verified", result.verified},
      {"against", against},
  };
  if (const DataType type_c = detail::type_of_c(result.problem); type_c != result.problem.type)
    json["type_c"] = tilewright::to_string(type_c);
  if (result.problem.accuracy != Accuracy::full) json["accuracy"] = tilewright::to_string(result.problem.accuracy);
  if (const std::string epilogue = epilogue_of(result.problem); !epilogue.empty()) json["epilogue"] = epilogue;
  if (!result.note.empty()) json["note"] = result.note;
  add_device(json, device);
  return json;
}

std::string describe_failure(const Entrant& entrant) {
  const verification::Comparison& worst = entrant.comparison;
  const std::string columns =
      worst.width == 1 ? fmt::format("column {}", worst.column)
                       : fmt::format("the signed sum of {} columns from column {}", worst.width, worst.column);
  return fmt::format("wrong result of {}: row {}, {}: found {}, expected {}; the error is {} times the error bound",
                     entrant.name, worst.row, columns, worst.result, worst.expected, worst.error_over_bound);
}

}  // namespace tilewright::tool
