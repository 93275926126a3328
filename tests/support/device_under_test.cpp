#include "support/device_under_test.hpp"

#include "verification/common/keep_on_oclgrind.hpp"

namespace tilewright::test {

const Device& device_under_test() {
  static const Device device = pick_device();
  return device;
}

const Engine& shared_engine() {
  // Never destroyed: at exit the driver may already be unloaded.
  static const Engine* const engine = [] {
    auto* const made = new Engine(device_under_test());
    verification::reserve_on_oclgrind(*made);
    return made;
  }();
  return *engine;
}

cl::Context shared_context() { return cl::Context(shared_engine().context(), true); }

cl::CommandQueue make_queue(cl_command_queue_properties properties) {
  return cl::CommandQueue(shared_context(), cl::Device(shared_engine().device(), true), properties);
}

bool has_out_of_order_queues() {
  const cl::Device device(shared_engine().device(), true);
  return (device.getInfo<CL_DEVICE_QUEUE_PROPERTIES>() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

}  // namespace tilewright::test
