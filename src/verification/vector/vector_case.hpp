#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tilewright/vector.hpp"
#include "verification/common/case_text.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/stored_shape.hpp"

namespace tilewright::verification {

/// The vector functions, and dot with Summation::compensated. axpy is axpby with beta = 1.
enum class VectorCall { axpby, scal, hadamard, copy, swap, dot, dotc, compensated_dot, nrm2, asum, iamax };
inline constexpr std::array vector_calls{
    VectorCall::axpby, VectorCall::scal, VectorCall::hadamard, VectorCall::copy,
    VectorCall::swap,  VectorCall::dot,  VectorCall::dotc,     VectorCall::compensated_dot,
    VectorCall::nrm2,  VectorCall::asum, VectorCall::iamax};

/// One vector call to compare with a reference. The operands are x, y and z, of which some calls take fewer.
struct VectorCase {
  VectorCall call = VectorCall::axpby;
  DataType type = DataType::f32;
  std::uint64_t n = 0;
  std::array<std::int64_t, 3> increments{1, 1, 1};
  std::array<std::uint64_t, 3> offsets{};
  std::uint64_t count = 1;
  /// Elements between two vectors of a batch, in addition to the increments' gaps.
  std::uint64_t gap = 0;
  std::complex<double> alpha = 1;
  std::complex<double> beta = 1;
  DataKind data = DataKind::uniform;
  std::int64_t exponent = 0;  ///< the elements are multiplied by 2 to this power
  Memory memory = Memory::banded;
  std::uint64_t seed = 1;
};

/// Returns for example "axpby" or "compensated_dot".
std::string_view to_string(VectorCall call);

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, VectorCase& test);

/// Returns "call=axpby type=f32 n=17 inc=-2,1,1 ...", which suffices to repeat the case.
std::string to_string(const VectorCase& test);

// Parse the forms of to_string(). Throw std::invalid_argument.
VectorCall parse_vector_call(std::string_view word);
VectorCase parse_vector_case(std::string_view text);

/// The function of a call.
VectorFunction function_of(VectorCall call);

/// Enqueues a call with the function of its name. Sets the problem's summation.
Event enqueue(const Engine& engine, cl_command_queue queue, VectorCall call, VectorProblem problem,
              const VectorOperands& operands, std::span<const cl_event> waits = {});

/// How many of x, y and z a call has.
std::size_t vectors_of(VectorCall call);

/// Returns the index of the vector that a call writes; 3 means a separate result.
std::size_t written_by(VectorCall call);

}  // namespace tilewright::verification
