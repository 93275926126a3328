#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tilewright/configuration.hpp"
#include "tilewright/gemm_problem.hpp"
#include "verification/common/case_text.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/stored_shape.hpp"

namespace tilewright::verification {

/// One product to verify; its text suffices to repeat it.
struct GemmCase {
  std::string variant{};
  Configuration configuration{};  ///< changes to the variant's default
  DataType type = DataType::f32;
  std::optional<DataType> type_c{};  ///< type of C; empty: the default for `type`
  Accuracy accuracy = Accuracy::full;
  Layout layout = Layout::row_major;
  Transpose trans_a = Transpose::no;
  Transpose trans_b = Transpose::no;
  std::uint64_t m = 1;
  std::uint64_t n = 1;
  std::uint64_t k = 1;
  std::array<std::uint64_t, 3> gaps{};     ///< elements between the lines of A, B and C
  std::array<std::uint64_t, 3> offsets{};  ///< elements before A, B and C, in addition to bands
  std::uint64_t offset_alignment = 1;
  std::complex<double> alpha = 1;
  std::complex<double> beta = 0;
  DataKind data = DataKind::uniform;
  bool specials = false;  ///< some NaN and infinities in the data, which must propagate
  Memory memory = Memory::banded;
  std::uint64_t products = 1;    ///< batch count
  bool by_offsets = false;       ///< batch by offsets, last matrices first; otherwise by strides
  std::array<bool, 2> shared{};  ///< all products use the same A, the same B
  GemmEpilogue epilogue{};       ///< its ldr and stride are computed like those of C
  std::uint64_t seed = 1;

  friend bool operator==(const GemmCase&, const GemmCase&) = default;
};

/// Returns the elements between matrices of a batch: more than their span, and aligned like the case's offsets.
std::uint64_t stride_of(const GemmCase& test, const StoredShape& shape);

StoredShape shape_of_a(const GemmCase& test);
StoredShape shape_of_b(const GemmCase& test);
StoredShape shape_of_c(const GemmCase& test);

/// Shape of the residual. Its rows are further apart than those of C, except in a batch by offsets, whose offsets apply
/// to both. Products of a batch that share B share the residual.
StoredShape shape_of_residual(const GemmCase& test);
std::uint64_t residual_count(const GemmCase& test);

/// Returns the problem for the library.
GemmProblem problem_of(const GemmCase& test);

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, GemmCase& test);

/// Returns "variant=naive config= type=f32 layout=row trans=NT size=17x33x5 gap=3,0,5 offset=16,0,32 align=16 ..."
std::string to_string(const GemmCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
GemmCase parse_gemm_case(std::string_view text);

}  // namespace tilewright::verification
