// subtract_tiles: subtracts tiles of products from the diagonal blocks of a symmetric or Hermitian matrix, in its
// stored triangle only.
//
//   A                   W: tiles of BLOCK x BLOCK, one after another
//   [\     ]
//   [ \    ]  -  [##] [##] [##]
//   [   \  ]
// global id 0 -> element of a tile     group id 1 -> tile     global id 2 -> matrix of a batch
//
//   BLOCK      rows and columns of a tile; the last tile may have fewer
//   TILE_WG    work-items per group
//   TILE_RUN   consecutive elements per work-item
#ifndef TILE_WG
#define TILE_WG 64
#endif
#ifndef TILE_RUN
#define TILE_RUN 1
#endif

// `rows`: of all tiles together.
KERNEL(TILE_WG, 1, 1)
void subtract_tiles(const index_t rows, const ulong ld, const index_t is_upper,  // A -= W
                    __global accum_t* restrict ARGUMENT(a), const ulong a_offset, const ulong a_stride,
                    __global const accum_t* restrict ARGUMENT(w), const ulong w_offset, const ulong w_stride) {
  ELEMENTS(a);
  CONST_ELEMENTS(w);
  const long tile = (long)GROUP_ID(1, 1), matrix = get_global_id(2);
  const long first = tile * BLOCK;
  const int size = (int)min((long)BLOCK, rows - first);
  a += a_offset + matrix * a_stride + first * (ld + 1);
  w += w_offset + matrix * w_stride + tile * BLOCK * BLOCK;
  const int begin = (int)get_global_id(0) * TILE_RUN;
  for (int e = begin; e < begin + TILE_RUN; ++e) {
    const int y = e / BLOCK, x = e % BLOCK;
    if (y < size && x < size && (is_upper ? x >= y : x <= y)) {
      a[y * ld + x] -= w[y * BLOCK + x];
      if (COMPLEX && x == y) a[y * ld + x] = element_of(real_of(a[y * ld + x]));  // a Hermitian diagonal is real
    }
  }
}
