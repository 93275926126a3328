#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "verification/common/system_case.hpp"
#include "verification/qr/qr_operation.hpp"

namespace tilewright::verification {

inline constexpr Word<QrTask> qr_words[] = {
    {QrTask::geqrf, "geqrf"}, {QrTask::ormqr, "ormqr"}, {QrTask::orgqr, "orgqr"}, {QrTask::gels, "gels"}};

/// The kinds of matrices to factor.
enum class QrKind {
  uniform,
  integers,   ///< small integers: columns that are 0 below the diagonal
  graded,     ///< columns many powers of two apart
  deficient,  ///< a column of zeros, or a row if A has fewer rows than columns
  tiny,       ///< the smallest normal numbers and subnormal ones
  huge,  ///< numbers whose sums of squares overflow; of equal sign and as large as block reflectors permit in geqrf
};

/// One call of QR's operations to verify; its text suffices to repeat it. ormqr and orgqr get reflectors that are made
/// on the host, so a wrong geqrf does not affect them.
struct QrCase {
  QrTask task = QrTask::geqrf;
  Side side = Side::left;           ///< ormqr only
  Transpose trans = Transpose::no;  ///< ormqr and gels only
  std::uint64_t m = 1;
  std::uint64_t n = 1;
  std::uint64_t k = 1;              ///< ormqr and orgqr only; min(m, n) otherwise
  std::uint64_t nrhs = 0;           ///< gels only
  std::uint64_t gap = 0;            ///< elements or integers between the tau or infos of a batch
  QrKind matrix = QrKind::uniform;  ///< geqrf and gels only
  SystemCase storage{};             ///< gaps and offsets of A, and of C or B

  friend bool operator==(const QrCase&, const QrCase&) = default;

  bool has_c() const { return task == QrTask::ormqr || task == QrTask::gels; }
  bool does_factor() const { return task == QrTask::geqrf || task == QrTask::gels; }
  std::uint64_t rows_of_a() const { return task == QrTask::ormqr && side == Side::right ? n : m; }
  std::uint64_t columns_of_a() const { return task == QrTask::ormqr ? k : n; }
  std::uint64_t rows_of_c() const { return task == QrTask::gels ? std::max(m, n) : m; }
  std::uint64_t columns_of_c() const { return task == QrTask::gels ? nrhs : n; }
};

/// Lists the fields in the order of the text.
void list_fields(CaseText& text, QrCase& test);

/// Returns "call=geqrf side=left trans=N size=130x64x64 nrhs=0 out_gap=0 data=uniform type=f32 ...".
std::string to_string(const QrCase& test);

/// Parses the form of to_string(). Throws std::invalid_argument.
QrCase parse_qr_case(std::string_view text);

/// Runs a case twice in guarded memory. Compares the ratios of LAPACK's tests with their threshold, checks that nothing
/// else changed, and that the second run gave the same bits. Returns what is wrong; empty if nothing is.
std::string try_qr_case(const Engine& engine, const QrCase& test);

}  // namespace tilewright::verification
