// Where async_tile's copies read and write. A group of `items` copies a tile of `lines` lines: in runs of RUN steps of
// k where the operand's stored rows run along k, so that it is transposed on the way; else in vectors of `width` lines.
// Comes before its file.
#define RUN 8  // steps of k that a transposed operand is copied in

// Which element of a tile an item's copy t begins with: its line (row of op(A), column of op(B)) and its k. Each is the
// sum of what depends on the item and of what depends on t, a constant. A row of a tile that is not transposed takes
// lines / width copies.
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

// Where an item's copy t reads in global memory, from where the tile begins. k is filled up to whole tiles with `front`
// zeros before its first; counted from there, the places of what is read fit an index, however far rows are apart.
INLINE index_t copy_from(int items, bool along_k, int lines, int width, int item, int t, index_t first_line,
                         index_t size, index_t ld, index_t front) {
  const index_t tile_line =
      first_line + item_line(items, along_k, lines, width, item) + copy_line(items, along_k, lines, width, t);
  const index_t line = tile_line < size ? tile_line : line_past_edge(tile_line, size);
  const index_t p = item_k(items, along_k, lines, width, item) + copy_k(items, along_k, lines, width, t) - front;
  return along_k ? line * ld + p : p * ld + line;
}

// Where copy t goes in local memory, in bytes from the item's first copy.
INLINE uint copy_to(int items, bool along_k, int lines, int width, int stride, int t) {
  return (uint)(copy_k(items, along_k, lines, width, t) * stride + copy_line(items, along_k, lines, width, t)) * 4;
}
