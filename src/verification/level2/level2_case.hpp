#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"
#include "verification/common/case_text.hpp"
#include "verification/common/stored_shape.hpp"

namespace tilewright::verification {

/// BLAS's names. hemv, her and her2 are symv, syr and syr2 with Symmetry::hermitian.
enum class Level2Call { symv, hemv, trmv, syr, her, syr2, her2 };

inline constexpr Word<Level2Call> level2_calls[] = {
    {Level2Call::symv, "symv"}, {Level2Call::hemv, "hemv"}, {Level2Call::trmv, "trmv"}, {Level2Call::syr, "syr"},
    {Level2Call::her, "her"},   {Level2Call::syr2, "syr2"}, {Level2Call::her2, "her2"}};

/// One call to verify; its text suffices to repeat it.
struct Level2Case {
  Level2Call call = Level2Call::symv;
  Choice choice{};
  DataType type = DataType::f32;  ///< f32, f64, c64 or c128
  Layout layout = Layout::row_major;
  Uplo uplo = Uplo::lower;
  Transpose trans = Transpose::no;  ///< trmv only
  Diag diag = Diag::non_unit;       ///< trmv only
  std::uint64_t n = 1;
  std::uint64_t gap = 2;  ///< elements between rows or columns of A
  std::int64_t incx = 1;
  std::int64_t incy = 1;           ///< symv, hemv, syr2 and her2 only
  std::complex<double> alpha = 2;  ///< all but trmv
  std::complex<double> beta = -3;  ///< symv and hemv only
  std::uint64_t offset = 3;        ///< of every operand
  std::uint64_t count = 1;         ///< batch count
  bool shares_inputs = false;      ///< all problems of a batch share the operands that are only read
  Memory memory = Memory::exact;
  std::uint64_t seed = 1;
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, Level2Case& test);

/// Returns "call=symv variant= config= type=f32 layout=row uplo=lower ..."
std::string to_string(const Level2Case& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
Level2Case parse_level2_case(std::string_view text);

/// Runs a case in guarded memory and compares each element with the documented error bound. The triangle that is not
/// named, a unit diagonal, imaginary parts of a Hermitian diagonal and operands that a zero scalar excludes are NaN.
/// Returns what is wrong; empty if nothing is.
std::string try_level2_case(const Engine& engine, const Level2Case& test);

}  // namespace tilewright::verification
