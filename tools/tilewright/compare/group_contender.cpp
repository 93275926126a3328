#include "compare/group_contender.hpp"

#include <utility>

namespace tilewright::tool {
namespace {

class GroupContender final : public Contender {
 public:
  GroupContender(Workload& workload, DeviceGroup group, DeviceGroupOptions options, DeviceGroupReport& report)
      : Contender(workload), group_(std::move(group)), options_(std::move(options)), report_(report) {}

  void run(unsigned calls) override {
    const HostOperands operands{.a = workload().host_a(), .b = workload().host_b(), .c = workload().host_c()};
    for (unsigned left = calls; left > 0; --left) report_ = group_.gemm(workload().problem(), operands, options_);
  }

  verification::Comparison check() override { return workload().check_host_result(); }

 private:
  DeviceGroup group_;
  DeviceGroupOptions options_;
  DeviceGroupReport& report_;
};

}  // namespace

std::unique_ptr<Contender> make_group_contender(Workload& workload, DeviceGroup group, DeviceGroupOptions options,
                                                DeviceGroupReport& report) {
  return std::make_unique<GroupContender>(workload, std::move(group), std::move(options), report);
}

}  // namespace tilewright::tool
