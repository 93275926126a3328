// DEFINE_TRANSPOSE(name, vector, count) defines name(rows), which transposes count x count elements in vector
// registers, a vector per row. Each round moves one bit of the column index to the row index. Follows index.cl. For
// CPUs.
#define DEFINE_TRANSPOSE(name, vector, count)                         \
  INLINE void name(vector rows[count]) {                              \
    FOR_UNROLLED (int round = 1; round < (count); round *= 2) {       \
      vector zipped[count];                                           \
      FOR_UNROLLED (int i = 0; i < (count) / 2; ++i) {                \
        const vector x = rows[i], y = rows[i + (count) / 2];          \
        zipped[2 * i].even = x.lo;                                    \
        zipped[2 * i].odd = y.lo;                                     \
        zipped[2 * i + 1].even = x.hi;                                \
        zipped[2 * i + 1].odd = y.hi;                                 \
      }                                                               \
      FOR_UNROLLED (int i = 0; i < (count); ++i) rows[i] = zipped[i]; \
    }                                                                 \
  }
