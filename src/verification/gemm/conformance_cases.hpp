#pragma once

#include <optional>
#include <vector>

#include "tilewright/configuration.hpp"
#include "verification/common/breadth.hpp"
#include "verification/gemm/gemm_case.hpp"

namespace tilewright::verification {

/// Compile-time properties of a program, except its configuration.
struct Form {
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Transpose trans_a = Transpose::no;
  Transpose trans_b = Transpose::no;
  bool batches = false;              ///< includes both kinds of batches, each of which is a separate program
  std::optional<DataType> type_c{};  ///< type of C; empty: the default for `type`
  Accuracy accuracy = Accuracy::full;
  GemmEpilogue epilogue{};  ///< epilogue of every case
};

/// Returns all combinations of layouts and transposes for a type.
std::vector<Form> forms_of(DataType type);

/// Returns cases for one configuration in one form. Along every dimension they contain small and odd sizes, and sizes
/// at each tile edge, one below and one above it. They also cover all nine pairs of scalars and all kinds of data,
/// gaps, offsets and placements, mixed by decks. Products with few rows and columns cover large edges along k. Equal in
/// every run.
std::vector<GemmCase> conformance_cases(const std::string& variant, const Configuration& configuration,
                                        const Form& form, Breadth breadth);

enum class EpilogueSizes { unaligned, aligned, deep };

/// Returns `count` of these cases, single products and batches, each with a random epilogue. Sizes alternate, starting
/// with `first`.
std::vector<GemmCase> epilogue_cases(const std::string& variant, const Configuration& configuration, const Form& form,
                                     EpilogueSizes first, std::size_t count);

}  // namespace tilewright::verification
