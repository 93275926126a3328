// DEFINE_TRANSPOSE_PAIRS(name, vector, width) defines name(rows), which transposes a square of pairs of elements in
// vector registers. Each row is a vector of `width` elements: 4, 8 or 16. The rounds are those of transpose_rows.cl.
// Follows index.cl. For CPUs.
#define ZIP_PAIRS_4(zipped, x, y) \
  zipped.lo = x;                  \
  zipped.hi = y;
#define ZIP_PAIRS_8(zipped, x, y) \
  zipped.s01 = x.lo;              \
  zipped.s23 = y.lo;              \
  zipped.s45 = x.hi;              \
  zipped.s67 = y.hi;
#define ZIP_PAIRS_16(zipped, x, y) \
  zipped.s01 = x.s01;              \
  zipped.s23 = y.s01;              \
  zipped.s45 = x.s23;              \
  zipped.s67 = y.s23;              \
  zipped.s89 = x.s45;              \
  zipped.sab = y.s45;              \
  zipped.scd = x.s67;              \
  zipped.sef = y.s67;
#define DEFINE_TRANSPOSE_PAIRS(name, vector, width)                                          \
  INLINE void name(vector rows[(width) / 2]) {                                               \
    FOR_UNROLLED (int round = 1; round < (width) / 2; round *= 2) {                          \
      vector zipped[(width) / 2];                                                            \
      FOR_UNROLLED (int i = 0; i < (width) / 4; ++i) {                                       \
        JOIN(ZIP_PAIRS_, width)(zipped[2 * i], rows[i].lo, rows[i + (width) / 4].lo)         \
            JOIN(ZIP_PAIRS_, width)(zipped[2 * i + 1], rows[i].hi, rows[i + (width) / 4].hi) \
      }                                                                                      \
      FOR_UNROLLED (int i = 0; i < (width) / 2; ++i) rows[i] = zipped[i];                    \
    }                                                                                        \
  }
