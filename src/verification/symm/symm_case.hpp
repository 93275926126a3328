#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/symm.hpp"
#include "verification/common/case_text.hpp"

namespace tilewright::verification {

/// One call of symm to verify; its text suffices to repeat it.
struct SymmCase {
  Symmetry symmetry = Symmetry::symmetric;
  DataType type = DataType::f32;  ///< not an integer type
  Layout layout = Layout::row_major;
  Side side = Side::left;
  Uplo uplo = Uplo::lower;
  std::uint64_t m = 1;
  std::uint64_t n = 1;
  std::complex<double> alpha = 1;
  std::complex<double> beta = 0;
  bool is_whole = false;                   ///< elements are small integers, whose sums are exact
  std::array<std::uint64_t, 3> gaps{};     ///< elements between the lines of A, B and C
  std::array<std::uint64_t, 3> offsets{};  ///< elements before A, B and C, in addition to bands
  std::uint64_t count = 1;                 ///< products in the batch
  bool shares_a = false;                   ///< all products of the batch have the same A
  Memory memory = Memory::banded;          ///< of A, B and C
  Choice products{};                       ///< variant of the products; empty: the library chooses
  std::uint64_t seed = 1;

  friend bool operator==(const SymmCase&, const SymmCase&) = default;
};

inline constexpr Word<Symmetry> symm_calls[] = {{Symmetry::symmetric, "symm"}, {Symmetry::hermitian, "hemm"}};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, SymmCase& test);

/// Returns "call=hemm type=c64 layout=row side=left uplo=lower size=13x6 ..."
std::string to_string(const SymmCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
SymmCase parse_symm_case(std::string_view text);

/// Runs a case twice in guarded memory. Compares each element with the reference, checks that nothing else changed, and
/// that the second run gave the same bits. Returns what is wrong; empty if nothing is.
std::string try_symm_case(const Engine& engine, const SymmCase& test);

}  // namespace tilewright::verification
