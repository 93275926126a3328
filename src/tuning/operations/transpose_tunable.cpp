#include "tuning/operations/transpose_tunable.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

#include "transpose/problem.hpp"
#include "tuning/operations/transpose_data.hpp"
#include "verification/transpose/transpose_cases.hpp"
#include "verification/transpose/transpose_trial.hpp"

namespace tilewright::tuning {
namespace {

class TransposeTunable : public VariantTunable<TransposeProblem> {
 public:
  using VariantTunable::VariantTunable;

  std::string label() const override {
    const TransposeProblem& p = problem();
    const std::string times = p.batch.count == 1 ? std::string() : std::to_string(p.batch.count) + " times ";
    return times + std::to_string(p.m) + " x " + std::to_string(p.n) + ' ' + element() +
           (p.trans == Transpose::yes ? "" : " copied") + (p.in_place ? " in place" : "");
  }

  std::string element() const override { return to_string(problem().type); }
  std::optional<DataType> arithmetic() const override { return {}; }
  Work work() const override { return {0, detail::bytes_moved(problem())}; }

  // About a sixteenth of the work. Out of place, leading dimensions stay, because programs are fitted to them. In
  // place, those of a dense matrix become its sizes, and a matrix with gaps stays unchanged.
  Problem smaller() const override {
    TransposeProblem small = problem();
    const bool is_dense = small.lda == small.n && small.ldb == small.m;
    if (small.in_place && !is_dense) return tunable(small);
    for (auto* const size : {&small.m, &small.n})
      if (*size > 256) *size = std::max<std::uint64_t>(256, *size / 4 / 64 * 64);
    if (small.in_place) small.lda = small.ldb = 0;
    return tunable(small);
  }

  std::unique_ptr<TunablePlan> plan(const Engine& engine, const Choice& choice) const override {
    return std::make_unique<TransposeTunablePlan>(engine, problem(), choice);
  }

  std::unique_ptr<TunableData> data(const Engine& engine, cl_command_queue queue) const override {
    return make_transpose_data(engine, queue, problem());
  }

  std::string form() const override {
    return element() + (problem().trans == Transpose::yes ? " T" : " N") + (problem().in_place ? " in place" : "") +
           (detail::is_batched(problem()) ? " batch" : "");
  }

  std::string verify(const Engine& engine, const Choice& choice, const std::function<void()>& pause) const override {
    const verification::TransposeCase common{.variant = choice.variant,
                                             .configuration = choice.configuration,
                                             .element = problem().type,
                                             .trans = problem().trans,
                                             .in_place = problem().in_place};
    for (const auto& test : verification::transpose_cases(engine.profile(), common, detail::is_batched(problem()),
                                                          verification::Breadth::edges)) {
      pause();
      if (const std::string wrong = verification::try_transpose_case(engine, test); !wrong.empty())
        return wrong + "; case: " + verification::to_string(test);
    }
    return {};
  }
};

using Row = VariantOperation<TransposeProblem, TransposeTunable>;

struct Shape {
  std::uint64_t m, n;
  bool in_place = false;
};

constexpr Shape quick_shapes[] = {{1024, 1024}, {4096, 256}};

// Squares from small to large, tall and flat shapes, some whose rows are not whole vectors apart, and some in place.
constexpr Shape gpu_shapes[] = {{512, 512},   {2048, 2048},       {8192, 8192},       {1000, 1000},
                                {4097, 4095}, {16384, 64},        {64, 16384},        {100000, 10},
                                {10, 100000}, {8000, 12000},      {1, 65536},         {16384, 16384},
                                {3000, 3000}, {2048, 2048, true}, {8192, 8192, true}, {6000, 4000, true}};
constexpr Shape cpu_shapes[] = {{64, 64},     {512, 512},       {2048, 2048},       {4096, 4096},
                                {1000, 1000}, {2049, 2047},     {10000, 16},        {16, 10000},
                                {100000, 10}, {10, 100000},     {2000, 3000},       {3000, 3000},
                                {1, 65536},   {512, 512, true}, {4096, 4096, true}, {3000, 2000, true}};

std::vector<Problem> preset(std::string_view name, DataType type, const DeviceProfile& device) {
  std::span<const Shape> shapes = quick_shapes;
  if (name == "default")
    shapes = device.type == DeviceType::gpu ? std::span<const Shape>(gpu_shapes) : std::span<const Shape>(cpu_shapes);
  else if (name != "quick")
    throw std::invalid_argument("there is no preset '" + std::string(name) + "'");
  std::vector<Problem> result;
  for (const Shape& shape : shapes)
    result.push_back(tunable(TransposeProblem{.type = type, .m = shape.m, .n = shape.n, .in_place = shape.in_place}));
  return result;
}

}  // namespace

Problem tunable(const TransposeProblem& problem) { return Row::problem(detail::normalized(problem)); }

constinit const Operation transpose_operation = Row::row(preset);

}  // namespace tilewright::tuning
