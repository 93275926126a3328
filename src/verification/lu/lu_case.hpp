#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "verification/common/system_case.hpp"
#include "verification/lu/lu_data.hpp"
#include "verification/lu/lu_operation.hpp"

namespace tilewright::verification {

inline constexpr Word<LuTask> lu_words[] = {{LuTask::getrf, "getrf"},
                                            {LuTask::getrs, "getrs"},
                                            {LuTask::gesv, "gesv"},
                                            {LuTask::getri, "getri"},
                                            {LuTask::det, "det"}};

/// Whether gesv can refine solutions of the type.
inline bool is_refined(DataType type) { return type == DataType::f64 || type == DataType::c128; }

/// An element on the diagonal of U.
enum class LuPivot { usual, zero, nan };

/// One call of LU's operations to verify; its text suffices to repeat it. getrs, getri and det get factors that are
/// made on the host, so a wrong getrf does not affect them.
struct LuCase {
  LuTask task = LuTask::getrf;
  Transpose trans = Transpose::no;                ///< getrs only
  std::uint64_t m = 1;                            ///< rows of A; n unless the task is getrf
  std::uint64_t n = 1;                            ///< columns of A
  std::uint64_t nrhs = 0;                         ///< getrs and gesv only
  std::uint64_t refinements = 0;                  ///< gesv in f64 and c128 only
  std::uint64_t gap = 0;                          ///< integers or elements between the small outputs of a batch
  LuKind matrix = LuKind::uniform;                ///< getrf and gesv only
  TriangleKind factors = TriangleKind::dominant;  ///< of U; the other tasks only
  LuPivot pivot = LuPivot::usual;                 ///< det only: one element on the diagonal of U
  SystemCase storage{};

  friend bool operator==(const LuCase&, const LuCase&) = default;

  bool does_factor() const { return task == LuTask::getrf || task == LuTask::gesv; }
  bool does_solve() const { return task == LuTask::getrs || task == LuTask::gesv; }
  bool has_b() const { return does_solve() || task == LuTask::getri; }
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, LuCase& test);

/// Returns "call=getrf trans=N size=130x64 nrhs=0 refinements=0 out_gap=0 data=uniform pivot=usual type=f32 ...".
std::string to_string(const LuCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
LuCase parse_lu_case(std::string_view text);

/// Runs a case twice in guarded memory. Compares pivots, info, the residual of each element of the factors and of each
/// equation, and determinants with their references and bounds. Checks that nothing else changed, and that the second
/// run gave the same bits. Returns what is wrong; empty if nothing is.
std::string try_lu_case(const Engine& engine, const LuCase& test);

}  // namespace tilewright::verification
