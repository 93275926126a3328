#include "tuning/operations/gemm_tunable.hpp"

#include <algorithm>

#include "gemm/core_problem.hpp"
#include "gemm/epilogue.hpp"
#include "gemm/problem.hpp"
#include "tuning/operations/gemm_data.hpp"
#include "tuning/operations/gemm_presets.hpp"
#include "verification/gemm/conformance_cases.hpp"
#include "verification/gemm/gemm_trial.hpp"

namespace tilewright::tuning {
namespace {

class GemmTunable : public VariantTunable<GemmProblem> {
 public:
  using VariantTunable::VariantTunable;

  std::string label() const override {
    const GemmProblem& p = problem();
    const std::string times = p.batch.count == 1 ? std::string() : std::to_string(p.batch.count) + " times ";
    return times + std::to_string(p.m) + " x " + std::to_string(p.n) + " x " + std::to_string(p.k) + ' ' +
           detail::types_of(p) + ' ' + detail::transposes_of(p) + epilogue();
  }

  std::string element() const override { return detail::types_of(problem()); }
  std::optional<DataType> arithmetic() const override { return problem().type; }

  Work work() const override {
    const GemmProblem& p = problem();
    const auto m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
    const auto products = static_cast<double>(p.batch.count);
    const bool strided = !p.batch.by_offsets && p.batch.count > 1;
    const double a = m * k * (strided && p.batch.stride_a == 0 ? 1 : products);
    const double b = k * n * (strided && p.batch.stride_b == 0 ? 1 : products);
    return {2 * detail::Operation<GemmProblem>::work(p),
            (a + b) * static_cast<double>(size_of(p.type)) +
                m * n * products * (p.epilogue.residual ? 2 : 1) * static_cast<double>(size_of(detail::type_of_c(p)))};
  }

  // About a sixty-fourth of the work.
  Problem smaller() const override {
    GemmProblem small = problem();
    for (auto* const size : {&small.m, &small.n, &small.k})
      if (*size > 64) *size = std::max<std::uint64_t>(64, *size / 4 / 16 * 16);
    return tunable(small);
  }

  std::unique_ptr<TunablePlan> plan(const Engine& engine, const Choice& choice) const override {
    return std::make_unique<GemmTunablePlan>(engine, problem(), choice);
  }

  std::unique_ptr<TunableData> data(const Engine& engine, cl_command_queue queue) const override {
    return make_gemm_data(engine, queue, problem());
  }

  std::string form() const override {
    return detail::types_of(problem()) + detail::transposes_of(problem()) +
           (detail::is_batched(problem()) ? " batch" : "") + epilogue();
  }

  std::string verify(const Engine& engine, const Choice& choice, const std::function<void()>& pause) const override {
    const GemmProblem& p = problem();
    const verification::Form form{p.type,   Layout::row_major, p.trans_a, p.trans_b, detail::is_batched(p),
                                  p.type_c, p.accuracy,        p.epilogue};
    for (const auto& test :
         verification::conformance_cases(choice.variant, choice.configuration, form, verification::Breadth::edges)) {
      pause();
      if (const std::string wrong = verification::try_gemm_case(engine, test); !wrong.empty())
        return wrong + "; case: " + verification::to_string(test);
    }
    return {};
  }

 private:
  std::string epilogue() const {
    const GemmEpilogue& fused = problem().epilogue;
    return detail::has_epilogue(fused) ? ' ' + detail::to_string(fused) : std::string();
  }
};

std::vector<Problem> preset(std::string_view name, DataType type, const DeviceProfile& device) {
  std::vector<Problem> result;
  for (const GemmProblem& problem : gemm_preset(name, type, device)) result.push_back(tunable(problem));
  return result;
}

}  // namespace

Problem tunable(const GemmProblem& problem) {
  return VariantOperation<GemmProblem, GemmTunable>::problem(detail::core_problem(detail::normalized(problem)));
}

constinit const Operation gemm_operation = VariantOperation<GemmProblem, GemmTunable>::row(preset);

}  // namespace tilewright::tuning
