#include <utility>

#include "compare/contender.hpp"
#include "tilewright/packed_matrix.hpp"

namespace tilewright::tool {
namespace {

class PlanContender : public Contender {
 public:
  PlanContender(Workload& workload, GemmPlan plan) : Contender(workload), plan_(std::move(plan)) {}

  void run(unsigned calls) override {
    GemmOperands operands = this->operands();
    for (unsigned left = calls; left > 0; --left) {
      operands.event = left == 1;
      const Event last = plan_.enqueue(workload().session().queue(), operands);
      if (operands.event) last.wait();
    }
  }

 protected:
  virtual GemmOperands operands() const { return workload().operands(); }

  const GemmPlan& plan() const { return plan_; }

 private:
  GemmPlan plan_;
};

class PackedContender final : public PlanContender {
 public:
  PackedContender(Workload& workload, GemmPlan plan)
      : PlanContender(workload, std::move(plan)),
        b_(this->plan(), GemmInput::b, workload.session().queue(), workload.operands().b) {}

 private:
  GemmOperands operands() const override {
    GemmOperands operands = workload().operands();
    operands.b = {};
    operands.packed_b = &b_;
    return operands;
  }

  PackedMatrix b_;
};

class GemmContender final : public Contender {
 public:
  GemmContender(Workload& workload, Choice choice) : Contender(workload), choice_(std::move(choice)) {}

  void run(unsigned calls) override {
    const Session& session = workload().session();
    GemmOperands operands = workload().operands();
    for (unsigned left = calls; left > 0; --left) {
      operands.event = left == 1;
      const Event last = gemm(session.engine(), session.queue(), workload().problem(), operands, {}, choice_);
      if (operands.event) last.wait();
    }
  }

 private:
  Choice choice_;
};

}  // namespace

std::unique_ptr<Contender> make_plan_contender(Workload& workload, GemmPlan plan) {
  return std::make_unique<PlanContender>(workload, std::move(plan));
}

std::unique_ptr<Contender> make_packed_contender(Workload& workload, GemmPlan plan) {
  return std::make_unique<PackedContender>(workload, std::move(plan));
}

std::unique_ptr<Contender> make_gemm_contender(Workload& workload, Choice choice) {
  return std::make_unique<GemmContender>(workload, std::move(choice));
}

}  // namespace tilewright::tool
