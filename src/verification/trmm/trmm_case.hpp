#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/trmm.hpp"
#include "verification/common/case_text.hpp"

namespace tilewright::verification {

/// The elements of A and B.
enum class TrmmData {
  uniform,   ///< in [-1, 1)
  integers,  ///< small integers, whose sums are exact
  nans,      ///< like uniform, with NaN in one element of each line of B
};

/// One call of trmm to verify; its text suffices to repeat it.
struct TrmmCase {
  DataType type = DataType::f32;  ///< not an integer type
  Layout layout = Layout::row_major;
  Side side = Side::left;
  Uplo uplo = Uplo::lower;
  Transpose trans = Transpose::no;
  Diag diag = Diag::non_unit;
  std::uint64_t m = 1;
  std::uint64_t n = 1;
  std::complex<double> alpha = 1;
  TrmmData data = TrmmData::uniform;
  std::array<std::uint64_t, 2> gaps{};     ///< elements between the lines of A and of B
  std::array<std::uint64_t, 2> offsets{};  ///< elements before A and B, in addition to bands
  std::uint64_t count = 1;                 ///< products in the batch
  bool shares_a = false;                   ///< all products of the batch have the same A
  Memory memory = Memory::banded;          ///< of A and B
  Choice products{};                       ///< variant of the products; empty: the library chooses
  std::uint64_t seed = 1;

  friend bool operator==(const TrmmCase&, const TrmmCase&) = default;
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, TrmmCase& test);

/// Returns "type=f32 layout=row side=left uplo=lower trans=N diag=non_unit size=13x6 ..."
std::string to_string(const TrmmCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
TrmmCase parse_trmm_case(std::string_view text);

/// Runs a case twice in guarded memory. Compares each element with the reference, checks that nothing else changed, and
/// that the second run gave the same bits. Returns what is wrong; empty if nothing is.
std::string try_trmm_case(const Engine& engine, const TrmmCase& test);

}  // namespace tilewright::verification
