// Source and destination addresses of async_tile's copies. A group of `items` work-items copies a tile of `lines`
// lines. If the operand's stored rows run along k, it is copied in runs of RUN steps of k and transposed; otherwise in
// vectors of `width` lines. Precedes async_tile.cl.
#define RUN 8  // steps of k per run of a transposed operand

// First line (row of op(A), column of op(B)) and first k of a work-item's copy t. Each is a sum of a term that depends
// on the work-item and a constant that depends on t. A row of a tile that is not transposed takes lines / width copies.
INLINE int item_line(int items, bool along_k, int lines, int width, int item) {
  return along_k ? item / RUN : (items >= lines / width ? item % (lines / width) : item) * width;
}
INLINE int item_k(int items, bool along_k, int lines, int width, int item) {
  return along_k ? item % RUN : items >= lines / width ? item / (lines / width) : 0;
}
INLINE int copy_line(int items, bool along_k, int lines, int width, int t) {
  return along_k ? t * (items / RUN) : items >= lines / width ? 0 : t * items * width % lines;
}
INLINE int copy_k(int items, bool along_k, int lines, int width, int t) {
  return along_k ? 0 : t * items * width / lines;
}

// Where a work-item's copy t reads in global memory, relative to the start of the tile. k is padded to whole tiles with
// `front` zeros. Counted from there, offsets fit an index, however far rows are apart.
INLINE index_t copy_from(int items, bool along_k, int lines, int width, int item, int t, index_t first_line,
                         index_t size, index_t ld, index_t front) {
  const index_t tile_line =
      first_line + item_line(items, along_k, lines, width, item) + copy_line(items, along_k, lines, width, t);
  const index_t line = tile_line < size ? tile_line : line_past_edge(tile_line, size);
  const index_t p = item_k(items, along_k, lines, width, item) + copy_k(items, along_k, lines, width, t) - front;
  return along_k ? line * ld + p : p * ld + line;
}

// Where copy t goes in local memory, in bytes from the work-item's first copy.
INLINE uint copy_to(int items, bool along_k, int lines, int width, int stride, int t) {
  return (uint)(copy_k(items, along_k, lines, width, t) * stride + copy_line(items, along_k, lines, width, t)) * 4;
}
