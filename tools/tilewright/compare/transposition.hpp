// Transpositions to measure: our own, copies of as many bytes, and other libraries'.
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

/// What is wrong with B = alpha op(A), both densely stored; empty where it is right.
std::string wrong_transposition(const TransposeProblem& problem, double alpha, std::span<const std::byte> a,
                                std::span<const std::byte> b);

/// What one way of moving a matrix came to.
struct Move {
  std::string name;  ///< of a variant or library
  std::string configuration;
  std::string note;  ///< why it was not measured
  double seconds = 0;
  double first_call_seconds = 0;
  bool measured = false;
  std::string wrong;  ///< empty where the result was right
};

/// Moves of one matrix, and what they are compared with: the speed of a copy.
struct Moves {
  std::vector<Move> moves;
  std::vector<Move> references;  ///< other libraries
  double copy_seconds = 0;       ///< of the faster of clEnqueueCopyBuffer and a kernel that copies rows
  double bytes = 0;              ///< read and written
};

/// Verifies and times choices, libraries ("openblas") and copies in turns. Throws UsageError, Error.
Moves measure_moves(const Session& session, const TransposeProblem& problem, const std::vector<Choice>& choices,
                    const std::vector<std::string>& against, unsigned runs);

/// OpenBLAS's somatcopy or domatcopy on the host; empty where this build lacks OpenBLAS.
std::function<void()> openblas_transposition(const TransposeProblem& problem, const std::byte* a, std::byte* b);

}  // namespace tilewright::tool
