#pragma once

#include <memory>

#include "spmm/problem_json.hpp"
#include "spmm/variant.hpp"
#include "tuning/operations/variant_tunable.hpp"
#include "verification/spmm/host_spmm.hpp"

namespace tilewright::tuning {

extern const Operation spmm_operation;

/// Where a matrix's elements are, by rows; their values do not matter.
using SparsePlaces = verification::HostCsr<float>;

/// The product of a matrix with n columns as the tuner takes it. It is known by what is known of its rows, and measured
/// on these very places; where it comes back from JSON, on places that are made up.
/// Throws what SpmmPlan's constructor throws for a problem.
Problem tunable(DataType type, std::uint64_t n, std::shared_ptr<const SparsePlaces> places);

/// Whether a problem is measured on places that a child process would not have.
bool has_own_places(const Problem& problem);

}  // namespace tilewright::tuning
