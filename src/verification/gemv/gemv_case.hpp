#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/gemv.hpp"

namespace tilewright::verification {

enum class GemvCall { gemv, ger };

/// One product with a vector or outer product to verify, complete enough to be repeated from its text.
struct GemvCase {
  GemvCall call = GemvCall::gemv;
  Choice choice{};
  DataType type = DataType::f32;  ///< no integer
  Layout layout = Layout::row_major;
  Transpose trans = Transpose::no;  ///< of A; of ger "conjugate" is that of y
  std::uint64_t m = 1;
  std::uint64_t n = 1;
  std::int64_t incx = 1;
  std::int64_t incy = 1;
  std::complex<double> alpha = 2;
  std::complex<double> beta = -3;  ///< of gemv
  std::uint64_t offset = 3;        ///< of A and of what is written
  std::uint64_t count = 1;         ///< of a batch
  std::uint64_t seed = 1;
};

/// "call=gemv variant= config= type=f32 layout=row trans=N size=13x6 ..."
std::string to_string(const GemvCase& test);

/// Reads what to_string() writes; throws std::invalid_argument.
GemvCase parse_gemv_case(std::string_view text);

/// Runs a case in guarded memory and compares every element with the reference. Says what is wrong; empty where nothing
/// is.
std::string try_gemv_case(const Engine& engine, const GemvCase& test);

}  // namespace tilewright::verification
