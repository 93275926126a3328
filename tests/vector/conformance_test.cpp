// Every vector function in every type: sizes close to those of vector loads, blocks and work-groups, increments of both
// signs, offsets, batches, and the division of work of both CPUs and GPUs on any device.
#include <doctest/doctest.h>

#include <initializer_list>
#include <span>
#include <vector>

#include "kernels/element_type.hpp"
#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "verification/vector/vector_cases.hpp"
#include "verification/vector/vector_trial.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

void check_case(const Engine& engine, const VectorCase& test) {
  INFO(to_string(test));
  const std::string wrong = try_vector_case(engine, test);
  CHECK_MESSAGE(wrong.empty(), wrong);
  count_cases();
  count_kernel_of("vectors");
}

void sweep(const Engine& engine, DataType type, std::span<const VectorCall> calls,
           std::initializer_list<std::uint64_t> sizes) {
  for (const VectorCase& test : vector_cases(engine.profile(), type, calls, {sizes.begin(), sizes.size()}))
    check_case(engine, test);
}

// Compilation takes most of the time. f32 runs every function. Types differ in how their elements are loaded, summed
// and stored, so each other type runs one function for each such difference. `tilewright check --op vector` runs all of
// them.
std::vector<VectorCall> calls_of(DataType type) {
  using enum VectorCall;
  if (type == DataType::f32 || test_level() == TestLevel::full) return {vector_calls.begin(), vector_calls.end()};
  if (type == DataType::f64) return {axpby, compensated_dot, nrm2};
  if (type == DataType::c64) return {axpby, dotc};
  if (type == DataType::f16) return {axpby};
  if (type == DataType::bf16) return {nrm2};
  if (type == DataType::c128) return {hadamard};
  if (type == DataType::i8) return {VectorCall::swap};
  return {};  // moved like other types of their size
}

// An engine that divides the work as for the other kind of device: many work-items per work-group, or one.
Engine other_engine() {
  Engine engine(device_under_test());
  DeviceProfile device = engine.profile();
  device.type = device.type == DeviceType::cpu ? DeviceType::gpu : DeviceType::cpu;
  state_of(engine).set_profile(device);
  return engine;
}

}  // namespace

TEST_SUITE("vector conformance") {
  TEST_CASE("every function in every type") {
    for (const detail::ElementType& type : detail::element_types()) {
      CAPTURE(type.name);
      const std::vector<VectorCall> calls = calls_of(type.type);
      if (test_level() == TestLevel::quick)
        sweep(shared_engine(), type.type, calls, {1, 65, 130});
      else if (type.type == DataType::f32)
        sweep(shared_engine(), type.type, calls, {0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, 8193, 16385, 300001});
      else if (type.type == DataType::f64)
        sweep(shared_engine(), type.type, calls, {0, 1, 7, 8, 9, 31, 32, 33, 1000, 200001});
      else
        sweep(shared_engine(), type.type, calls, {1, 3, 33, 130, 1001, 33000});
    }
  }

  TEST_CASE("the division of work of another kind of device") {
    const Engine engine = other_engine();
    // An elementwise function, a move, and two kinds of reductions.
    constexpr VectorCall some[] = {VectorCall::axpby, VectorCall::swap, VectorCall::nrm2, VectorCall::iamax};
    constexpr VectorCall products[] = {VectorCall::dotc};
    if (test_level() == TestLevel::quick) return sweep(engine, DataType::f32, some, {0, 5, 1023, 4097});
    sweep(engine, DataType::f32, some, {0, 1, 5, 255, 1023, 1024, 4096, 4097, 20000, 70001});
    sweep(engine, DataType::c64, products, {1, 3, 700, 9001});
  }
}

// For devices that execute slowly, such as Oclgrind.
TEST_SUITE("every kernel") {
  TEST_CASE("vectors") {
    for (const Engine& engine : {shared_engine(), other_engine()})
      sweep(engine, DataType::f32, {vector_calls.begin(), vector_calls.size()}, {35});
  }
}

}  // namespace tilewright::test
