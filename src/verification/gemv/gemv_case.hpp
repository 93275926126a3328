#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/gemv.hpp"
#include "verification/common/case_text.hpp"

namespace tilewright::verification {

enum class GemvCall { gemv, ger };

/// One call of gemv or ger to verify; its text suffices to repeat it.
struct GemvCase {
  GemvCall call = GemvCall::gemv;
  Choice choice{};
  DataType type = DataType::f32;  ///< not an integer type
  Layout layout = Layout::row_major;
  Transpose trans = Transpose::no;  ///< of A; for ger, conjugate_transpose conjugates y
  std::uint64_t m = 1;
  std::uint64_t n = 1;
  std::int64_t incx = 1;
  std::int64_t incy = 1;
  std::complex<double> alpha = 2;
  std::complex<double> beta = -3;  ///< gemv only
  std::uint64_t offset = 3;        ///< offset of A and of the written operand
  std::uint64_t count = 1;         ///< batch count
  std::uint64_t seed = 1;
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, GemvCase& test);

/// Returns "call=gemv variant= config= type=f32 layout=row trans=N size=13x6 ..."
std::string to_string(const GemvCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
GemvCase parse_gemv_case(std::string_view text);

/// Runs a case in guarded memory and compares each element with the reference. Returns what is wrong; empty if nothing
/// is.
std::string try_gemv_case(const Engine& engine, const GemvCase& test);

}  // namespace tilewright::verification
