#include "benchmarks/gemm_contenders.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "tilewright/packed_matrix.hpp"
#include "verification/strassen/strassen_check.hpp"

namespace tilewright::tool {
namespace {

template <class T>
Verdict checked_strassen(Workload& workload, unsigned levels) {
  const GemmProblem& problem = workload.problem();
  verification::HostGemm<T> call;
  call.problem = problem;
  call.a = static_cast<const T*>(workload.host_a());
  call.b = static_cast<const T*>(workload.host_b());
  const double factor = verification::strassen_random_factor(problem.k, levels);
  const auto* const c = static_cast<const T*>(workload.device_result());
  return verdict_of(verification::StrassenCheck<T>(call, factor, levels)(c));
}

Contender contender_of(Workload& workload, std::function<void(unsigned)> run) {
  return {.run = std::move(run), .check = [&workload] { return workload.check_device_result(); }};
}

}  // namespace

Contender plan_contender(Workload& workload, GemmPlan plan) {
  const auto kept = std::make_shared<const GemmPlan>(std::move(plan));
  Contender contender = contender_of(workload, [&workload, kept](unsigned calls) {
    GemmOperands operands = workload.operands();
    enqueue_all(calls, [&](bool event) {
      operands.event = event;
      return kept->enqueue(workload.session().queue(), operands);
    });
  });
  contender.configuration = tilewright::to_string(kept->explanation().configuration);
  return contender;
}

Contender packed_contender(Workload& workload, GemmPlan plan) {
  const auto kept = std::make_shared<const GemmPlan>(std::move(plan));
  const auto b =
      std::make_shared<const PackedMatrix>(*kept, GemmInput::b, workload.session().queue(), workload.operands().b);
  return contender_of(workload, [&workload, kept, b](unsigned calls) {
    GemmOperands operands = workload.operands();
    operands.b = {};
    operands.packed_b = b.get();
    enqueue_all(calls, [&](bool event) {
      operands.event = event;
      return kept->enqueue(workload.session().queue(), operands);
    });
  });
}

Contender gemm_contender(Workload& workload, const Choice& choice) {
  return contender_of(workload, [&workload, choice](unsigned calls) {
    const Session& session = workload.session();
    GemmOperands operands = workload.operands();
    enqueue_all(calls, [&](bool event) {
      operands.event = event;
      return gemm(session.engine(), session.queue(), workload.problem(), operands, {}, choice);
    });
  });
}

Contender strassen_contender(Workload& workload, StrassenPlan plan) {
  const auto kept = std::make_shared<const StrassenPlan>(std::move(plan));
  const auto run = [&workload, kept](unsigned calls) {
    const GemmOperands product = workload.operands();
    const StrassenOperands operands{.a = product.a, .b = product.b, .c = product.c};
    enqueue_all(calls, [&](bool) { return kept->enqueue(workload.session().queue(), operands); });
  };
  const auto check = [&workload, levels = kept->levels()] {
    return workload.problem().type == DataType::f64 ? checked_strassen<double>(workload, levels)
                                                    : checked_strassen<float>(workload, levels);
  };
  return {.run = run, .check = check, .variant = "strassen", .configuration = fmt::format("levels={}", kept->levels())};
}

Contender group_contender(Workload& workload, const DeviceGroup& group, const DeviceGroupOptions& options,
                          DeviceGroupReport& report) {
  const auto call = [&workload, group, options, &report] {
    const HostOperands operands{.a = workload.host_a(), .b = workload.host_b(), .c = workload.host_c()};
    report = group.gemm(workload.problem(), operands, options);
  };
  return {.run = repeat(call),
          .check = [&workload] { return workload.check_host_result(); },
          .variant = "group",
          .configuration = fmt::format("devices={}", group.engines().size())};
}

}  // namespace tilewright::tool
