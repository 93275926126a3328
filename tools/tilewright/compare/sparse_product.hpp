// Measurement of sparse products: Tilewright's variants, and plain loops on the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/triplets.hpp"
#include "session.hpp"
#include "tilewright/spmm.hpp"

namespace tilewright::tool {

/// Measurement of one way to compute C = A B.
struct SparseRun {
  std::string name;  ///< variant
  std::string configuration;
  std::string reason;  ///< why this variant was chosen
  std::string note;    ///< why it was not measured
  bool measured = false;
  double seconds = 0;
  double first_call_seconds = 0;  ///< includes analysis of A's structure and compilation
  double error_over_bound = 0;
  std::string wrong;  ///< describes the wrong result; empty if it is right
};

struct SparseRuns {
  SpmmProblem problem;
  RowStatistics statistics;
  std::vector<SparseRun> runs;
  double host_seconds = 0;    ///< optimized plain loop on the host, one thread per core
  double openmp_seconds = 0;  ///< OpenMP's loop; 0 if this build lacks OpenMP
};

/// A matrix from a file, used for products with several numbers of columns.
struct SparseInput {
  std::string path;
  Triplets matrix;
};

/// Verifies the choices and times them in turns with the host's loops. B has n columns of random numbers. Throws
/// UsageError, FileError, Error.
SparseRuns measure_sparse(const Session& session, const SparseInput& input, DataType type, std::uint64_t n,
                          const std::vector<Choice>& choices, unsigned runs);

}  // namespace tilewright::tool
