// Conversion of matrices from files to operands of sparse products.
#pragma once

#include <string>
#include <string_view>

#include "files/triplets.hpp"
#include "session.hpp"
#include "tilewright/spmm.hpp"
#include "verification/spmm/host_spmm.hpp"

namespace tilewright::tool {

/// Converts a matrix, or its transpose, to CSR. Entries of a row keep their order. Throws FileError(out_of_range) if a
/// finite entry overflows T, and FileError(too_large) if the arrays exceed this machine's memory. `path` is used in
/// messages.
template <class T>
verification::HostCsr<T> by_rows(const Triplets& matrix, bool transposed, const std::string& path);

/// A CSR matrix's arrays on a device. The session must outlive this object.
template <class T>
class DeviceCsr {
 public:
  DeviceCsr(const Session& session, const verification::HostCsr<T>& matrix);

  SparseStructure structure() const { return {.offsets = {offsets_.get()}, .columns = {columns_.get()}}; }
  MatrixRef values() const { return {values_.get()}; }

 private:
  Buffer offsets_, columns_, values_;
};

/// Returns statistics of the matrix's row lengths. `path` is used in messages.
RowStatistics statistics_of(const Triplets& matrix, const std::string& path);

/// Returns the problem C = A B with n columns and dense row-major B and C, for the arrays of a DeviceCsr.
SpmmProblem spmm_problem(const Triplets& a, DataType type, std::uint64_t n);

/// Floating-point operations of one product: 2 n per stored element.
double flops_of(const SpmmProblem& problem);

/// Bytes that a product must transfer at least: A with 32-bit indices, B and C, once each.
double bytes_of(const SpmmProblem& problem);

/// Bytes of all matrices on the device, including the plan's copy of the structure.
double device_bytes_of(const SpmmProblem& problem);

/// Returns for example "3000 x 4000, 20000 entries f32".
std::string to_string(const SpmmProblem& problem);

/// Returns for example "10.5 entries on average (deviation 3.2), 40 at most, 7 of 3000 empty".
std::string to_string(const RowStatistics& statistics);

}  // namespace tilewright::tool
