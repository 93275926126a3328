#include "verification/vector/vector_cases.hpp"

#include <array>

#include "kernels/element_type.hpp"

namespace tilewright::verification {
namespace {

constexpr std::array<std::array<std::int64_t, 3>, 4> increments{{{2, 1, 3}, {-1, 1, -2}, {3, -3, 1}, {-2, -2, -2}}};
constexpr std::array<std::array<std::uint64_t, 3>, 4> offsets{{{0, 0, 0}, {1, 1, 1}, {5, 0, 2}, {3, 7, 3}}};
constexpr std::array<std::complex<double>, 4> factors{{{1.5, -.5}, {-.7, 0}, {0, 0}, {1, 0}}};
constexpr std::array kinds{DataKind::uniform, DataKind::positive, DataKind::integers};

// Reductions that accept numbers whose squares overflow or underflow get some, in types that have them.
std::array<std::int64_t, 3> exponents_of(VectorCall call, DataType type) {
  if (call != VectorCall::nrm2 && call != VectorCall::asum && call != VectorCall::iamax) return {};
  if (type == DataType::f32 || type == DataType::c64) return {0, 100, -100};
  if (type == DataType::f64 || type == DataType::c128) return {0, 900, -900};
  return {};
}

}  // namespace

std::string why_unsupported(VectorCall call, DataType type, const DeviceProfile& device) {
  if (call == VectorCall::copy || call == VectorCall::swap) return {};
  if (detail::is_integer(type)) return "integers are only copied and swapped";
  return detail::why_unsupported(type, device);
}

std::vector<VectorCase> vector_cases(const DeviceProfile& device, DataType type, std::span<const VectorCall> calls,
                                     std::span<const std::uint64_t> sizes) {
  const std::vector<Memory> memories = memories_of(Breadth::normal);
  std::vector<VectorCase> cases;
  std::size_t turn = 0;
  for (const VectorCall call : calls)
    for (const std::uint64_t n : sizes)
      for (const bool dense : {true, false}) {
        ++turn;
        if (!why_unsupported(call, type, device).empty()) continue;
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
        test.exponent = pick(exponents_of(call, type));
        test.memory = pick(memories);
        if (turn % 5 == 4 && n < 5000) {
          test.count = 3;
          test.gap = turn % 3;
        }
        cases.push_back(test);
      }
  return cases;
}

}  // namespace tilewright::verification
