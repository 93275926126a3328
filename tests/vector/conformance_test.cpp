// Every operation on vectors in every type: sizes about vectors, blocks and groups, increments of both signs, offsets,
// batches, and both ways of cutting the work, whatever the device is.
#include <doctest/doctest.h>

#include <array>
#include <span>
#include <vector>

#include "kernels/element_type.hpp"
#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
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

bool has(const Engine& engine, VectorCall call, DataType type) {
  if (call == VectorCall::copy || call == VectorCall::swap) return true;
  return !detail::is_integer(type) && detail::why_unsupported(type, engine.profile()).empty();
}

// Each size once with increments of 1, and once with others; what else there is is drawn.
void sweep(const Engine& engine, DataType type, std::span<const VectorCall> calls,
           std::initializer_list<std::uint64_t> sizes) {
  constexpr std::array<std::array<std::int64_t, 3>, 4> increments{{{2, 1, 3}, {-1, 1, -2}, {3, -3, 1}, {-2, -2, -2}}};
  constexpr std::array<std::array<std::uint64_t, 3>, 4> offsets{{{0, 0, 0}, {1, 1, 1}, {5, 0, 2}, {3, 7, 3}}};
  constexpr std::array<std::complex<double>, 4> factors{{{1.5, -.5}, {-.7, 0}, {0, 0}, {1, 0}}};
  constexpr std::array kinds{DataKind::uniform, DataKind::positive, DataKind::integers};
  const std::vector<Memory> memories = memories_of(Breadth::normal);
  std::size_t turn = 0;
  for (const VectorCall call : calls)
    for (const std::uint64_t n : sizes)
      for (const bool dense : {true, false}) {
        ++turn;
        if (!has(engine, call, type)) continue;
        std::uint64_t drawn = 0;
        const auto pick = [&](const auto& from) { return from[random_bits(turn, drawn++) % from.size()]; };
        VectorCase test{.call = call, .type = type, .n = n, .seed = turn};
        if (!dense) test.increments = pick(increments);
        test.offsets = pick(offsets);
        test.alpha = pick(factors);
        test.beta = pick(factors);
        if (!is_complex(type)) {
          test.alpha = test.alpha.real();
          test.beta = test.beta.real();
        }
        test.data = pick(kinds);
        test.memory = pick(memories);
        if (turn % 5 == 4 && n < 5000) {
          test.count = 3;
          test.gap = turn % 3;
        }
        check_case(engine, test);
      }
}

// Those whose kernels differ most, for types that differ from others only in how their elements are loaded:
// most of the time goes into compiling.
constexpr std::array some_calls{VectorCall::axpby, VectorCall::copy, VectorCall::swap,
                                VectorCall::dotc,  VectorCall::nrm2, VectorCall::iamax};

bool is_common(DataType type) { return type == DataType::f32 || type == DataType::f64 || type == DataType::c64; }

}  // namespace

TEST_SUITE("vector conformance") {
  TEST_CASE("every operation in every type") {
    for (const detail::ElementType& type : detail::element_types()) {
      CAPTURE(type.name);
      if (test_level() == TestLevel::quick)
        sweep(shared_engine(), type.type, some_calls, {1, 65, 130});
      else if (type.type == DataType::f32)
        sweep(shared_engine(), type.type, vector_calls, {0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, 8193, 16385, 300001});
      else if (type.type == DataType::f64)
        sweep(shared_engine(), type.type, vector_calls, {0, 1, 7, 8, 9, 31, 32, 33, 1000, 200001});
      else
        sweep(shared_engine(), type.type, is_common(type.type) ? std::span<const VectorCall>(vector_calls) : some_calls,
              {1, 3, 33, 130, 1001, 33000});
    }
  }

  // The other way of cutting the work: groups of many items, or of one.
  TEST_CASE("as on a device of another kind") {
    const Engine engine(device_under_test());
    DeviceProfile device = engine.profile();
    const bool is_cpu = device.type == DeviceType::cpu;
    device.type = is_cpu ? DeviceType::gpu : DeviceType::cpu;
    engine.state().set_profile(device);
    if (test_level() == TestLevel::quick) return sweep(engine, DataType::f32, vector_calls, {0, 5, 1023, 4097});
    sweep(engine, DataType::f32, vector_calls, {0, 1, 5, 255, 1023, 1024, 4096, 4097, 20000, 70001});
    sweep(engine, DataType::c64, some_calls, {1, 3, 700, 9001});
  }
}

}  // namespace tilewright::test
