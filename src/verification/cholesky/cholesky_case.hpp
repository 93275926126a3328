#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/cholesky.hpp"
#include "verification/common/system_case.hpp"
#include "verification/triangular/lower_triangle.hpp"

namespace tilewright::verification {

enum class CholeskyCall { potrf, potrs, posv, potri };

inline constexpr Word<CholeskyCall> cholesky_calls[] = {{CholeskyCall::potrf, "potrf"},
                                                        {CholeskyCall::potrs, "potrs"},
                                                        {CholeskyCall::posv, "posv"},
                                                        {CholeskyCall::potri, "potri"}};

/// One call of potrf, potrs, posv or potri to verify; its text suffices to repeat it.
struct CholeskyCase {
  CholeskyCall call = CholeskyCall::potrf;
  Uplo uplo = Uplo::lower;
  std::uint64_t n = 1;
  std::uint64_t nrhs = 1;        ///< 0 for potrf and potri
  std::uint64_t indefinite = 0;  ///< order of the first leading minor that is not positive definite; 0: none
  bool has_nan = false;          ///< that minor's last diagonal element is NaN; otherwise it is negative
  std::uint64_t info_gap = 0;    ///< integers between the infos of a batch
  TriangleKind data = TriangleKind::dominant;
  SystemCase storage{};

  bool factors() const { return call == CholeskyCall::potrf || call == CholeskyCall::posv; }
  bool solves() const { return call == CholeskyCall::potrs || call == CholeskyCall::posv; }

  friend bool operator==(const CholeskyCase&, const CholeskyCase&) = default;
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, CholeskyCase& test);

/// Returns "call=potrf uplo=lower size=130x0 indefinite=17,nan info_gap=0 data=dominant type=f32 ...".
std::string to_string(const CholeskyCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
CholeskyCase parse_cholesky_case(std::string_view text);

/// Runs a case twice in guarded memory. Compares info, and the residual of each element of the factor and of each
/// equation with its bound. Checks that nothing else changed, and that the second run gave the same bits. Returns what
/// is wrong; empty if nothing is.
std::string try_cholesky_case(const Engine& engine, const CholeskyCase& test);

}  // namespace tilewright::verification
