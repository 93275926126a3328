// strassen_sums, strassen_merge: all sums of one level of Winograd's form of Strassen's method; each operand is read
// once.
//
//   op(X):  X11 | X12     sums of A: S1 = A21 + A22     S2 = S1 - A11     S3 = A11 - A21     S4 = A12 - S2
//           ----+----     sums of B: T1 = B12 - B11     T2 = B22 - T1     T3 = B22 - B12     T4 = T2 - B21
//           X21 | X22
//   merge:  C11 += P1    C12 += P1 + P6 + P5    C21 += P1 + P6 + P7    C22 = beta C22 + P1 + P6 + P7 + P5
//           with P1 = A11 B11, P5 = S1 T1, P6 = S2 T2, P7 = S3 T3. C11, C12 and C21 hold A12 B21, S4 B22 and -A22 T4.
// Purpose: one level moves its operands through memory once. The other quarters may be smaller than the first; missing
// elements count as zeros in sums, and are not written in merges.
//
// global id 0 -> vectors of columns, of which a work-item does every get_global_size(0)-th     global id 1 -> row
//
//   ELEMENT_BYTES  4: float, 8: double
//   VEC            elements per vector
//   ALIGNED        1: rows and quarters begin at whole vectors
//   WG             work-items per group
//   INDEX_BITS     64 if a matrix reaches past 2^31 elements, otherwise 32
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4
#endif
#ifndef VEC
#define VEC 4
#endif
#ifndef ALIGNED
#define ALIGNED 0
#endif
#ifndef WG
#define WG 64
#endif

#if ELEMENT_BYTES == 4
typedef float accum_t;
typedef JOIN(float, VEC) vec;
#elif ELEMENT_BYTES == 8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double accum_t;
typedef JOIN(double, VEC) vec;
#else
#error "ELEMENT_BYTES must be 4 or 8"
#endif

#if ALIGNED
#define LOAD(p) (*(__global const vec*)(p))
#define STORE(v, p) (*(__global vec*)(p) = (v))
#else
#define LOAD(p) JOIN(vload, VEC)(0, p)
#define STORE(v, p) JOIN(vstore, VEC)(v, 0, p)
#endif

// Computes s1 .. s4 from q11, q12, q21, q22, which are vectors or single elements.
#define SUMS(of_b)  \
  if (of_b) {       \
    s1 = q12 - q11; \
    s2 = q22 - s1;  \
    s3 = q22 - q12; \
    s4 = s2 - q21;  \
  } else {          \
    s1 = q21 + q22; \
    s2 = s1 - q11;  \
    s3 = q11 - q21; \
    s4 = q12 - s2;  \
  }

// Four sums of the quarters of X, `slot` elements apart. The first quarter is rows x columns as stored.
KERNEL(WG, 1, 1)
void strassen_sums(const index_t rows, const index_t columns, const index_t of_b,               // sums of A, or of B
                   __global const accum_t* restrict x, const ulong x_offset, const index_t ld,  // op(X)
                   const ulong offset12, const index_t rows12, const index_t columns12,         // X12
                   const ulong offset21, const index_t rows21, const index_t columns21,         // X21
                   __global accum_t* restrict s, const ulong s_offset, const index_t lds, const ulong slot) {
  const index_t y = get_global_id(1);
  const bool has12 = y < rows12, has21 = y < rows21, has22 = has12 && has21;
  const index_t whole = min(columns12, columns21);  // columns that all quarters have
  x += x_offset + (ulong)y * ld;
  s += s_offset + (ulong)y * lds;
  for (index_t j = (index_t)get_global_id(0) * VEC; j < columns; j += (index_t)get_global_size(0) * VEC) {
    if (j + VEC <= whole) {
      const vec zero = 0, q11 = LOAD(x + j);
      const vec q12 = has12 ? LOAD(x + offset12 + j) : zero;
      const vec q21 = has21 ? LOAD(x + offset21 + j) : zero;
      const vec q22 = has22 ? LOAD(x + offset12 + offset21 + j) : zero;
      vec s1, s2, s3, s4;
      SUMS(of_b)
      STORE(s1, s + j);
      STORE(s2, s + slot + j);
      STORE(s3, s + 2 * slot + j);
      STORE(s4, s + 3 * slot + j);
    } else {
      for (index_t i = j; i < min(j + VEC, columns); ++i) {
        const accum_t zero = 0, q11 = x[i];
        const accum_t q12 = has12 && i < columns12 ? x[offset12 + i] : zero;
        const accum_t q21 = has21 && i < columns21 ? x[offset21 + i] : zero;
        const accum_t q22 = has22 && i < whole ? x[offset12 + offset21 + i] : zero;
        accum_t s1, s2, s3, s4;
        SUMS(of_b)
        s[i] = s1;
        s[slot + i] = s2;
        s[2 * slot + i] = s3;
        s[3 * slot + i] = s4;
      }
    }
  }
}

// The quarters of C from their contents and four products in the workspace: P6, P7, P1 and P5, `slot` elements apart.
// The first quarter is rows x columns. If beta = 0, the last quarter is not read.
KERNEL(WG, 1, 1)
void strassen_merge(const index_t rows, const index_t columns, const accum_t beta,         // C = beta C + products
                    __global accum_t* restrict c, const ulong c_offset, const index_t ld,  // C
                    const ulong offset12, const index_t columns12,                         // C12
                    const ulong offset21, const index_t rows21,                            // C21
                    __global const accum_t* restrict p, const ulong p_offset, const index_t ldp, const ulong slot) {
  const index_t y = get_global_id(1);
  const bool has21 = y < rows21;
  c += c_offset + (ulong)y * ld;
  p += p_offset + (ulong)y * ldp;
  for (index_t j = (index_t)get_global_id(0) * VEC; j < columns; j += (index_t)get_global_size(0) * VEC) {
    if (j + VEC <= columns12) {
      const vec p6 = LOAD(p + j), p7 = LOAD(p + slot + j), p1 = LOAD(p + 2 * slot + j), p5 = LOAD(p + 3 * slot + j);
      const vec u2 = p1 + p6, u3 = u2 + p7;
      __global accum_t* const c12 = c + offset12 + j;
      STORE(LOAD(c + j) + p1, c + j);
      STORE(LOAD(c12) + (u2 + p5), c12);
      if (has21) {
        __global accum_t* const c21 = c + offset21 + j;
        __global accum_t* const c22 = c21 + offset12;
        STORE(LOAD(c21) + u3, c21);
        vec last = u3 + p5;
        if (beta != 0) last += beta * LOAD(c22);
        STORE(last, c22);
      }
    } else {
      for (index_t i = j; i < min(j + VEC, columns); ++i) {
        const accum_t p6 = p[i], p7 = p[slot + i], p1 = p[2 * slot + i], p5 = p[3 * slot + i];
        const accum_t u2 = p1 + p6, u3 = u2 + p7;
        c[i] += p1;
        if (i < columns12) c[offset12 + i] += u2 + p5;
        if (!has21) continue;
        c[offset21 + i] += u3;
        if (i >= columns12) continue;
        const accum_t last = u3 + p5;
        c[offset21 + offset12 + i] = beta != 0 ? last + beta * c[offset21 + offset12 + i] : last;
      }
    }
  }
}
