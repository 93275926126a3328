// A device of a group fails in every OpenCL call of every kind of work. The other devices do its tiles, or the error
// names the tiles that are unspecified.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "faults/fault_sample.hpp"
#include "faults/fault_shim.hpp"
#include "out_of_core/host_product.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::test {
namespace {

using faults::Failure;
using faults::Fault;

constexpr TransferSpeeds made_up{.upload = 1e9, .download = 2e9, .flops = 1e10, .launch = 1e-5};
constexpr std::uint64_t tile_m = 24, tile_n = 32;

DeviceGroupOptions options_for(std::size_t devices, TileTransfer transfer) {
  return {.memory = 1 << 22,
          .transfer = transfer,
          .tile = {tile_m, tile_n, 40},
          .speeds = std::vector<TransferSpeeds>(devices, made_up)};
}

bool can_use_in_place() {
  const DeviceProfile& profile = device_under_test().profile;
  return profile.type == DeviceType::cpu && profile.vendor != Vendor::oclgrind;
}

// A group call whose result can be checked and reset.
struct Call {
  std::string name;
  std::function<void()> reset;
  std::function<DeviceGroupReport(const DeviceGroup&)> run;
  /// Whether C is right, except for the parts that the error names. With `may_be_undone`, parts may keep their old
  /// values.
  std::function<bool(const std::string& error, bool may_be_undone)> is_right;
  bool reads_c = false;
};

struct ProductCall {
  ProductCall(const GemmProblem& problem, double alpha, double beta, bool has_c_in, TileTransfer transfer)
      : product(problem, alpha, beta), options(options_for(2, transfer)) {
    if (!has_c_in) return;
    c_in = product.before;
    std::fill(product.before.begin(), product.before.end(), -1.0F);  // C itself is not read
    for (std::size_t i = 0; i < product.expected.size(); ++i)
      if (HostProduct<float>::same(product.expected[i], c_in[i]) && product.expected[i] != product.expected[i])
        product.expected[i] = -1;
  }

  bool is_right(const std::string& error, bool may_be_undone) {
    const GemmProblem& p = product.problem;
    for (std::uint64_t row = 0; row < p.m; row += tile_m)
      for (std::uint64_t column = 0; column < p.n; column += tile_n) {
        const bool is_named = mentions(
            error + ",", "the tile at row " + std::to_string(row) + ", column " + std::to_string(column) + ",");
        bool is_done = true, is_untouched = true;
        for (std::uint64_t i = row; i < std::min(p.m, row + tile_m); ++i)
          for (std::uint64_t j = column; j < std::min(p.n, column + tile_n); ++j) {
            const std::size_t at = HostProduct<float>::band + i * p.ldc + j;
            is_done = is_done && HostProduct<float>::same(product.c[at], product.expected[at]);
            is_untouched = is_untouched && HostProduct<float>::same(product.c[at], product.before[at]);
          }
        if (!is_done && !is_named && !(may_be_undone && is_untouched)) return false;
      }
    return true;
  }

  Call call(const std::string& name) {
    return {name,
            [this] {
              product.reset();
              if (!c_in.empty()) product.operands.c_in = c_in.data() + HostProduct<float>::band;
            },
            [this](const DeviceGroup& group) { return group.gemm(product.problem, product.operands, options); },
            [this](const std::string& error, bool may_be_undone) { return is_right(error, may_be_undone); },
            product.operands.beta != 0 && c_in.empty()};
  }

  HostProduct<float> product;
  std::vector<float> c_in;
  DeviceGroupOptions options;
};

// C = 2 A B + beta C of matrices of ones, with gaps between the rows and matrices of C that hold 77.
struct BatchCall {
  static constexpr std::uint64_t count = 40, side = 8, pitch = 11, area = side * pitch + 5;

  BatchCall(double alpha, double beta, TileTransfer transfer_of_call = TileTransfer::staged)
      : operands{.alpha = alpha, .a = a.data(), .b = b.data(), .beta = beta}, transfer(transfer_of_call) {}

  bool is_right(const std::string& error, bool may_be_undone) const {
    const auto wanted = static_cast<float>(side * operands.alpha.real() + 3 * operands.beta.real());
    for (std::uint64_t x = 0; x < count; ++x) {
      bool is_done = true, is_untouched = true;
      for (std::uint64_t i = 0; i < area; ++i) {
        const bool is_of_c = i < side * pitch && i % pitch < side;
        if (!is_of_c && c[x * area + i] != 77) return false;
        is_done = is_done && (!is_of_c || c[x * area + i] == wanted);
        is_untouched = is_untouched && (!is_of_c || c[x * area + i] == 3);
      }
      const std::string first = std::to_string(x), before = std::to_string(x - 1);
      const bool is_named = mentions(error, "C number " + first + " to ") || mentions(error, " to " + first + " of");
      if (!is_done && !is_named && !(may_be_undone && is_untouched)) return false;
    }
    return true;
  }

  Call call(const std::string& name) {
    return {name,
            [this] {
              for (std::uint64_t i = 0; i < c.size(); ++i)
                c[i] = i % area < side * pitch && i % area % pitch < side ? 3.0F : 77.0F;
              operands.c = c.data();
            },
            [this](const DeviceGroup& group) {
              return group.gemm(
                  {.m = side,
                   .n = side,
                   .k = side,
                   .ldc = pitch,
                   .batch = {.count = count, .stride_a = side * side, .stride_b = side * side, .stride_c = area}},
                  operands, options_for(2, transfer));
            },
            [this](const std::string& error, bool may_be_undone) { return is_right(error, may_be_undone); },
            operands.beta != 0};
  }

  std::vector<float> a = std::vector<float>(count * side * side, 1), b = a, c = std::vector<float>(count * area);
  HostOperands operands;
  TileTransfer transfer;
};

struct Outcome {
  std::string error;
  DeviceGroupReport report;
};

Outcome outcome_of(const Call& call, const DeviceGroup& group) {
  try {
    return {{}, call.run(group)};
  } catch (const Error& error) {
    CHECK_MESSAGE(error.opencl_status() != CL_SUCCESS, error.what());
    return {error.what(), {}};
  }
}

void check_next(const Call& call, const DeviceGroup& group) {
  call.reset();
  const Outcome next = outcome_of(call, group);
  CHECK_MESSAGE(next.error.empty(), "the next call: " << next.error);
  CHECK_MESSAGE(call.is_right({}, false), "the next call's result is wrong");
  for (const DeviceShare& share : next.report.devices) CHECK_MESSAGE(share.error.empty(), share.error);
}

// Fails the device of the fault's context, or any device in calls that belong to no context.
unsigned check_failure(const Call& call, const DeviceGroup& group, const Fault& fault) {
  CAPTURE(call.name);
  CAPTURE(fault.function);
  CAPTURE(fault.call);
  CAPTURE(static_cast<int>(fault.failure));
  call.reset();
  faults::arm(fault);
  const Outcome outcome = outcome_of(call, group);
  const bool fired = faults::disarm();
  const bool is_alone = group.engines().size() == 1;
  CHECK_MESSAGE(call.is_right(outcome.error, is_alone), "a wrong result; the error is: " << outcome.error);
  if (!fired) CHECK_MESSAGE(outcome.error.empty(), "an error without a failure: " << outcome.error);
  if (outcome.error.empty()) {
    const auto& devices = outcome.report.devices;
    const auto failed =
        std::count_if(devices.begin(), devices.end(), [](const DeviceShare& share) { return !share.error.empty(); });
    CHECK(failed <= 1);
    if (fault.context != nullptr && failed == 1) CHECK_MESSAGE(!devices.back().error.empty(), call.name);
  } else if (!is_alone) {
    CHECK_MESSAGE(call.reads_c, outcome.error);
    CHECK_MESSAGE(mentions(outcome.error, "unspecified in C: "), outcome.error);
  }
  check_next(call, group);
  count_cases();
  return fired ? 1 : 0;
}

// How often a call of the group calls each function for objects of a context.
std::map<std::string, unsigned> calls_of(const Call& call, const DeviceGroup& group, cl_context context) {
  call.reset();
  faults::arm({.context = context});
  call.run(group);
  faults::disarm();
  return faults::calls();
}

// Fails each OpenCL call for the last device, and queries of platforms and devices. `is_fresh`: in a call that plans
// and allocates; otherwise in one that reuses the workers of the previous call.
void check_failures(const Call& call, const DeviceGroup& group, bool is_fresh) {
  const auto prepare = [&] {
    if (is_fresh) group.release_memory();
  };
  unsigned injected = 0;
  const auto fail = [&](const std::string& function, unsigned count, cl_context context) {
    std::vector<Failure> ways{Failure::returned};
    if (context != nullptr) ways.push_back(Failure::lost);
    if (function.rfind("clEnqueue", 0) == 0) ways.insert(ways.end(), {Failure::event, Failure::command});
    for (const unsigned number : calls_to_fail(call.name + function, count))
      for (const Failure failure : ways_to_fail(call.name + function + std::to_string(number), ways)) {
        prepare();
        const cl_int status = number % 2 == 0 ? CL_OUT_OF_RESOURCES : CL_INVALID_COMMAND_QUEUE;
        injected += check_failure(call, group, {function, number, status, context, failure});
      }
  };
  check_next(call, group);
  const cl_context context = group.engines().back().context();
  // If the other device is quick, this one gets no tile of a call.
  std::map<std::string, unsigned> of_device;
  for (int attempt = 0; attempt < 50 && of_device.empty(); ++attempt) {
    prepare();
    of_device = calls_of(call, group, context);
  }
  for (const auto& [function, count] : of_device) fail(function, count, context);
  prepare();
  const std::map<std::string, unsigned> all = calls_of(call, group, nullptr);
  for (const char* const function : {"clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo"})
    if (const auto found = all.find(function); found != all.end()) fail(function, found->second, nullptr);
  std::cout << call.name << (is_fresh ? ", fresh: " : ", kept: ") << injected << " failures" << std::endl;
  CHECK(injected > 0);  // how many depends on the tiles that the failing device gets
}

void check_all_failures(const std::vector<Call>& calls, std::size_t devices) {
  const auto before = faults::live_objects();
  {
    std::vector<Engine> engines;
    for (std::size_t i = 0; i < devices; ++i) engines.emplace_back(device_under_test());
    const DeviceGroup group(engines);
    for (const Call& call : calls)
      for (const bool is_fresh : {true, false}) check_failures(call, group, is_fresh);
  }
  CHECK_MESSAGE(before == faults::live_objects(), "references leak");
  count_kernel_of("device group");
}

}  // namespace

TEST_SUITE("group faults") {
  TEST_CASE("one of two devices fails in a product: the other one completes it") {
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::in_place}) {
      if (transfer == TileTransfer::in_place && !can_use_in_place()) continue;
      const std::string how = std::string(to_string(transfer)) + ", ";
      const GemmProblem problem{.m = 90, .n = 130, .k = 50};
      ProductCall writes(problem, 2, 0, false, transfer), updates(problem, 2, 3, false, transfer),
          resumes(problem, 2, 3, true, transfer), scales(problem, 0, 3, false, transfer),
          clears({.m = 90, .n = 130, .k = 0}, 2, 0, false, transfer);
      check_all_failures({writes.call(how + "beta = 0"), updates.call(how + "beta = 3"), resumes.call(how + "c_in"),
                          scales.call(how + "alpha = 0"), clears.call(how + "k = 0")},
                         2);
    }
  }

  TEST_CASE("the device in use fails: the one in reserve computes the product") {
    ProductCall writes({.m = 90, .n = 130, .k = 50}, 2, 0, false, TileTransfer::staged),
        updates({.m = 90, .n = 130, .k = 50}, 2, 3, false, TileTransfer::staged);
    for (ProductCall* const product : {&writes, &updates}) {
      for (TransferSpeeds& speeds : product->options.speeds) speeds.host_copy = 1e6;
      product->options.speeds.back().flops *= 2;  // the one that fails
    }
    check_all_failures({writes.call("reserve, beta = 0"), updates.call("reserve, beta = 3")}, 2);
  }

  TEST_CASE("one of two devices fails in a product that two threads drive") {
    ProductCall updates({.m = 90, .n = 130, .k = 50}, 2, 3, false, TileTransfer::staged);
    updates.options.driver_threads = updates.options.copy_threads = 2;
    check_all_failures({updates.call("two threads")}, 2);
  }

  TEST_CASE("one of two devices fails in a batch: the other one completes it") {
    BatchCall writes(2, 0), updates(2, 3), scales(0, 3), not_staged(2, 3, TileTransfer::in_place);
    check_all_failures({writes.call("a batch, beta = 0"), updates.call("a batch, beta = 3"),
                        scales.call("a batch, alpha = 0"), not_staged.call("a batch that is not staged")},
                       2);
  }

  TEST_CASE("all devices fail: C holds whole tiles, except those that the error names") {
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::in_place}) {
      if (transfer == TileTransfer::in_place && !can_use_in_place()) continue;
      const std::string how = "alone, " + std::string(to_string(transfer)) + ", ";
      const GemmProblem problem{.m = 90, .n = 130, .k = 50};
      ProductCall writes(problem, 2, 0, false, transfer), updates(problem, 2, 3, false, transfer);
      writes.options.speeds.resize(1);
      updates.options.speeds.resize(1);
      check_all_failures({writes.call(how + "beta = 0"), updates.call(how + "beta = 3")}, 1);
    }
  }

  TEST_CASE("a device that fails while its speeds are measured is left out, and tried again in the next call") {
    const Engine good(device_under_test());
    for (const Fault& fault : {Fault{"clEnqueueWriteBuffer", 1},
                               {"clEnqueueFillBuffer", 2},
                               {"clCreateCommandQueue", 1},
                               {"clEnqueueNDRangeKernel", 2},
                               {"clBuildProgram", 1}}) {
      CAPTURE(fault.function);
      const DeviceGroup group({good, Engine(device_under_test())});
      ProductCall writes({.m = 90, .n = 130, .k = 50}, 2, 0, false, TileTransfer::staged);
      writes.options.speeds.clear();
      const Call call = writes.call("measured speeds");
      call.reset();
      Fault of_second = fault;
      of_second.status = CL_OUT_OF_RESOURCES;
      of_second.context = group.engines().back().context();
      faults::arm(of_second);
      const Outcome outcome = outcome_of(call, group);
      CHECK(faults::disarm());
      CHECK_MESSAGE(outcome.error.empty(), outcome.error);
      CHECK(call.is_right({}, false));
      REQUIRE(outcome.report.devices.size() == 2);
      CHECK(outcome.report.devices[0].error.empty());
      CHECK_FALSE(outcome.report.devices[1].error.empty());
      check_next(call, group);
      count_cases();
      if (test_level() == TestLevel::quick && fault.function == "clEnqueueFillBuffer") break;
    }
  }

  TEST_CASE("a device without memory for a tile is left out; if no device has memory, the error says so") {
    const auto engine_with = [](cl_ulong bytes) {
      const cl::CommandQueue queue(cl::Context(cl::Device(device_under_test().id, true)),
                                   cl::Device(device_under_test().id, true));
      faults::pretend_memory(bytes);
      Engine engine = Engine::from_queue(queue());
      faults::pretend_memory(0);
      return engine;
    };
    const Engine large(device_under_test()), small = engine_with(200), medium = engine_with(1 << 20);
    REQUIRE(small.profile().global_memory_bytes == 200);
    const auto report_of = [&](const DeviceGroup& group, bool is_forced) {
      ProductCall product({.m = 300, .n = 200, .k = 500}, 2, 3, false, TileTransfer::staged);
      product.options.memory = 0;
      product.options.tile = is_forced ? TileSizes{tile_m, tile_n, 40} : TileSizes{};
      product.options.speeds.resize(group.engines().size(), made_up);
      const Call call = product.call("little memory");
      call.reset();
      const DeviceGroupReport report = call.run(group);
      CHECK(call.is_right({}, false));
      count_cases();
      return report;
    };
    const auto errors_of = [](const DeviceGroupReport& report) {
      std::vector<bool> has_error;
      for (const DeviceShare& share : report.devices) has_error.push_back(!share.error.empty());
      return has_error;
    };
    for (const bool is_forced : {false, true}) {
      const std::uint64_t tiles = report_of(DeviceGroup({large}), is_forced).tiles;
      for (const bool is_first : {false, true}) {
        const DeviceGroupReport report =
            report_of(is_first ? DeviceGroup({small, large}) : DeviceGroup({large, small}), is_forced);
        CHECK(errors_of(report) == std::vector{is_first, !is_first});
        CHECK(report.tiles == tiles);  // as large as without the device that is left out
      }
      CHECK(errors_of(report_of(DeviceGroup({large, medium}), is_forced)) == std::vector{false, false});
    }
    const DeviceGroup none({small});
    BatchCall batch(2, 3);
    ProductCall product({.m = 300, .n = 200, .k = 500}, 2, 3, false, TileTransfer::staged);
    for (const TileSizes& tile : {TileSizes{}, TileSizes{tile_m, tile_n, 40}}) {
      product.product.reset();
      const ErrorCode code = tile.m == 0 ? ErrorCode::out_of_memory : ErrorCode::invalid_configuration;
      const std::string text = expect_error(code, [&] {
        none.gemm(product.product.problem, product.product.operands,
                  {.transfer = TileTransfer::staged, .tile = tile, .speeds = {made_up}});
      });
      CHECK(mentions(text, "no device of the group"));
    }
    const Call call = batch.call("little memory");
    call.reset();
    faults::arm({});
    DeviceGroupReport report;
    CHECK_NOTHROW(report = call.run(DeviceGroup({small, large})));
    faults::disarm();
    REQUIRE(report.devices.size() == 2);
    CHECK(mentions(report.devices[0].error, "no room for two products"));
    CHECK(call.is_right({}, false));
  }
}

}  // namespace tilewright::test
