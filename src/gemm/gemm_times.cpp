#include "tilewright/gemm_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gemm/core_problem.hpp"
#include "gemm/selector.hpp"
#include "gemm/variant.hpp"

namespace tilewright {

using namespace detail;

class GemmTimes::State {
 public:
  explicit State(const DeviceProfile& profile) : device(profile), records(open_record_book<GemmProblem>(profile)) {}

  // Recorded times of a product. If there are none for its size, those of the nearest recorded size.
  struct Recorded {
    Prediction<GemmProblem> prediction;
    double work_ratio = 1;  // work of the product relative to that size
  };
  std::optional<Recorded> recorded(const GemmProblem& problem, const GemmVariant& variant) const {
    for (const double scale : {1.0, 0.5, 2.0, 0.25, 4.0, 0.125, 0.0625}) {
      GemmProblem scaled = problem;
      for (std::uint64_t* const size : {&scaled.m, &scaled.n, &scaled.k, &scaled.lda, &scaled.ldb, &scaled.ldc})
        *size = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(*size) * scale));
      auto predictions = records.predict(scaled, device, &variant);
      if (!predictions.empty())
        return Recorded{std::move(predictions.front()),
                        Operation<GemmProblem>::work(problem) / Operation<GemmProblem>::work(scaled)};
    }
    return std::nullopt;
  }

  // The model's cycles; 0 if there is no model.
  double cycles_of(const GemmVariant& variant, const ParameterValues& values, const GemmProblem& problem) const {
    return variant.execution(values, problem, device).cycles;
  }

  // The model's cycles converted to seconds by a record: a device under load runs slower than its nominal clock.
  double by_model(double cycles, const GemmProblem& problem, const GemmVariant& variant) const {
    if (const auto known = recorded(problem, variant)) {
      const Record<GemmProblem>& record = *known->prediction.nearest;
      const double of_record = cycles_of(variant, known->prediction.values, record.problem);
      if (of_record > 0) return cycles * record.seconds / of_record;
    }
    return device.clock_mhz == 0 ? 0 : cycles / (device.clock_mhz * 1e6);
  }

  DeviceProfile device;
  GemmRecordBook records;
};

GemmTimes::GemmTimes(const DeviceProfile& device) : state_(std::make_unique<State>(device)) {}
GemmTimes::~GemmTimes() = default;

std::optional<double> GemmTimes::seconds(const GemmProblem& problem, const Choice& choice) const {
  const GemmProblem core = core_problem(normalized(problem));
  if (Operation<GemmProblem>::is_trivial(core)) return 0;
  const GemmSelection selection = select(state_->device, state_->records, core, choice);
  const double cycles = state_->cycles_of(*selection.variant, selection.values.front(), core);
  if (cycles > 0) {
    const double seconds = state_->by_model(cycles, core, *selection.variant);
    return seconds > 0 && std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
  }
  const auto known = state_->recorded(core, *selection.variant);
  return known ? std::optional(known->prediction.seconds * known->work_ratio) : std::nullopt;
}

}  // namespace tilewright
