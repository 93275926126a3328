#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/rank_k.hpp"
#include "verification/common/case_text.hpp"

namespace tilewright::verification {

enum class RankKFunction { syrk, syr2k, gemmt };

inline constexpr Word<RankKFunction> rank_k_functions[] = {
    {RankKFunction::syrk, "syrk"}, {RankKFunction::syr2k, "syr2k"}, {RankKFunction::gemmt, "gemmt"}};

/// One call of syrk, syr2k or gemmt to verify; its text suffices to repeat it.
struct RankKCase {
  RankKFunction call = RankKFunction::syrk;
  DataType type = DataType::f32;  ///< not an integer type
  Layout layout = Layout::row_major;
  Uplo uplo = Uplo::lower;
  Symmetry symmetry = Symmetry::symmetric;  ///< not of gemmt
  Transpose trans_a = Transpose::no;        ///< of gemmt; `trans` of the others
  Transpose trans_b = Transpose::no;        ///< of gemmt
  std::uint64_t n = 1;
  std::uint64_t k = 1;
  std::complex<double> alpha = 1;
  std::complex<double> beta = 0;
  std::array<std::uint64_t, 3> gaps{};     ///< elements between the lines of A, B and C
  std::array<std::uint64_t, 3> offsets{};  ///< elements before A, B and C, in addition to bands
  std::uint64_t count = 1;                 ///< updates in the batch
  bool shares_a = false;                   ///< all updates of the batch have the same A
  DataKind data = DataKind::uniform;
  Memory memory = Memory::banded;
  Choice products{};  ///< variant of the products; empty: the library chooses
  std::uint64_t seed = 1;

  friend bool operator==(const RankKCase&, const RankKCase&) = default;
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, RankKCase& test);

/// Returns "call=syrk type=f32 layout=row uplo=lower symmetry=symmetric trans=NN size=37x20 alpha=2 beta=-3 ...".
std::string to_string(const RankKCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
RankKCase parse_rank_k_case(std::string_view text);

/// Runs a case twice in guarded memory. Compares each element of the triangle with a sum in higher precision, checks
/// that nothing else changed, and that the second run gave the same bits. Results of integers must be exact. Returns
/// what is wrong; empty if nothing is.
std::string try_rank_k_case(const Engine& engine, const RankKCase& test);

}  // namespace tilewright::verification
