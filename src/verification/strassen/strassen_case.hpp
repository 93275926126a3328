#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tilewright/strassen.hpp"
#include "verification/common/case_text.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/stored_shape.hpp"

namespace tilewright::verification {

/// One product by Strassen's method to verify; its text suffices to repeat it.
struct StrassenCase {
  DataType type = DataType::f32;  ///< f32 or f64
  Layout layout = Layout::row_major;
  Transpose trans_a = Transpose::no;
  Transpose trans_b = Transpose::no;
  std::uint64_t m = 1;
  std::uint64_t n = 1;
  std::uint64_t k = 1;
  std::optional<unsigned> levels{};  ///< unset: the library chooses
  double alpha = 1;
  double beta = 0;
  std::array<std::uint64_t, 3> gaps{};     ///< elements between the lines of A, B and C
  std::array<std::uint64_t, 3> offsets{};  ///< elements before A, B and C, in addition to bands
  DataKind data = DataKind::uniform;
  Memory memory = Memory::banded;
  Choice products{};  ///< variant of the small products; empty: the library chooses
  std::uint64_t seed = 1;

  friend bool operator==(const StrassenCase&, const StrassenCase&) = default;
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, StrassenCase& test);

/// Returns "type=f32 layout=row trans=NT size=37x50x67 levels=1 alpha=2 beta=-3 gap=1,0,3 offset=5,0,16 ...".
std::string to_string(const StrassenCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
StrassenCase parse_strassen_case(std::string_view text);

/// Runs a case twice in guarded memory. Compares C with a product in higher precision, checks that nothing else
/// changed, and that the second run gave the same bits. Integers must be exact; otherwise the bound is norm-wise.
/// Returns what is wrong; empty if nothing is.
std::string try_strassen_case(const Engine& engine, const StrassenCase& test);

}  // namespace tilewright::verification
