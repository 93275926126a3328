// Copies tiles of tensor_warpgroup to local memory as boxes. Precedes the kernel's file, and follows
// tensor_core_maps.cl, whose layout the boxes have: up to all lines and 128 bytes along k, or 64 lines and all of a
// tile's k.

INLINE uint box_bytes(bool along_k, uint lines, uint tile_k) { return 128 * (along_k ? lines : tile_k); }

// Number of boxes of a tile that begins at line `first` of a matrix of `size` lines, of which at least one is in the
// tile. A box that has no line inside the matrix is left out, because the device would fault.
INLINE int boxes_of(bool along_k, int lines, index_t first, index_t size) {
  return along_k ? PLANES : (int)min((index_t)(lines / 64), (size - first + 63) / 64);
}

// Copies a tile's first `boxes` boxes, from line `line` and step `p` of k of the matrix at address `matrix`.
INLINE void copy_boxes(uint to, ulong map, bool along_k, int lines, uint tile_k, int boxes, index_t line, index_t p,
                       ulong matrix, __local ulong* barrier) {
#pragma unroll
  for (int x = 0; x < (along_k ? PLANES : lines / 64); ++x)
    if (x < boxes)
      copy_box(to + x * box_bytes(along_k, lines, tile_k), map, along_k ? p + x * ROW_ELEMENTS : line + x * 64,
               along_k ? line : p, matrix, barrier);
}
