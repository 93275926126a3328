#include "bindings/blas/read_call.hpp"

#include <algorithm>
#include <cstring>

namespace tilewright::blas {
namespace {

// CBLAS's enumerators.
enum Cblas {
  row_major = 101,
  column_major = 102,
  no_trans = 111,
  trans = 112,
  conj_trans = 113,
  upper = 121,
  lower = 122,
  non_unit = 131,
  unit = 132,
  left = 141,
  right = 142
};

// Returns an argument as a lower-case Fortran letter; 0 if it is no enumerator of CBLAS.
char letter(const Face& face, const void* value) {
  if (face.language == Language::fortran) {
    const char given = *static_cast<const char*>(value);
    return given >= 'A' && given <= 'Z' ? static_cast<char>(given - 'A' + 'a') : given;
  }
  switch (*static_cast<const int*>(value)) {
    case no_trans:
    case non_unit:
      return 'n';
    case trans:
      return 't';
    case conj_trans:
      return 'c';
    case upper:
    case unit:
      return 'u';
    case lower:
    case left:
      return 'l';
    case right:
      return 'r';
    default:
      return 0;
  }
}

// Sets `target` to the first value if the letter is `first`, to the second if it is `second`.
template <class T>
bool choose(char given, T& target, char first, T first_value, char second, T second_value) {
  if (given != first && given != second) return false;
  target = given == first ? first_value : second_value;
  return true;
}

bool read_trans(const Call& call, char given, Transpose& trans) {
  // Rank-k updates of complex matrices permit the transpose that fits their symmetry.
  const bool is_symmetric = call.routine == Routine::syrk || call.routine == Routine::syr2k;
  const bool is_hermitian = call.routine == Routine::herk || call.routine == Routine::her2k;
  // Complex matrices have no Q^T, and LAPACK names the real transpose only T.
  const bool is_orthogonal = call.routine == Routine::ormqr || call.routine == Routine::gels;
  if (given == 'n') return true;
  if (is_orthogonal && given != (is_complex(call.type) ? 'c' : 't')) return false;
  if (given != 't' && given != 'c') return false;
  if ((is_hermitian && given == 't') || (is_symmetric && is_complex(call.type) && given == 'c')) return false;
  trans = given == 't' ? Transpose::yes : Transpose::conjugate_transpose;
  return true;
}

// CBLAS's integers always arrive as 64 bits, so that they reach a host with 64-bit integers unharmed. A caller with 32
// bits leaves the upper half undefined.
bool read_size(const Face& face, const void* value, std::uint64_t& size) {
  const bool has_64_bits = face.is_wide || face.language == Language::cblas;
  std::int64_t given =
      has_64_bits ? *static_cast<const std::int64_t*>(value) : *static_cast<const std::int32_t*>(value);
  if (!face.is_wide) given = static_cast<std::int32_t>(given);
  size = given < 0 ? 0 : static_cast<std::uint64_t>(given);
  return given >= 0;
}

Scalar read_scalar(DataType type, bool is_real, const void* value) {
  const bool is_single = type == DataType::f32 || type == DataType::c64;
  const auto part = [&](int i) {
    return is_single ? double{static_cast<const float*>(value)[i]} : static_cast<const double*>(value)[i];
  };
  return is_real || !is_complex(type) ? Scalar(part(0)) : Scalar(part(0), part(1));
}

// Only the operation writes through these pointers, and only to its outputs.
void* matrix(const void* value) { return const_cast<void*>(value); }

bool read(const Face& face, Argument argument, const void* value, Call& call) {
  switch (argument) {
    case Argument::layout: {
      const int given = *static_cast<const int*>(value);
      call.layout = given == row_major ? Layout::row_major : Layout::column_major;
      return given == row_major || given == column_major;
    }
    case Argument::side:
      return choose(letter(face, value), call.side, 'l', Side::left, 'r', Side::right);
    case Argument::uplo:
      return choose(letter(face, value), call.uplo, 'l', Uplo::lower, 'u', Uplo::upper);
    case Argument::diag:
      return choose(letter(face, value), call.diag, 'n', Diag::non_unit, 'u', Diag::unit);
    case Argument::trans_a:
      return read_trans(call, letter(face, value), call.trans_a);
    case Argument::trans_b:
      return read_trans(call, letter(face, value), call.trans_b);
    case Argument::m:
      return read_size(face, value, call.m);
    case Argument::n:
      return read_size(face, value, call.n);
    case Argument::k:
      return read_size(face, value, call.k);
    case Argument::nrhs:
      return read_size(face, value, call.nrhs);
    case Argument::lda:
      return read_size(face, value, call.lda);
    case Argument::ldb:
      return read_size(face, value, call.ldb);
    case Argument::ldc:
      return read_size(face, value, call.ldc);
    case Argument::alpha:
    case Argument::real_alpha:
      call.alpha = read_scalar(call.type, argument == Argument::real_alpha, value);
      return true;
    case Argument::beta:
    case Argument::real_beta:
      call.beta = read_scalar(call.type, argument == Argument::real_beta, value);
      return true;
    case Argument::a:
      call.a = matrix(value);
      return true;
    case Argument::b:
      call.b = matrix(value);
      return true;
    case Argument::c:
      call.c = matrix(value);
      return true;
    case Argument::pivots:
      call.pivots = matrix(value);
      return true;
    case Argument::tau:
      call.tau = matrix(value);
      return true;
    case Argument::work:
      call.work = matrix(value);
      return true;
    case Argument::lwork:
      call.lwork = face.is_wide ? *static_cast<const std::int64_t*>(value) : *static_cast<const std::int32_t*>(value);
      return true;
    case Argument::info:
      call.info = matrix(value);
      return true;
  }
  return false;
}

}  // namespace

bool is_certainly_below(double flops, const Face& face, const void* const* values) {
  std::uint64_t largest = 1;
  for (std::size_t i = 0; i < face.arguments.size(); ++i) {
    const Argument argument = face.arguments[i];
    if (argument < Argument::m || argument > Argument::nrhs) continue;
    std::uint64_t size = 0;
    if (read_size(face, values[i], size)) largest = std::max(largest, size);
  }
  // No routine has more than 5 s^2 (s + 1) operations of real arithmetic; complex arithmetic has four times as many.
  const auto size = static_cast<double>(largest);
  return 20 * size * size * (size + 1) < flops;
}

std::size_t wrong_argument(const Face& face, const void* const* values) {
  Call call{.routine = face.routine, .type = face.type, .is_wide = face.is_wide};
  for (std::size_t i = 0; i < face.arguments.size(); ++i) {
    const bool is_ld = face.arguments[i] >= Argument::lda && face.arguments[i] <= Argument::ldc;
    // Leading dimensions follow the sizes and letters that they depend on.
    if (!read(face, face.arguments[i], values[i], call) && !is_ld) return i + 1;
  }
  const auto position = [&](Argument wanted) {
    const auto found = std::find(face.arguments.begin(), face.arguments.end(), wanted);
    return static_cast<std::size_t>(found - face.arguments.begin()) + 1;
  };
  if (call.routine == Routine::ormqr && call.k > (call.side == Side::left ? call.m : call.n))
    return position(Argument::k);
  const HostMatrices matrices = matrices_of(call);
  const std::uint64_t given[]{call.lda, call.ldb, call.ldc};
  for (std::size_t i = 0; i < face.arguments.size(); ++i) {
    if (face.arguments[i] < Argument::lda || face.arguments[i] > Argument::ldc) continue;
    const std::size_t number = static_cast<std::size_t>(face.arguments[i]) - static_cast<std::size_t>(Argument::lda);
    const HostMatrix& matrix = matrices[number];
    const std::uint64_t length = call.layout == Layout::row_major ? matrix.columns : matrix.rows;
    if (given[number] < std::max<std::uint64_t>(1, length)) return i + 1;
  }
  if (call.lwork < min_lwork(call) && !is_query(call)) return position(Argument::lwork);
  return 0;
}

std::optional<Call> read_call(const Face& face, const void* const* values) {
  Call call{.routine = face.routine, .type = face.type, .is_wide = face.is_wide};
  for (std::size_t i = 0; i < face.arguments.size(); ++i)
    if (!read(face, face.arguments[i], values[i], call)) return std::nullopt;
  // The leading dimension of a single line has no meaning, and may be as large as an integer can be.
  const HostMatrices matrices = matrices_of(call);
  std::uint64_t* const given[]{&call.lda, &call.ldb, &call.ldc};
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const bool by_rows = call.layout == Layout::row_major;
    const std::uint64_t count = by_rows ? matrices[i].rows : matrices[i].columns,
                        length = by_rows ? matrices[i].columns : matrices[i].rows;
    if (count == 1) *given[i] = std::min(*given[i], length);
  }
  return call;
}

void write_part(const Face& face, const Call& part, std::array<std::int64_t, 4>& sizes, const void** values) {
  const std::uint64_t given[]{part.m, part.n, part.k, part.nrhs};
  void* const matrices[]{part.a, part.b, part.c};
  for (std::size_t i = 0; i < face.arguments.size(); ++i) {
    const Argument argument = face.arguments[i];
    if (argument >= Argument::a && argument <= Argument::c)
      values[i] = matrices[static_cast<std::size_t>(argument) - static_cast<std::size_t>(Argument::a)];
    if (argument < Argument::m || argument > Argument::nrhs) continue;
    const std::size_t number = static_cast<std::size_t>(argument) - static_cast<std::size_t>(Argument::m);
    const auto size = static_cast<std::int64_t>(given[number]);
    if (face.language == Language::cblas) {
      *static_cast<std::int64_t*>(const_cast<void*>(values[i])) = size;  // the function's own variable
      continue;
    }
    if (face.is_wide) {
      sizes[number] = size;
    } else {
      const auto narrow = static_cast<std::int32_t>(size);
      std::memcpy(&sizes[number], &narrow, sizeof narrow);
    }
    values[i] = &sizes[number];
  }
}

}  // namespace tilewright::blas
