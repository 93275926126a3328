#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/triangular.hpp"
#include "verification/common/system_case.hpp"
#include "verification/triangular/triangular_words.hpp"

namespace tilewright::verification {

enum class TriangularCall { trsm, trsv };

inline constexpr Word<TriangularCall> triangular_calls[] = {{TriangularCall::trsm, "trsm"},
                                                            {TriangularCall::trsv, "trsv"}};

/// One call of trsm or trsv to verify; its text suffices to repeat it.
struct TriangularCase {
  TriangularCall call = TriangularCall::trsm;
  Side side = Side::left;  ///< trsm only
  Uplo uplo = Uplo::lower;
  Transpose trans = Transpose::no;
  Diag diag = Diag::non_unit;
  std::uint64_t m = 1;             ///< rows of B; trsv: order of A
  std::uint64_t n = 1;             ///< columns of B; trsv: 1
  std::int64_t incx = 1;           ///< trsv only
  std::complex<double> alpha = 1;  ///< trsm only
  TriangleKind data = TriangleKind::dominant;
  SystemCase storage{};

  friend bool operator==(const TriangularCase&, const TriangularCase&) = default;
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, TriangularCase& test);

/// Returns "call=trsm side=left uplo=lower trans=N diag=non_unit size=13x6 inc=1 alpha=-1.5 data=dominant type=f32
/// ...".
std::string to_string(const TriangularCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
TriangularCase parse_triangular_case(std::string_view text);

/// Runs a case twice in guarded memory. Compares the residual of each equation with its bound, checks that nothing else
/// changed, and that the second run gave the same bits. Returns what is wrong; empty if nothing is.
std::string try_triangular_case(const Engine& engine, const TriangularCase& test);

}  // namespace tilewright::verification
