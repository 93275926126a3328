// Measurement of transpositions: Tilewright's variants, copies of as many bytes, and other libraries.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "session.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// Describes the first wrong element of B = alpha op(A), both densely stored; empty if B is right.
std::string wrong_transposition(const TransposeProblem& problem, double alpha, std::span<const std::byte> a,
                                std::span<const std::byte> b);

/// Measurement of one way to move a matrix.
struct Move {
  std::string name;  ///< variant or library
  std::string configuration;
  std::string note;  ///< why it was not measured
  double seconds = 0;
  double first_call_seconds = 0;
  bool measured = false;
  std::string wrong;  ///< describes the wrong result; empty if it is right
};

/// Moves of one matrix, and the time of a copy to compare with.
struct Moves {
  std::vector<Move> moves;
  std::vector<Move> references;  ///< other libraries
  double copy_seconds = 0;       ///< time of the faster of clEnqueueCopyBuffer and a kernel that copies rows
  double bytes = 0;              ///< read and written
};

/// Verifies and times choices, libraries ("openblas") and copies in turns. Throws UsageError, Error.
Moves measure_moves(const Session& session, const TransposeProblem& problem, const std::vector<Choice>& choices,
                    const std::vector<std::string>& against, unsigned runs);

/// Returns a call of OpenBLAS's somatcopy or domatcopy on the host. Empty if the type or size is unsupported or this
/// build lacks OpenBLAS.
std::function<void()> openblas_transposition(const TransposeProblem& problem, const std::byte* a, std::byte* b);

}  // namespace tilewright::tool
