#include "toy/problem.hpp"

#include "selection/problem_measures.hpp"
#include "selection/record_book.hpp"

namespace tilewright::detail {
namespace {

using Problem = const ToyProblem&;
using Profile = const DeviceProfile&;

struct Pieces {
  std::int64_t pieces;
};

// One group copies one piece. The parts of the toy above the library copy with commands instead of kernels.
std::vector<Launch> groups(std::size_t count) {
  return {{.kernel = "toy", .arguments = {}, .global = {count}, .local = {1}}};
}

constexpr Variant<ToyProblem> whole{
    .name = "whole",
    .summary = "copies all bytes at once",
    .program = {.file = ""},
    .parameters = {{"pieces", &Pieces::pieces, "number of pieces", {1}}},
    .preferences = [](Problem, Profile) -> std::vector<ParameterValues> { return {Pieces{1}}; },
    .edges = [](const Pieces&) -> Edges { return {}; },
    .execution = [](const Pieces&, Problem, Profile) -> Execution { return {.launches = groups(1)}; },
};

constexpr Variant<ToyProblem> in_pieces{
    .name = "in_pieces",
    .summary = "copies pieces of equal size",
    .program = {.file = ""},
    .parameters = {{"pieces", &Pieces::pieces, "number of pieces", {2, 4, 16}}},
    .preferences = [](Problem, Profile) -> std::vector<ParameterValues> { return {Pieces{16}}; },
    .edges = [](const Pieces&) -> Edges { return {}; },
    .execution = [](const Pieces& c, Problem, Profile) -> Execution {
      return {.launches = groups(static_cast<std::size_t>(c.pieces))};
    },
};

constexpr const Variant<ToyProblem>* all[] = {&whole, &in_pieces};

constexpr Default<ToyProblem> defaults[] = {{{&in_pieces, "the toy's default"}}};

}  // namespace

nlohmann::ordered_json RecordFormat<ToyProblem>::to_json(const ToyProblem& problem) {
  nlohmann::ordered_json values{{"operation", "toy"}};
  write_fields(values, problem);
  return values;
}

ToyProblem RecordFormat<ToyProblem>::from_json(const nlohmann::json& values) {
  ToyProblem problem;
  read_fields(values, problem);
  return problem;
}

std::span<const Variant<ToyProblem>* const> Operation<ToyProblem>::variants() { return all; }

UntunedChoice<ToyProblem> Operation<ToyProblem>::untuned(const ToyProblem& problem, const DeviceProfile& device) {
  return first_usable<ToyProblem>(defaults, problem, device);
}

double Operation<ToyProblem>::distance(const ToyProblem& left, const ToyProblem& right) {
  return log_ratio(left.bytes, right.bytes);
}

}  // namespace tilewright::detail
