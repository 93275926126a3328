#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "kernels/command_chain.hpp"
#include "kernels/plans/plan_state.hpp"
#include "strassen/schedule.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright {

class StrassenPlan::State : public detail::PlanState<StrassenProblem> {
 public:
  State(const Engine& engine, const StrassenProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const StrassenOperands& operands, std::span<const cl_event> waits);

  unsigned levels() const { return levels_; }
  std::uint64_t products() const;

 private:
  // A step with the plan of its product, or the launch of its sums.
  struct Work {
    detail::StrassenStep step;
    const GemmPlan* product = nullptr;
    detail::LaunchSequence* sums = nullptr;
  };
  // A launch of sums, with what distinguishes it from others.
  struct Sums {
    std::string options;
    std::vector<detail::KernelArgument> arguments;
    std::unique_ptr<detail::LaunchSequence> sequence;
  };
  // The scalars and buffers of a call, in the order of the row-major product.
  struct Call {
    double alpha = 1, beta = 0;
    MatrixRef a{}, b{}, c{};
    MatrixRef workspace{};  // its offset in elements
  };

  const GemmPlan& product_plan(const Engine& engine, const detail::StrassenStep& step, const Choice& choice);
  detail::LaunchSequence& sums_sequence(const Engine& engine, const detail::StrassenStep& step);
  void choose(const DeviceProfile& device, const Choice& choice);
  void prepare(const Engine& engine, const Choice& choice);
  MatrixRef ref(const Call& call, const detail::StrassenPlace& place) const;
  void enqueue_work(detail::CommandChain& chain, const Work& work, const Call& call, bool event) const;
  void check(const StrassenOperands& operands, bool reads_inputs, bool reads_c) const;

  GemmProblem product_;  // row-major
  unsigned levels_ = 0;
  std::vector<Work> works_;
  std::deque<GemmPlan> plans_;  // the first one is the plain product
  std::vector<Sums> sums_;
  std::uint64_t workspace_of_sums_ = 0;
};

}  // namespace tilewright
