#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/transpose.hpp"
#include "verification/common/case_text.hpp"
#include "verification/common/stored_shape.hpp"

namespace tilewright::verification {

/// One transposition to verify; its text suffices to repeat it.
struct TransposeCase {
  std::string variant{};
  Configuration configuration{};  ///< changes to the variant's default
  Element element = DataType::f32;
  Layout layout = Layout::row_major;
  Transpose trans = Transpose::yes;
  bool in_place = false;
  std::uint64_t m = 1;
  std::uint64_t n = 1;
  std::array<std::uint64_t, 2> gaps{};     ///< elements between the lines of A and B
  std::array<std::uint64_t, 2> offsets{};  ///< elements before A and B, in addition to bands
  std::uint64_t offset_alignment = 1;
  double alpha = 1;
  Memory memory = Memory::banded;
  std::uint64_t matrices = 1;  ///< batch count
  bool shared = false;         ///< all results are made of the same A
  std::uint64_t seed = 1;

  friend bool operator==(const TransposeCase&, const TransposeCase&) = default;
};

StoredShape shape_of_a(const TransposeCase& test);
StoredShape shape_of_b(const TransposeCase& test);

/// Returns the elements between matrices of a batch: more than the span of A or B, and aligned like the offsets.
std::uint64_t stride_of(const TransposeCase& test);

/// Returns the problem for the library.
TransposeProblem problem_of(const TransposeCase& test);

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, TransposeCase& test);

/// Returns "variant=row_reads config= element=f32 layout=row trans=T place=out size=17x33 gap=3,0 offset=16,0 align=16
/// ..."
std::string to_string(const TransposeCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
TransposeCase parse_transpose_case(std::string_view text);

}  // namespace tilewright::verification
