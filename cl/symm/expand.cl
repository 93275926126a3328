// expand: writes diagonal blocks of a symmetric or Hermitian matrix as full matrices, from one stored triangle.
//
//   A, lower or upper           F, block after block
//   [a          ]               [a b^T]
//   [b  c       ]  BLOCK rows   [b  c ]   each tile off the diagonal is read once and written twice: as it is, and
//   [      a    ]  each     ->  [a b^T]   transposed through local memory, where IS_HERMITIAN conjugates it
//   [      b  c ]               [b  c ]
// Elements outside the stored triangle are not read. A Hermitian diagonal counts as real.
//
// group id 0 -> column of tiles in F     group id 1 -> row of tiles, block after block     global id 2 -> matrix of a
// batch. Groups of tiles outside the stored triangle do nothing.
//
//   ELEMENT_BYTES    2, 4, 8 or 16: size of an element, whose bits are copied
//   IS_HERMITIAN     1: elements are complex numbers of two floats (8 bytes) or doubles (16 bytes), and A = A^H
//   ALIGNED_BUFFERS  1: on this device every buffer begins at a whole element
//   TILE             rows and columns of a tile
//   WG               work-items per group: 1, or a multiple of TILE
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4
#endif
#ifndef IS_HERMITIAN
#define IS_HERMITIAN 0
#endif
#ifndef ALIGNED_BUFFERS
#define ALIGNED_BUFFERS 0
#endif
#ifndef TILE
#define TILE 32
#endif
#ifndef WG
#define WG 256
#endif
#if WG != 1 && WG % TILE != 0
#error "WG must be 1 or a multiple of TILE"
#endif
// Each work-item takes every ROW_STEP-th row of a tile, and every COLUMN_STEP-th column.
#define ROW_STEP (WG == 1 ? 1 : WG / TILE)
#define COLUMN_STEP (WG == 1 ? 1 : TILE)

#if ELEMENT_BYTES == 2
typedef ushort element_t;
#elif ELEMENT_BYTES == 4
typedef uint element_t;
#elif ELEMENT_BYTES == 8
typedef uint2 element_t;
#elif ELEMENT_BYTES == 16
typedef ulong2 element_t;
#else
#error "ELEMENT_BYTES must be 2, 4, 8 or 16"
#endif

// An element in memory, with its load and store. A buffer may begin at any double unless the device aligns buffers, and
// compilers take a kernel's parameter that points to a vector type for aligned.
#if ELEMENT_BYTES == 16 && !ALIGNED_BUFFERS
typedef struct {
  ulong parts[2];
} stored_element_t;
#define LOAD(from) vload2(0, (__global const ulong*)(from))
#define STORE(value, to) vstore2(value, 0, (__global ulong*)(to))
#else
typedef element_t stored_element_t;
#define LOAD(from) (*(from))
#define STORE(value, to) (*(to) = (value))
#endif

// The sign is the highest bit of the imaginary part.
#if !IS_HERMITIAN
#define CONJUGATE(z) (z)
#define REAL(z) (z)
#elif ELEMENT_BYTES == 8
#define CONJUGATE(z) ((z) ^ (uint2)(0, 0x80000000u))
#define REAL(z) ((z) & (uint2)(0xffffffffu, 0))
#elif ELEMENT_BYTES == 16
#define CONJUGATE(z) ((z) ^ (ulong2)(0, 0x8000000000000000ul))
#define REAL(z) ((z) & (ulong2)(0xfffffffffffffffful, 0))
#else
#error "IS_HERMITIAN needs complex elements"
#endif

// A work-item that has a whole tile off the diagonal for itself transposes LANES x LANES elements in registers.
#define IN_REGISTERS (WG == 1 && ELEMENT_BYTES <= 8 && TILE % 16 == 0)
#if IN_REGISTERS
#if ELEMENT_BYTES == 2
typedef ushort lane_t;
typedef ushort16 lanes_t;
#define LANES 16
#elif ELEMENT_BYTES == 4
typedef uint lane_t;
typedef uint16 lanes_t;
#define LANES 16
#else
typedef ulong lane_t;
typedef ulong8 lanes_t;
#define LANES 8
#endif
#define LOAD_LANES JOIN(vload, LANES)
#define STORE_LANES JOIN(vstore, LANES)
#if IS_HERMITIAN
#define CONJUGATE_LANES(x) ((x) ^ (lanes_t)(as_ulong(CONJUGATE((uint2)(0)))))
#else
#define CONJUGATE_LANES(x) (x)
#endif

DEFINE_TRANSPOSE(transpose, lanes_t, LANES)

// Copies a tile to f, and its transpose, which IS_HERMITIAN conjugates, to `mirrored`.
INLINE void mirror_tile(__global const lane_t* a, long lda, __global lane_t* f, __global lane_t* mirrored, long ldf) {
  for (int r = 0; r < TILE; r += LANES)
    for (int c = 0; c < TILE; c += LANES) {
      lanes_t rows[LANES];
#pragma unroll
      for (int l = 0; l < LANES; ++l) {
        rows[l] = LOAD_LANES(0, a + ((r + l) * lda + c));
        STORE_LANES(rows[l], 0, f + ((r + l) * ldf + c));
      }
      transpose(rows);
#pragma unroll
      for (int l = 0; l < LANES; ++l) STORE_LANES(CONJUGATE_LANES(rows[l]), 0, mirrored + ((c + l) * ldf + r));
    }
}
#endif

KERNEL(WG, 1, 1)
void expand(const index_t order, const index_t block, const index_t is_upper,
            __global const stored_element_t* restrict a, const ulong a_offset, const long lda, const ulong a_stride,
            __global stored_element_t* restrict f, const ulong f_offset, const long ldf, const ulong f_stride) {
  __local element_t tile[TILE * (TILE + 1)];  // padded, so that columns lie in different banks
  const int item = (int)get_local_id(0);
  const long tiles = (block + TILE - 1) / TILE, number = GROUP_ID(1, 1) / tiles, system = get_global_id(2);
  const long row0 = GROUP_ID(1, 1) % tiles * TILE, column0 = (long)GROUP_ID(0, WG) * TILE;
  const long rows = min((long)block, (long)order - number * block);  // of this block
  // A group that has no tile stores none, instead of leaving before the barrier: not every driver compiles that right.
  const int has_tile = row0 < rows && column0 < rows && (is_upper ? row0 <= column0 : row0 >= column0);
  int height = has_tile ? (int)min((long)TILE, rows - row0) : 0;
  const int width = (int)min((long)TILE, rows - column0);
  a += a_offset + system * a_stride + number * block * (lda + 1) + row0 * lda + column0;
  f += f_offset + system * f_stride + number * block * ldf;

  const int is_diagonal = row0 == column0;
#if IN_REGISTERS
  if (!is_diagonal && height == TILE && width == TILE) {
    mirror_tile((__global const lane_t*)a, lda, (__global lane_t*)(f + (row0 * ldf + column0)),
                (__global lane_t*)(f + (column0 * ldf + row0)), ldf);
    height = 0;  // nothing is left to do
  }
#endif
  for (int r = item / TILE; r < height; r += ROW_STEP)
    for (int c = item % TILE; c < width; c += COLUMN_STEP)
      if (!is_diagonal || (is_upper ? c >= r : c <= r)) tile[r * (TILE + 1) + c] = LOAD(a + (r * lda + c));
#if WG > 1
  barrier(CLK_LOCAL_MEM_FENCE);
#endif

  for (int r = item / TILE; r < height; r += ROW_STEP)
    for (int c = item % TILE; c < width; c += COLUMN_STEP) {
      const int is_stored = !is_diagonal || (is_upper ? c >= r : c <= r);
      const element_t value = tile[is_stored ? r * (TILE + 1) + c : c * (TILE + 1) + r];
      STORE(is_diagonal && r == c ? REAL(value)
            : is_stored           ? value
                                  : CONJUGATE(value),
            f + ((row0 + r) * ldf + column0 + c));
    }
  if (is_diagonal || !has_tile) return;
  for (int c = item / TILE; c < width; c += ROW_STEP)
    for (int r = item % TILE; r < height; r += COLUMN_STEP)
      STORE(CONJUGATE(tile[r * (TILE + 1) + c]), f + ((column0 + c) * ldf + row0 + r));
}
