// A case of sparse times dense, and its check.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tilewright/spmm.hpp"
#include "verification/common/case_text.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/stored_shape.hpp"
#include "verification/spmm/sparse_pattern.hpp"

namespace tilewright::verification {

struct SpmmCase {
  Choice choice{};
  SpmmProblem problem{};  ///< without nonzeros, leading dimensions and strides, which follow from the fields below
  SparsePattern pattern = SparsePattern::uniform;
  std::uint64_t mean = 5;  ///< average number of stored elements per row
  double alpha = 1;
  double beta = 0;
  DataKind data = DataKind::uniform;
  std::uint64_t gap_b = 0;  ///< elements after each line of B
  std::uint64_t gap_c = 0;
  std::uint64_t offset = 0;  ///< offset of the values, B and C
  Memory memory = Memory::exact;
  bool shared_values = false;  ///< all products of a batch use the same values
  std::uint64_t seed = 1;
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, SpmmCase& test);

/// Returns "variant=row_per_item config=wg=16 type=f32 format=csr ...", which suffices to repeat the case.
std::string to_string(const SpmmCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
SpmmCase parse_spmm_case(std::string_view text);

/// Receives each plan that ran a kernel.
using SpmmPlanObserver = std::function<void(const SpmmPlan&)>;

/// Runs a case twice in guarded memory. Returns what is wrong; empty if nothing is.
std::string try_spmm_case(const Engine& engine, const SpmmCase& test, const SpmmPlanObserver& ran = {});

}  // namespace tilewright::verification
