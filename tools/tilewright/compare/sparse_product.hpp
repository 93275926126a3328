// Products of a sparse matrix to measure: our own, and plain loops on the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/triplets.hpp"
#include "session.hpp"
#include "tilewright/spmm.hpp"

namespace tilewright::tool {

/// What one way of computing C = A B came to.
struct SparseRun {
  std::string name;  ///< of a variant
  std::string configuration;
  std::string reason;  ///< why this variant
  std::string note;    ///< why it was not measured
  bool measured = false;
  double seconds = 0;
  double first_call_seconds = 0;  ///< with reading and preparing A's structure, and compiling
  double error_over_bound = 0;
  std::string wrong;  ///< empty where the result was right
};

struct SparseRuns {
  SpmmProblem problem;
  RowStatistics statistics;
  std::vector<SparseRun> runs;
  double host_seconds = 0;    ///< of a plain loop in as many threads as there are cores, with optimized code
  double openmp_seconds = 0;  ///< of OpenMP's loop; 0 where this build lacks it
};

/// A file's matrix, which is kept for products with any number of columns.
struct SparseInput {
  std::string path;
  Triplets matrix;
};

/// Verifies and times choices and the loop on the host in turns, with n columns of random numbers as B. Throws
/// UsageError, FileError, Error.
SparseRuns measure_sparse(const Session& session, const SparseInput& input, DataType type, std::uint64_t n,
                          const std::vector<Choice>& choices, unsigned runs);

}  // namespace tilewright::tool
