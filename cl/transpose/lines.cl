// Lines of VECTOR elements, and the transposition of a VECTOR x VECTOR block in registers.
//   VECTOR      elements per line: 1, 2, 4, 8 or 16
//   READ_WHOLE  1: every line of A is aligned to whole vectors, if ALIGNED_BUFFERS is 1
//   STORE_WHOLE 1: every line of B is aligned to whole vectors, if ALIGNED_BUFFERS is 1
#ifndef VECTOR
#define VECTOR 1
#endif
#ifndef READ_WHOLE
#define READ_WHOLE 0
#endif
#ifndef STORE_WHOLE
#define STORE_WHOLE 0
#endif
#if VECTOR != 1 && VECTOR != 2 && VECTOR != 4 && VECTOR != 8 && VECTOR != 16
#error "VECTOR must be 1, 2, 4, 8 or 16"
#endif
#if ELEMENT_BYTES == 16 && VECTOR != 1
#error "VECTOR must be 1 for elements of 16 bytes, which are vectors themselves"
#endif

#if VECTOR == 1
typedef word line;
#else
typedef JOIN(WORD, VECTOR) line;
#endif

line load_line(__global const stored_word* from) {
#if VECTOR == 1
  return load(from);
#elif READ_WHOLE && ALIGNED_BUFFERS
  return *(__global const line*)from;
#else
  return JOIN(vload, VECTOR)(0, from);
#endif
}

void store_line(line value, __global stored_word* to) {
#if VECTOR == 1
  store(value, to);
#elif STORE_WHOLE && ALIGNED_BUFFERS
  *(__global line*)to = value;
#else
  JOIN(vstore, VECTOR)(value, 0, to);
#endif
}

// Loads the first `count` elements of a line, for edges. The others are unspecified.
line load_part(__global const stored_word* from, index_t count) {
#if VECTOR == 1
  return count > 0 ? load(from) : (line)(0);
#else
  word part[VECTOR];
  for (int v = 0; v < VECTOR; ++v) part[v] = v < count ? from[v] : (word)(0);
  return JOIN(vload, VECTOR)(0, part);
#endif
}

void store_part(line value, __global stored_word* to, index_t count) {
#if VECTOR == 1
  if (count > 0) store(value, to);
#else
  word part[VECTOR];
  JOIN(vstore, VECTOR)(value, 0, part);
  for (int v = 0; v < VECTOR; ++v)
    if (v < count) to[v] = part[v];
#endif
}

#if NUMBER
line scaled_line(line x, scalar alpha) {
#if VECTOR == 1
  return scaled(x, alpha);
#elif ACCUM_BITS == 64
  return alpha == 1 ? x : JOIN(as_ulong, VECTOR)(alpha * JOIN(as_double, VECTOR)(x));
#elif STORED_AS_HALF
  if (alpha == 1) return x;
  line result;
  const JOIN(float, VECTOR) numbers = JOIN(vload_half, VECTOR)(0, (const __private half*)&x);
  JOIN(vstore_half, VECTOR)(alpha * numbers, 0, (__private half*)&result);
  return result;
#elif STORED_AS_BFLOAT
  return alpha == 1 ? x : JOIN(bfloats_of_, VECTOR)(alpha * JOIN(floats_of_, VECTOR)(x));
#else
  return alpha == 1 ? x : JOIN(as_uint, VECTOR)(alpha * JOIN(as_float, VECTOR)(x));
#endif
}
#define SCALED_LINE(x) scaled_line(x, alpha)
#else
#define SCALED_LINE(x) (x)
#endif

// Interleaves two lines: the first and the second half of the result.
#define LOW_2(x, y) (line)(x.s0, y.s0)
#define HIGH_2(x, y) (line)(x.s1, y.s1)
#define LOW_4(x, y) (line)(x.s0, y.s0, x.s1, y.s1)
#define HIGH_4(x, y) (line)(x.s2, y.s2, x.s3, y.s3)
#define LOW_8(x, y) (line)(x.s0, y.s0, x.s1, y.s1, x.s2, y.s2, x.s3, y.s3)
#define HIGH_8(x, y) (line)(x.s4, y.s4, x.s5, y.s5, x.s6, y.s6, x.s7, y.s7)
#define LOW_16(x, y) \
  (line)(x.s0, y.s0, x.s1, y.s1, x.s2, y.s2, x.s3, y.s3, x.s4, y.s4, x.s5, y.s5, x.s6, y.s6, x.s7, y.s7)
#define HIGH_16(x, y) \
  (line)(x.s8, y.s8, x.s9, y.s9, x.sa, y.sa, x.sb, y.sb, x.sc, y.sc, x.sd, y.sd, x.se, y.se, x.sf, y.sf)

#if VECTOR > 1
// A perfect shuffle: interleaves each line with the line half a block after it.
void merge_halves(line* lines) {
  line merged[VECTOR];
#pragma unroll
  for (int r = 0; r < VECTOR / 2; ++r) {
    merged[2 * r] = JOIN(LOW_, VECTOR)(lines[r], lines[r + VECTOR / 2]);
    merged[2 * r + 1] = JOIN(HIGH_, VECTOR)(lines[r], lines[r + VECTOR / 2]);
  }
#pragma unroll
  for (int r = 0; r < VECTOR; ++r) lines[r] = merged[r];
}
#endif

// Transposes a block with log2(VECTOR) shuffles. On GPUs this moves nothing: registers are only renamed. On CPUs each
// merge is one shuffle of two vector registers.
void transpose_lines(line* lines) {
#if VECTOR >= 2
  merge_halves(lines);
#endif
#if VECTOR >= 4
  merge_halves(lines);
#endif
#if VECTOR >= 8
  merge_halves(lines);
#endif
#if VECTOR >= 16
  merge_halves(lines);
#endif
}
