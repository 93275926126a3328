#pragma once

#include <vector>

#include "support/gemm_case.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {

/// What a program is compiled for, beside its configuration.
struct Form {
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Transpose trans_a = Transpose::no;
  Transpose trans_b = Transpose::no;
};

/// Both layouts times all transposes of a type.
std::vector<Form> forms_of(DataType type);

/// Cases for one configuration in one form. Every size at a tile's edge, one below and one above it, and the small and
/// odd ones come up along every dimension; so do all nine pairs of scalars, all kinds of data, gaps, offsets and
/// memories, mixed as decks of cards are. The same in every run.
std::vector<GemmCase> conformance_cases(const std::string& variant, const Configuration& configuration,
                                        const Form& form, TestLevel level);

}  // namespace tilewright::test
