#pragma once

#include <optional>
#include <vector>

#include "verification/common/breadth.hpp"
#include "verification/gemm/gemm_case.hpp"

namespace tilewright::verification {

/// What a program is compiled for, beside its configuration.
struct Form {
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Transpose trans_a = Transpose::no;
  Transpose trans_b = Transpose::no;
  bool batches = false;              ///< batches among the products, of both kinds: each is a program of its own
  std::optional<DataType> type_c{};  ///< as GemmProblem::type_c
  Accuracy accuracy = Accuracy::full;
  GemmEpilogue epilogue{};  ///< of every case
};

/// Both layouts times all transposes of a type.
std::vector<Form> forms_of(DataType type);

/// Cases for one configuration in one form. Every size at a tile's edge, one below and one above it, and the small and
/// odd ones come up along every dimension; so do all nine pairs of scalars, all kinds of data, gaps, offsets and
/// memories, mixed as decks of cards are. Large edges along k are met by products of few rows and columns. The same in
/// every run.
std::vector<GemmCase> conformance_cases(const std::string& variant, const Configuration& configuration,
                                        const Form& form, Breadth breadth);

enum class EpilogueSizes { unaligned, aligned, deep };

/// `count` of these cases, each through an epilogue drawn at random: single ones and batches, of sizes in turns from
/// `first` on.
std::vector<GemmCase> epilogue_cases(const std::string& variant, const Configuration& configuration, const Form& form,
                                     EpilogueSizes first, std::size_t count);

}  // namespace tilewright::verification
