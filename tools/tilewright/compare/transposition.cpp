#include "compare/transposition.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verification/transpose/host_transpose.hpp"

namespace tilewright::tool {
namespace {

using namespace verification;

template <std::size_t size>
std::string wrong_element(const TransposeProblem& problem, double alpha, std::span<const std::byte> a,
                          std::span<const std::byte> b) {
  const auto* const from = reinterpret_cast<const Bits<size>*>(a.data());
  const auto* const to = reinterpret_cast<const Bits<size>*>(b.data());
  constexpr std::uint64_t block = 64;  // keeps both sides in the caches
  for (std::uint64_t i0 = 0; i0 < problem.m; i0 += block)
    for (std::uint64_t j0 = 0; j0 < problem.n; j0 += block)
      for (std::uint64_t i = i0; i < std::min(problem.m, i0 + block); ++i)
        for (std::uint64_t j = j0; j < std::min(problem.n, j0 + block); ++j) {
          const std::uint64_t at = problem.trans == Transpose::yes ? j * problem.m + i : i * problem.n + j;
          const Bits<size> expected = scaled_element(problem.type, from[i * problem.n + j], alpha);
          if (!is_right(problem.type, alpha, expected, to[at]))
            return fmt::format("the element of A({}, {}) became {}, expected {}", i, j, hexadecimal(to[at]),
                               hexadecimal(expected));
        }
  return {};
}

}  // namespace

std::string wrong_transposition(const TransposeProblem& problem, double alpha, std::span<const std::byte> a,
                                std::span<const std::byte> b) {
  switch (problem.type.bytes()) {
    case 1:
      return wrong_element<1>(problem, alpha, a, b);
    case 2:
      return wrong_element<2>(problem, alpha, a, b);
    case 4:
      return wrong_element<4>(problem, alpha, a, b);
    case 8:
      return wrong_element<8>(problem, alpha, a, b);
    default:
      return wrong_element<16>(problem, alpha, a, b);
  }
}

}  // namespace tilewright::tool
