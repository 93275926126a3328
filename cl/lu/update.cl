// update: C -= P Q, where P has up to SUBPANEL columns. All three are stored by rows. For a column-major matrix they
// are the transposes, so P and Q are exchanged.
//
//   P: rows x depth    Q: depth x columns    C: rows x columns        rows are `ld` elements apart
// A group computes a tile of TILE x TILE, where TILE is EACH times SIDE. Each work-item computes every SIDE-th row and
// column of it. Dimension 2 of the grid is the matrix of a batch. For GPUs.
#define EACH 4
#if WG == 256
#define SIDE 16
#elif WG == 64
#define SIDE 8
#else
#error "WG must be 64 or 256"
#endif
#define TILE (SIDE * EACH)

#if COMPLEX && ACCUM_BITS == 64
#define DEEP 8  // columns of P at a time
#else
#define DEEP 16
#endif

KERNEL(WG, 1, 1)
void update(const index_t rows, const index_t columns, const index_t depth, const index_t ld, const ulong stride,
            __global const accum_t* ARGUMENT(p), const ulong p_offset, __global const accum_t* ARGUMENT(q),
            const ulong q_offset, __global accum_t* ARGUMENT(c), const ulong c_offset) {
  __local element_t p_tile[DEEP][TILE + 1];
  __local element_t q_tile[DEEP][TILE];
  CONST_ELEMENTS(p);
  CONST_ELEMENTS(q);
  ELEMENTS(c);
  const ulong matrix = get_global_id(2) * stride;
  p += p_offset + matrix;
  q += q_offset + matrix;
  c += c_offset + matrix;
  const index_t across = (columns + TILE - 1) / TILE, tile = (index_t)get_group_id(0);
  const index_t top = tile / across * TILE, left = tile % across * TILE;
  const int item = (int)get_local_id(0), x = item / SIDE, y = item % SIDE;
  element_t sum[EACH][EACH];
#pragma unroll
  for (int i = 0; i < EACH; ++i)
#pragma unroll
    for (int j = 0; j < EACH; ++j) sum[i][j] = element_of(0);
  for (index_t begin = 0; begin < depth; begin += DEEP) {
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int e = 0; e < DEEP * TILE / WG; ++e) {
      const int t = item + e * WG, k = t % DEEP, i = t / DEEP;
      p_tile[k][i] = begin + k < depth && top + i < rows ? p[(top + i) * ld + begin + k] : element_of(0);
      const int row = t / TILE, j = t % TILE;
      q_tile[row][j] = begin + row < depth && left + j < columns ? q[(begin + row) * ld + left + j] : element_of(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < DEEP; ++k) {
      element_t of_p[EACH], of_q[EACH];
#pragma unroll
      for (int i = 0; i < EACH; ++i) {
        of_p[i] = p_tile[k][x + i * SIDE];
        of_q[i] = q_tile[k][y + i * SIDE];
      }
#pragma unroll
      for (int i = 0; i < EACH; ++i)
#pragma unroll
        for (int j = 0; j < EACH; ++j) sum[i][j] = multiply_add(of_p[i], of_q[j], sum[i][j]);
    }
  }
#pragma unroll
  for (int i = 0; i < EACH; ++i)
#pragma unroll
    for (int j = 0; j < EACH; ++j) {
      const index_t row = top + x + i * SIDE, column = left + y + j * SIDE;
      if (row < rows && column < columns) c[row * ld + column] -= sum[i][j];
    }
}
