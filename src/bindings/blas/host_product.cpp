#include "bindings/blas/host_product.hpp"

#include <cstddef>
#include <cstdint>

namespace tilewright::blas {
namespace {

// Returns the address of an element of a matrix, where `trans` says that the matrix is stored as its transpose.
std::byte* element(const Call& call, void* data, Transpose trans, std::uint64_t ld, std::uint64_t row,
                   std::uint64_t column) {
  const bool by_rows = (call.layout == Layout::row_major) == (trans == Transpose::no);
  return static_cast<std::byte*>(data) + (by_rows ? row * ld + column : row + column * ld) * size_of(call.type);
}

// A call for one part, with its own sizes and addresses.
Call part_of(const Call& call, const ResultTile& part) {
  Call smaller = call;
  smaller.m = part.rows;
  smaller.n = part.columns;
  smaller.a = element(call, call.a, call.trans_a, call.lda, part.row, 0);
  smaller.b = element(call, call.b, call.trans_b, call.ldb, 0, part.column);
  smaller.c = element(call, call.c, Transpose::no, call.ldc, part.row, part.column);
  return smaller;
}

char letter(Transpose trans) { return trans == Transpose::no ? 'N' : trans == Transpose::yes ? 'T' : 'C'; }

int enumerator(Transpose trans) { return trans == Transpose::no ? 111 : trans == Transpose::yes ? 112 : 113; }

template <class Integer, class T>
void call_fortran(void* function, const Call& x) {
  using Function =
      void(const char*, const char*, const Integer*, const Integer*, const Integer*, const T*, const void*,
           const Integer*, const void*, const Integer*, const T*, void*, const Integer*, std::size_t, std::size_t);
  const char trans_a = letter(x.trans_a), trans_b = letter(x.trans_b);
  const auto m = static_cast<Integer>(x.m), n = static_cast<Integer>(x.n), k = static_cast<Integer>(x.k),
             lda = static_cast<Integer>(x.lda), ldb = static_cast<Integer>(x.ldb), ldc = static_cast<Integer>(x.ldc);
  const T alpha = static_cast<T>(x.alpha.real()), beta = static_cast<T>(x.beta.real());
  reinterpret_cast<Function*>(function)(&trans_a, &trans_b, &m, &n, &k, &alpha, x.a, &lda, x.b, &ldb, &beta, x.c, &ldc,
                                        1, 1);
}

// Integers are passed as 64 bits, from which a function that takes 32 uses the lower half.
template <class T>
void call_cblas(void* function, const Call& x) {
  using Integer = std::int64_t;
  using Function =
      void(int, int, int, Integer, Integer, Integer, T, const void*, Integer, const void*, Integer, T, void*, Integer);
  const auto integer = [](std::uint64_t size) { return static_cast<Integer>(size); };
  reinterpret_cast<Function*>(function)(x.layout == Layout::row_major ? 101 : 102, enumerator(x.trans_a),
                                        enumerator(x.trans_b), integer(x.m), integer(x.n), integer(x.k),
                                        static_cast<T>(x.alpha.real()), x.a, integer(x.lda), x.b, integer(x.ldb),
                                        static_cast<T>(x.beta.real()), x.c, integer(x.ldc));
}

template <class T>
void call_host(void* function, const Face& face, const Call& call) {
  if (face.language == Language::cblas)
    call_cblas<T>(function, call);
  else if (face.is_wide)
    call_fortran<std::int64_t, T>(function, call);
  else
    call_fortran<std::int32_t, T>(function, call);
}

}  // namespace

void multiply_on_host(void* function, const Face& face, const Call& call, std::span<const ResultTile> parts) {
  for (const ResultTile& part : parts) {
    if (part.rows == 0 || part.columns == 0) continue;
    if (call.type == DataType::f32)
      call_host<float>(function, face, part_of(call, part));
    else
      call_host<double>(function, face, part_of(call, part));
  }
}

}  // namespace tilewright::blas
