// merge_triangle: C = beta C + W on one triangle of C, including the diagonal. W holds the products for the diagonal
// blocks of C.
//
//   C, lower triangle       W: blocks of `block` x `block`, one after another
//   [#      ]
//   [##     ]
//   [  #    ]  +=  [##] [##] [##]      [#] part of a block that is merged
//   [  ##   ]      [##] [##] [##]
//   [    #  ]
//   [    ## ]
// Purpose: a product writes whole rectangles, but the other triangle of C must not change. Without products, one block
// is the whole of C, which is only multiplied by beta.
//
// global id 0 -> lane, which takes every LANES-th column     global id 1 -> ITEM_ROWS rows     global id 2 -> matrix
//
//   LANES       work-items per row
//   GROUP_ROWS  work-items of a group that take different rows
//   ITEM_ROWS   consecutive rows per work-item
//   HERMITIAN   1: C is Hermitian, and the imaginary parts of its diagonal are neither used nor kept
//   MIRRORED    1: the product for a block is T + T^T, or T + T^H if C is Hermitian, where W holds T
#ifndef LANES
#define LANES 32
#endif
#ifndef GROUP_ROWS
#define GROUP_ROWS 2
#endif
#ifndef ITEM_ROWS
#define ITEM_ROWS 1
#endif
#ifndef HERMITIAN
#define HERMITIAN 0
#endif
#ifndef MIRRORED
#define MIRRORED 0
#endif
#if LANES < 1 || GROUP_ROWS < 1 || ITEM_ROWS < 1
#error "LANES, GROUP_ROWS and ITEM_ROWS must be positive"
#endif
#if HERMITIAN && !COMPLEX
#error "Only complex matrices are Hermitian; real ones are symmetric"
#endif

// An element of C in memory. W holds sums: stored_element_t.
#if COMPLEX
#define MERGED_T stored_element_t
#else
#define MERGED_T out_t
#endif

// The product for element (y, x) of a block whose product is W.
INLINE element_t product_at(__global const stored_element_t* w, index_t block, index_t y, index_t x) {
#if MIRRORED
#if HERMITIAN
  return w[y * block + x] + conjugate(w[x * block + y]);
#else
  return w[y * block + x] + w[x * block + y];
#endif
#else
  return w[y * block + x];
#endif
}

KERNEL(LANES, GROUP_ROWS, 1)
void merge_triangle(const index_t n, const index_t block, const index_t is_upper, const index_t has_products,
                    const element_t beta,  // C = beta C + W
                    __global out_t* ARGUMENT(c), const ulong c_offset, const ulong ldc, const ulong c_stride,
                    __global const accum_t* ARGUMENT(w), const ulong w_offset, const ulong w_stride) {
  ELEMENTS(c);
  CONST_ELEMENTS(w);
  const index_t lane = (index_t)get_global_id(0), matrix = (index_t)get_global_id(2);
  const index_t top = (index_t)get_global_id(1) * ITEM_ROWS;
  c += c_offset + matrix * c_stride;
  w += w_offset + matrix * w_stride;
  for (index_t row = top; row < min(top + ITEM_ROWS, n); ++row) {
    const index_t first = row / block * block, y = row - first;
    const index_t size = min(block, n - first);
    const index_t begin = is_upper ? y : 0, end = is_upper ? size : y + 1;
    __global MERGED_T* const to = c + (row * ldc + first);
    __global const stored_element_t* const from = w + first * block;
    for (index_t x = begin + lane; x < end; x += LANES) {
      element_t value = element_of(0);
      if (has_products) value = product_at(from, block, y, x);
      if (!is_zero(beta)) value += scale(beta, LOAD_STORED_C(1, to + x));
#if HERMITIAN
      if (x == y) value = element_of(real_of(value));
#endif
      STORE_STORED_C(1, value, to + x);
    }
  }
}
