#include "compare/strassen_contender.hpp"

#include <functional>
#include <utility>

#include "verification/strassen/strassen_check.hpp"

namespace tilewright::tool {
namespace {

class StrassenContender final : public Contender {
 public:
  StrassenContender(Workload& workload, StrassenPlan plan) : Contender(workload), plan_(std::move(plan)) {}

  void run(unsigned calls) override {
    const GemmOperands product = workload().operands();
    const StrassenOperands operands{.a = product.a, .b = product.b, .c = product.c};
    Event last;
    for (unsigned left = calls; left > 0; --left) last = plan_.enqueue(workload().session().queue(), operands);
    last.wait();
  }

  verification::Comparison check() override {
    const void* const c = workload().device_result();
    if (workload().problem().type == DataType::f64) return checked<double>(c);
    return checked<float>(c);
  }

 private:
  template <class T>
  verification::Comparison checked(const void* c) {
    const GemmProblem& problem = workload().problem();
    verification::HostGemm<T> call;
    call.problem = problem;
    call.a = static_cast<const T*>(workload().host_a());
    call.b = static_cast<const T*>(workload().host_b());
    const double factor = verification::strassen_random_factor(problem.k, plan_.levels());
    return verification::StrassenCheck<T>(call, factor, plan_.levels())(static_cast<const T*>(c));
  }

  StrassenPlan plan_;
};

}  // namespace

std::unique_ptr<Contender> make_strassen_contender(Workload& workload, StrassenPlan plan) {
  return std::make_unique<StrassenContender>(workload, std::move(plan));
}

}  // namespace tilewright::tool
