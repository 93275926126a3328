#include "tilewright/gemm_times.hpp"

#include "gemm/core_problem.hpp"
#include "gemm/registry.hpp"
#include "gemm/selector.hpp"

namespace tilewright {

using namespace detail;

class GemmTimes::State {
 public:
  explicit State(const DeviceProfile& profile) : device(profile), records(open_record_book<GemmProblem>(profile)) {}

  // What a model expects, in the seconds of the nearest record: a device under load runs slower than its clock says.
  double by_model(const GemmProblem& problem, const GemmSelection& selection) const {
    const GemmVariant& variant = *selection.variant;
    const double cycles = variant.expected_cycles(selection.configurations.front(), problem, device);
    const auto predictions = records.predict(problem, device, &variant);
    for (const auto& prediction : predictions) {
      const double recorded = variant.expected_cycles(prediction.configuration, prediction.nearest->problem, device);
      if (recorded > 0) return cycles * prediction.nearest->seconds / recorded;
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
  if (selection.variant->expected_cycles != nullptr) {
    const double seconds = state_->by_model(core, selection);
    return seconds > 0 ? std::optional(seconds) : std::nullopt;
  }
  const auto predictions = state_->records.predict(core, state_->device, selection.variant);
  return predictions.empty() ? std::nullopt : std::optional(predictions.front().seconds);
}

}  // namespace tilewright
