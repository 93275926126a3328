#include "tilewright/engine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {

TEST_SUITE("engine") {
  TEST_CASE("an engine can be made from a context, a device or a queue") {
    const Device& device = device_under_test();
    const cl::Context context(cl::Device(device.id, true));
    const Engine engine(context(), device.id);
    CHECK(engine.context() == context());
    CHECK(engine.device() == device.id);
    CHECK(engine.profile().name == device.profile.name);

    const cl::CommandQueue queue(context, cl::Device(device.id, true));
    const Engine of_queue = Engine::from_queue(queue());
    CHECK(of_queue.context() == context());
    CHECK(of_queue.device() == device.id);

    const Engine own(device);
    CHECK(own.context() != nullptr);
    CHECK(own.context() != context());
  }

  TEST_CASE("null handles are refused") {
    const Device& device = device_under_test();
    const cl::Context context(cl::Device(device.id, true));
    expect_error(ErrorCode::null_object, [&] { Engine(nullptr, device.id); });
    expect_error(ErrorCode::null_object, [&] { Engine(context(), nullptr); });
    expect_error(ErrorCode::null_object, [] { Engine(Device{}); });
    expect_error(ErrorCode::null_object, [] { Engine::from_queue(nullptr); });
  }

  TEST_CASE("a device outside the context is refused") {
    cl::Device device(device_under_test().id, true);
    const auto partitions = device.getInfo<CL_DEVICE_PARTITION_PROPERTIES>();
    if (std::count(partitions.begin(), partitions.end(), CL_DEVICE_PARTITION_EQUALLY) == 0)
      return count_skip("sub-devices", "the device cannot be partitioned");
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    std::vector<cl::Device> parts;
    device.createSubDevices(equally, &parts);
    REQUIRE(parts.size() >= 1);
    const cl::Context context(device);
    expect_error(ErrorCode::foreign_object, [&] { Engine(context(), parts[0]()); });

    // A sub-device works like any other device in its own context.
    const cl::Context own(parts[0]);
    const cl::CommandQueue queue(own, parts[0]);
    CHECK(Engine::from_queue(queue()).device() == parts[0]());
    // PoCL 5.0 lists the whole device in the context instead of the sub-device.
    if (own.getInfo<CL_CONTEXT_DEVICES>().front()() == parts[0]())
      CHECK(Engine(own(), parts[0]()).device() == parts[0]());
  }

  TEST_CASE("copies share the programs") {
    const Engine engine(device_under_test());
    const Engine copy = engine;
    GemmProblem problem{.m = 2, .n = 2, .k = 2};
    const GemmPlan plan(engine, problem, {"naive", {}});
    CHECK(copy.program_statistics().compiled == 1);
    CHECK(copy.program_statistics().compile_seconds > 0);
    const GemmPlan again(copy, problem, {"naive", {}});
    CHECK(engine.program_statistics().compiled == 1);
    CHECK(engine.program_statistics().reused >= 1);
  }

  TEST_CASE("abilities are probed once and explained") {
    const Engine engine(device_under_test());
    for (const Ability ability : {Ability::inline_ptx, Ability::big_local_memory, Ability::tensor_cores,
                                  Ability::warpgroup_tensor_cores, Ability::fp64_tensor_cores, Ability::tensor_maps}) {
      const Probe probe = engine.probe(ability);
      CHECK_FALSE(probe.detail.empty());
      const auto compiled = engine.program_statistics().compiled;
      const Probe again = engine.probe(ability);
      CHECK(again.available == probe.available);
      CHECK(again.value == probe.value);
      CHECK(engine.program_statistics().compiled == compiled);
      if (engine.profile().vendor == Vendor::pocl) CHECK_FALSE(probe.available);
    }
  }

  TEST_CASE("an engine retains its context and releases it") {
    cl::Context context(cl::Device(device_under_test().id, true));
    const auto references = [&] { return context.getInfo<CL_CONTEXT_REFERENCE_COUNT>(); };
    const cl_uint before = references();
    {
      const Engine engine(context(), device_under_test().id);
      const Engine copy = engine;
      CHECK(references() > before);
    }
    CHECK(references() == before);
  }
}

}  // namespace tilewright::test
