// Every field of a problem counts: in its hash, its record key and its JSON.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gemm/problem_json.hpp"
#include "gemm/variant.hpp"
#include "kernels/element_type.hpp"
#include "selection/json_line.hpp"
#include "spmm/problem_json.hpp"
#include "spmm/variant.hpp"
#include "transpose/problem_json.hpp"
#include "transpose/variant.hpp"

namespace tilewright::test {
namespace {

using detail::SpmmCore;

template <class Enumeration>
std::vector<Enumeration> first_values(int count) {
  std::vector<Enumeration> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<Enumeration>(i));
  return values;
}

// Values that a field with this one could have instead.
std::vector<std::uint64_t> others(std::uint64_t value) { return {value + 1, 2 * value, value + 64, value / 2}; }
std::vector<std::int32_t> others(std::int32_t value) { return {value + 1}; }
std::vector<double> others(double value) { return {value + 0.5}; }
std::vector<bool> others(bool value) { return {!value}; }
std::vector<Layout> others(Layout) { return first_values<Layout>(2); }
std::vector<Transpose> others(Transpose) { return first_values<Transpose>(3); }
std::vector<Accuracy> others(Accuracy) { return first_values<Accuracy>(3); }
std::vector<EpilogueVector> others(EpilogueVector) { return first_values<EpilogueVector>(3); }
std::vector<Activation> others(Activation) { return first_values<Activation>(5); }
std::vector<DataType> others(DataType) {
  std::vector<DataType> types;
  for (const detail::ElementType& type : detail::element_types()) types.push_back(type.type);
  return types;
}
std::vector<std::optional<DataType>> others(std::optional<DataType>) {
  std::vector<std::optional<DataType>> types{std::nullopt};
  for (const DataType type : others(DataType::f32)) types.emplace_back(type);
  return types;
}
std::vector<Element> others(const Element&) { return {DataType::f16, DataType::f64, Element::of_bytes(4)}; }

// The problems that records hold for a changed one: none if the library refuses it.
std::optional<GemmProblem> recorded(const GemmProblem& problem) {
  try {
    return detail::Operation<GemmProblem>::normalized(problem);
  } catch (const Error&) {
    return std::nullopt;
  }
}
std::optional<TransposeProblem> recorded(const TransposeProblem& problem) {
  try {
    return detail::normalized(problem);
  } catch (const Error&) {
    return std::nullopt;
  }
}
std::optional<SpmmCore> recorded(const SpmmCore& core) { return core; }

// Whether JSON can hold the problem, which must be of some work. That of spmm holds a tuned_core() whose mean is exact.
template <class Problem>
bool is_in_json(const Problem& problem) {
  return problem.batch.count != 0;
}
bool is_in_json(const SpmmCore& core) {
  return core.a.mean == static_cast<double>(core.a.nonzeros) / static_cast<double>(core.a.rows) &&
         core == detail::tuned_core(DataType::f32, core.n, core.a);
}

// Counts what became of the changes of a field.
struct Outcomes {
  int counted = 0, refused = 0;
};

template <class Problem>
void check_change(const Problem& base, const Problem& changed, Outcomes& outcomes) {
  using Format = detail::RecordFormat<Problem>;
  const std::optional<Problem> other = recorded(changed);
  if (!other) ++outcomes.refused;
  if (!other || *other == base) return;
  ++outcomes.counted;
  CHECK(detail::problem_hash(*other) != detail::problem_hash(base));
  CHECK(detail::problem_key(*other) != detail::problem_key(base));
  if (!is_in_json(*other)) return;
  CHECK(Format::to_json(*other) != Format::to_json(base));
  CHECK(Format::from_json(detail::parse_json_line(detail::to_json_line(Format::to_json(*other)))) == *other);
}

// Changes every field below `path(problem)` in every base. Each change must count or be refused.
template <class Problem, class Path>
void change_fields(const std::vector<Problem>& bases, const std::string& name, const Path& path) {
  using Value = std::decay_t<decltype(path(const_cast<Problem&>(bases.front())))>;
  if constexpr (detail::HasFields<Value> && std::is_aggregate_v<Value>) {
    int number = 0;
    detail::for_each_field<Value>([&](const auto& entry) {
      change_fields(
          bases, name + '.' + std::to_string(number++), [&](Problem & problem) -> auto& {
            return path(problem).*entry.member;
          });
    });
  } else {
    CAPTURE(name);
    Outcomes outcomes;
    for (const Problem& base : bases) {
      Problem changed = base;
      for (const Value& value : others(Value(path(changed)))) {
        path(changed) = value;
        check_change(base, changed, outcomes);
      }
    }
    CHECK(outcomes.counted + outcomes.refused > 0);
  }
}

template <class Problem>
void change_fields(std::vector<Problem> bases) {
  for (Problem& base : bases) base = *recorded(base);
  change_fields(
      bases, "problem", [](Problem & problem) -> auto& { return problem; });
}

}  // namespace

TEST_SUITE("fields of problems") {
  TEST_CASE("every field of a product counts") {
    const GemmProblem plain{.m = 40, .n = 24, .k = 56};
    GemmProblem batch = plain, fused = plain, integers = plain;
    batch.batch = {.count = 3, .stride_a = 4096, .stride_b = 8192, .stride_c = 16384};
    fused.batch = batch.batch;
    fused.epilogue = {.residual = true, .ldr = 32, .stride_residual = 2048};
    integers.type = DataType::i8;
    integers.type_c = DataType::i8;
    change_fields<GemmProblem>({plain, batch, fused, integers});
  }

  TEST_CASE("every field of a transposition counts") {
    const TransposeProblem plain{.m = 40, .n = 24, .lda = 32, .ldb = 48};
    TransposeProblem batch = plain;
    batch.batch = {.count = 3, .stride_a = 4096, .stride_b = 8192};
    change_fields<TransposeProblem>({plain, batch});
  }

  TEST_CASE("every field of a sparse product counts") {
    const RowStatistics rows{.rows = 300,
                             .columns = 200,
                             .nonzeros = 3000,
                             .longest = 90,
                             .empty_rows = 50,
                             .mean = 10,
                             .deviation = 25.5,
                             .spread = 12.25};
    change_fields<SpmmCore>({detail::tuned_core(DataType::f32, 8, rows)});
  }

  TEST_CASE("equal problems have equal hashes and keys") {
    SpmmCore core, same;
    same.a.deviation = -0.0;
    CHECK(core == same);
    CHECK(detail::problem_hash(core) == detail::problem_hash(same));
    CHECK(detail::problem_key(core) == detail::problem_key(same));
  }

  TEST_CASE("problems of similar sizes have different hashes") {
    std::vector<std::size_t> hashes;
    for (std::uint64_t m = 1; m <= 32; ++m)
      for (std::uint64_t n = 1; n <= 32; ++n)
        for (std::uint64_t k = 1; k <= 32; ++k)
          hashes.push_back(detail::problem_hash(detail::normalized({.m = 16 * m, .n = n, .k = 8 * k})));
    std::sort(hashes.begin(), hashes.end());
    CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
  }
}

}  // namespace tilewright::test
