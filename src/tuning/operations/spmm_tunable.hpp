// Sparse products as problems of the tuner.
#pragma once

#include <memory>

#include "spmm/problem_json.hpp"
#include "spmm/variant.hpp"
#include "tuning/operations/variant_tunable.hpp"
#include "verification/spmm/host_spmm.hpp"

namespace tilewright::tuning {

extern const Operation spmm_operation;

/// Positions of a matrix's elements by rows; their values do not matter.
using SparsePlaces = verification::HostCsr<float>;

/// Returns the product of a sparse matrix and a matrix with n columns, as a problem of the tuner. Its key has only the
/// statistics of the rows. It is measured on exactly these positions; a problem read from JSON is measured on generated
/// ones. Throws the errors of SpmmPlan's constructor.
Problem tunable(DataType type, std::uint64_t n, std::shared_ptr<const SparsePlaces> places);

/// Whether a problem is measured on positions that a child process would not have.
bool has_own_places(const Problem& problem);

}  // namespace tilewright::tuning
