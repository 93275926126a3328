// Sparse matrices as products take them.
#pragma once

#include <string>
#include <string_view>

#include "files/triplets.hpp"
#include "session.hpp"
#include "tilewright/spmm.hpp"
#include "verification/spmm/host_spmm.hpp"

namespace tilewright::tool {

/// A matrix, or its transpose, by rows; within a row its entries keep their order. Throws FileError(out_of_range) where
/// a finite entry is too large for T, and FileError(too_large) where the rows need more than this machine's memory.
/// `path` is for messages.
template <class T>
verification::HostCsr<T> by_rows(const Triplets& matrix, bool transposed, const std::string& path);

/// Its arrays on a device. The session must outlive them.
template <class T>
class DeviceCsr {
 public:
  DeviceCsr(const Session& session, const verification::HostCsr<T>& matrix);

  SparseStructure structure() const { return {.offsets = {offsets_.get()}, .columns = {columns_.get()}}; }
  MatrixRef values() const { return {values_.get()}; }

 private:
  Buffer offsets_, columns_, values_;
};

/// What is known of a file's rows.
RowStatistics statistics_of(const Triplets& matrix, const std::string& path);

/// C = A B with n columns and B and C densely stored by rows, for such arrays.
SpmmProblem spmm_problem(const Triplets& a, DataType type, std::uint64_t n);

/// Of one product: 2 n for each stored element.
double flops_of(const SpmmProblem& problem);

/// What a product has to read and write once: A with indices of 32 bits, B and C.
double bytes_of(const SpmmProblem& problem);

/// Of all matrices on the device, and the plan's own copy of the structure.
double device_bytes_of(const SpmmProblem& problem);

/// "3000 x 4000, 20000 entries"
std::string to_string(const SpmmProblem& problem);

/// "10.5 on average (deviation 3.2), 40 at most, 7 of 3000 rows are empty"
std::string to_string(const RowStatistics& statistics);

}  // namespace tilewright::tool
