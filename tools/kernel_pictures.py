"""The content of the pictures of docs/ladder/, which tools/draw-kernels.py draws.

The matrices have a grid: A is 8 x 12 units (k x m), B 14 x 8 (n x k), C 14 x 12 (n x m). x counts to the right and y
down from a matrix's upper left corner. In these units, a shape is (matrix, kind, x, y, width, height), and a dimension
is (matrix, side, first, last, text). Later shapes cover earlier ones.

The kinds of shapes, which the legend names:
  memory    read from global memory or a cache     near   held in local memory (Picture.near)
  register  held in registers                      pale   held in registers of other work-items
  later     being copied while others are used     used   read by a work-item in a step: a frame
  band      rows or columns of all steps of k: a dashed frame
  group, part, item  C of a work-group, more of a work-item's C, what a work-item computes at a time
The sides of dimensions: top and bottom; left, right, and far right for a second one there.

A Way's `to_near` is the number at the arrow from global memory: to local memory, or to registers if `near` is empty.
An element that serves n multiply-adds after it was read counts as 1/n. `sizes` names the parameters' values that the
numbers assume, usually the GPU's default. Differences from the rung `before` are drawn in red.
"""

import dataclasses

NOTHING = ("", "")


@dataclasses.dataclass
class Way:
    """The way of an operand: a line or two of text for each memory, and the reads per multiply-add between them."""

    memory: tuple = NOTHING  # global memory
    near: tuple = NOTHING  # local memory, or a cache; empty: the way leads past it
    registers: tuple = NOTHING
    to_near: str = ""
    to_registers: str = ""


@dataclasses.dataclass
class Picture:
    name: str
    summary: str
    before: str  # the rung that it is compared with
    shapes: list
    dimensions: list
    a: Way
    b: Way
    c: Way
    notes: list
    sizes: str = ""  # that the numbers assume
    near: tuple = ("local memory", "of a work-group")
    unit: str = "elements"
    rows: float = 12  # of A and C, in units


def band(x, y, width, height):
    """The rows of A and columns of B that a tile of C needs."""
    return [("A", "band", 0, y, 8, height), ("B", "band", x, 0, width, 8)]


def rows(kind_of_b):
    """A work-item with a row of C, a chunk of A's row in registers, and columns of B."""
    return [("A", "band", 0, 5, 8, 1), ("A", "register", 0, 5, 5, 1), ("B", "band", 5, 0, 3, 8),
            ("B", kind_of_b, 5, 0, 3, 5), ("C", "group", 0, 3, 14, 4), ("C", "part", 0, 5, 14, 1),
            ("C", "item", 5, 5, 3, 1)]


def blocked(step=0.5):
    """The tiles of register_blocked, with what a work-item reads in a step."""
    shapes = band(4, 2, 8, 8) + [("A", "near", 3, 2, 2, 8), ("B", "near", 4, 3, 8, 2), ("C", "group", 4, 2, 8, 8)]
    for row in (3, 7):
        shapes.append(("A", "register", 3, row, step, 1))
        shapes += [("C", "item", column, row, 1, 1) for column in (5, 9)]
    return shapes + [("B", "register", column, 3, 1, step) for column in (5, 9)]


def ring(*at):
    """Tiles that are being copied while others are used."""
    return [shape for x in at for shape in (("A", "later", x, 2, 1, 8), ("B", "later", 4, x, 8, 1))]


ROWS = [("A", "bottom", 0, 5, "CHUNK"), ("B", "top", 5, 8, "COLUMNS"), ("C", "right", 3, 7, "WG")]
TILES = [("B", "top", 4, 12, "TILE_N"), ("C", "right", 2, 10, "TILE_M")]
WARP_TILES = [("B", "top", 4, 12, "TILE_N"), ("C", "far right", 2, 10, "TILE_M"), ("B", "left", 2, 5, "STAGES")]

PICTURES = [
    Picture(
        "naive", "a work-item computes one element of C", "",
        [("A", "memory", 0, 5, 8, 1), ("B", "memory", 6, 0, 1, 8), ("C", "group", 4, 4, 6, 2),
         ("C", "item", 6, 5, 1, 1)],
        [("C", "right", 4, 6, "WG_M"), ("C", "bottom", 4, 10, "WG_N")],
        Way(("row i",), NOTHING, ("1 element",), "1"),
        Way(("column j",), NOTHING, ("1 element",), "1"),
        Way(("1 element",), NOTHING, ("1 sum",)),
        ["Every multiply-add asks global memory for two operands.",
         "Adjacent work-items read one row of A and adjacent columns of B."]),
    Picture(
        "row_per_item", "a work-item computes one row of C", "naive",
        [("A", "memory", 0, 5, 8, 1), ("B", "memory", 0, 0, 14, 8), ("C", "group", 0, 3, 14, 4),
         ("C", "item", 0, 5, 14, 1)],
        [("C", "right", 3, 7, "WG")],
        Way(("row i,", "n times"), NOTHING, ("1 element",), "1"),
        Way(("all of B",), NOTHING, ("1 element",), "1"),
        Way(("row i",), NOTHING, ("1 sum", "at a time")),
        ["There are fewer work-items, and each uses its row of A n times.",
         "Adjacent work-items read A and write C a whole row apart."]),
    Picture(
        "private_row", "a work-item keeps its row of A", "row_per_item",
        rows("memory"), ROWS,
        Way(("row i",), NOTHING, ("CHUNK elements", "of row i"), "1/n"),
        Way(("all of B",), NOTHING, ("1 element",), "1"),
        Way(("row i",), NOTHING, ("COLUMNS sums",)),
        ["A row of A is read once, if k has a single chunk; otherwise",
         "each chunk is read again for the next COLUMNS columns."]),
    Picture(
        "local_column", "a group shares columns of B", "private_row",
        rows("near"), ROWS,
        Way(("row i",), NOTHING, ("CHUNK elements", "of row i"), "1/n"),
        Way(("all of B",), ("CHUNK x", "COLUMNS"), ("1 element",), "1/32", "1"),
        Way(("row i",), NOTHING, ("COLUMNS sums",)),
        ["The group copies the columns of B to local memory together,",
         "so it reads B once instead of once per work-item."],
        "WG = 32"),
    Picture(
        "local_tile", "a group computes a tile of C from tiles in local memory", "local_column",
        band(4, 3, 6, 4) + [("A", "near", 3, 3, 2, 4), ("B", "near", 4, 3, 6, 2), ("C", "group", 4, 3, 6, 4),
                            ("A", "used", 3, 5, 2, 1), ("B", "used", 6, 3, 1, 2), ("C", "item", 6, 5, 1, 1)],
        [("B", "top", 4, 10, "TILE_N"), ("C", "right", 3, 7, "TILE_M"), ("B", "left", 3, 5, "TILE_K")],
        Way(("TILE_M rows",), ("TILE_M x", "TILE_K"), ("1 element",), "1/32", "1"),
        Way(("TILE_N columns",), ("TILE_K x", "TILE_N"), ("1 element",), "1/8", "1"),
        Way(("1 element",), NOTHING, ("1 sum",)),
        ["The group walks along k with a tile of each operand.",
         "A multiply-add now asks local memory for two operands."],
        "TILE 8 x 32 x 32"),
    Picture(
        "register_strip", "a work-item computes a strip of a column of C", "local_tile",
        band(4, 2, 6, 8) + [("A", "near", 3, 2, 2, 8), ("B", "pale", 4, 3, 6, 2), ("C", "group", 4, 2, 6, 8),
                            ("A", "used", 3, 6, 2, 4), ("B", "register", 6, 3, 1, 2), ("C", "item", 6, 6, 1, 4)],
        [("B", "top", 4, 10, "TILE_N"), ("C", "far right", 2, 10, "TILE_M"), ("B", "left", 3, 5, "TILE_K"),
         ("C", "right", 6, 10, "STRIP")],
        Way(("TILE_M rows",), ("TILE_K x", "TILE_M"), ("1 vector,", "a broadcast"), "1/128", "1"),
        Way(("TILE_N columns",), NOTHING, ("TILE_K elements", "of column j"), "1/32"),
        Way(("STRIP elements",), NOTHING, ("STRIP sums",)),
        ["B goes straight to registers, where an element serves STRIP rows.",
         "All items of a row read the same vectors of A, the only local tile."],
        "TILE 32 x 128 x 16, STRIP 32"),
    Picture(
        "register_blocked", "a work-item computes a block of C", "register_strip",
        blocked(), TILES + [("B", "left", 3, 5, "TILE_K")],
        Way(("TILE_M rows",), ("TILE_K x", "TILE_M, twice"), ("ITEM_M elements", "of a step"), "1/128", "1/8"),
        Way(("TILE_N columns",), ("TILE_K x", "TILE_N, twice"), ("ITEM_N elements", "of a step"), "1/256", "1/16"),
        Way(("ITEM_M x ITEM_N",), NOTHING, ("ITEM_M x ITEM_N", "sums")),
        ["Each element that is read meets a whole side of the block.",
         "The next tiles are on their way in registers meanwhile."],
        "TILE 256 x 128 x 8, ITEM 16 x 8"),
    Picture(
        "texel_blocked", "operands come through the texture units", "register_blocked",
        [("A", "near", 0, row, 8, 1) for row in (3, 7)] + [("B", "near", column, 0, 1, 8) for column in (5, 9)] +
        [("C", "group", 4, 2, 8, 8)] + [("A", "register", 3, row, 0.5, 1) for row in (3, 7)] +
        [("B", "register", column, 3, 1, 0.5) for column in (5, 9)] +
        [("C", "item", column, row, 1, 1) for row in (3, 7) for column in (5, 9)],
        [("B", "top", 5, 6, "4"), ("C", "right", 3, 4, "4")],
        Way(("image: texels of", "4 rows of A"), ("texels",), ("QUADS_M texels", "of a step"), "", "1/8"),
        Way(("image: texels of", "4 columns of B"), ("texels",), ("QUADS_N texels", "of a step"), "", "1/16"),
        Way(("block of texels",), NOTHING, ("16 QUADS_M", "QUADS_N sums")),
        ["Both operands are copied to images first. There are no tiles and",
         "no barriers: the texture cache replaces local memory."],
        "QUADS 4 x 2", ("texture cache", "of a compute unit")),
    Picture(
        "packed_panel", "for CPUs: a group is one work-item, with vectors and caches", "register_blocked",
        band(4, 2, 8, 8) + [("B", "near", column, 2, 2, 4) for column in (4, 6, 8, 10)] +
        [("A", "near", 2, 5, 4, 1), ("C", "part", 4, 2, 8, 8), ("C", "item", 8, 5, 2, 1),
         ("A", "register", 3, 5, 0.5, 1), ("B", "register", 8, 3, 2, 0.5)],
        [("B", "top", 8, 10, "ITEM_N"), ("C", "right", 5, 6, "ITEM_M"), ("B", "left", 2, 6, "BLOCK_K"),
         ("C", "bottom", 4, 12, "group_n")],
        Way(("rows as stored",), ("L1: ITEM_M x", "BLOCK_K"), ("1 element,", "broadcast"), "", "1/64"),
        Way(("packed panels", "of ITEM_N"), ("L2: BLOCK_K x", "group_n"), ("ITEM_N elements", "in vectors"), "", "1/6"),
        Way(("group_m x", "group_n"), ("blocks that wait", "for more of k"), ("ITEM_M x ITEM_N", "sums in vectors")),
        ["B is copied into panels, so that all reads are front to back.",
         "No local memory and no barrier: the caches keep what is reused."],
        "ITEM 6 x 64", ("caches", "of a core")),
    Picture(
        "dot_block", "for CPUs: rows of both operands along k", "packed_panel",
        band(4, 2, 9, 8) + [("A", "near", 1, 2, 5, 8), ("B", "near", 7, 1, 2, 5), ("C", "part", 4, 2, 9, 8),
                            ("C", "item", 7, 5, 2, 2), ("A", "register", 2, 5, 1, 2), ("B", "register", 7, 2, 2, 1)],
        [("B", "top", 7, 9, "ITEM_N"), ("C", "right", 5, 7, "ITEM_M"), ("B", "left", 1, 6, "BLOCK_K"),
         ("A", "bottom", 2, 3, "VECTOR_K"), ("C", "bottom", 4, 13, "group_n")],
        Way(("rows as stored",), ("L2: GROUP_M x", "BLOCK_K"), ("ITEM_M vectors", "along k"), "", "1/6"),
        Way(("rows of the", "stored B"), ("L1: ITEM_N x", "BLOCK_K"), ("ITEM_N vectors", "along k"), "", "1/4"),
        Way(("GROUP_M x", "group_n"), ("blocks that wait", "for more of k"), ("ITEM_M x ITEM_N", "vectors of sums")),
        ["Vectors run along k, so nothing is packed.",
         "The elements of each vector of sums are added at the end."],
        "ITEM 4 x 6", ("caches", "of a core")),
    Picture(
        "column_walk", "for CPUs: C of few rows, rows of B along C", "dot_block",
        [("A", "band", 0, 0, 8, 1.5), ("A", "register", 3, 0, 2, 1.5), ("B", "band", 0, 0, 7, 8)] +
        [("B", "memory", 0, row, 7, 0.4) for row in (3, 3.5, 4, 4.5)] +
        [("B", "register", 3, row, 1, 0.4) for row in (3, 3.5, 4, 4.5)] +
        [("C", "part", 0, 0, 7, 1.5), ("C", "item", 3, 0, 1, 1.5)],
        [("B", "top", 0, 7, "BLOCK"), ("B", "left", 3, 4.9, "UNROLL"), ("C", "right", 0, 1.5, "THIN"),
         ("C", "bottom", 3, 4, "VECTOR")],
        Way(("THIN rows",), NOTHING, ("THIN x UNROLL", "elements"), "1/BLOCK"),
        Way(("rows as stored",), NOTHING, ("UNROLL vectors",), "1"),
        Way(("THIN x BLOCK",), ("L1: THIN x BLOCK", "sums"), ("THIN vectors", "of sums"), "", "1/8"),
        ["UNROLL rows of B are read side by side, each front to back.",
         "The sums travel: from the cache and back once per UNROLL rows."],
        "THIN 1, UNROLL 8", ("caches", "of a core"), rows=1.5),
    Picture(
        "dot4_blocked", "8-bit integers, four steps of k in a word", "register_blocked",
        blocked(1), TILES + [("B", "left", 3, 5, "TILE_K")],
        Way(("TILE_M rows",), ("TILE_K x TILE_M,", "words of four k"), ("ITEM_M words", "of four k"), "1/512", "1/32"),
        Way(("TILE_N columns",), ("TILE_K x TILE_N,", "words of four k"), ("ITEM_N words", "of four k"), "1/512",
            "1/32"),
        Way(("ITEM_M x ITEM_N",), NOTHING, ("ITEM_M x ITEM_N", "sums")),
        ["A word holds four consecutive k of a row of A or a column of B,",
         "and one instruction adds four products."],
        "TILE 128 x 128, ITEM 8 x 8", unit="words"),
    Picture(
        "group_reduction", "C of few rows: a group divides k", "register_blocked",
        [("A", "band", 0, 0, 8, 1.5), ("B", "band", 4, 0, 4, 8), ("C", "group", 4, 0, 4, 1.5),
         ("C", "item", 5, 0, 1, 1.5), ("A", "register", 1, 0, 1, 1.5), ("A", "memory", 5, 0, 1, 1.5),
         ("B", "register", 5, 1, 1, 1), ("B", "memory", 5, 5, 1, 1)],
        [("B", "top", 4, 8, "WG_WIDE VECTOR"), ("B", "left", 0, 4, "WG_K UNROLL"), ("C", "right", 0, 1.5, "THIN")],
        Way(("THIN rows",), NOTHING, ("UNROLL steps", "of each row"), "1/4"),
        Way(("a part of k, once",), NOTHING, ("UNROLL vectors",), "1/8"),
        Way(("THIN vectors",), ("WG_K sums for", "each element"), ("THIN vectors", "of sums")),
        ["Nothing of B is used twice, so it goes straight to registers.",
         "Local memory only adds the WG_K sums of an element at the end."],
        "THIN 8, VECTOR 4", rows=1.5),
    Picture(
        "team_per_product", "small products: a team computes one each", "register_blocked",
        [("A", "near", 0, 0, 8, 6), ("B", "near", 0, 0, 14, 8), ("C", "group", 0, 0, 14, 6),
         ("A", "register", 3, 2, 1, 2)] +
        [("B", "register", x, 3, 1, 1) for x in (1, 4.5, 8, 11.5)] +
        [("C", "item", x, 2, 1, 2) for x in (1, 4.5, 8, 11.5)],
        [("B", "top", 0, 14, "n"), ("C", "right", 2, 4, "ITEM_M"), ("C", "bottom", 1, 4.5, "n / ITEM_N")],
        Way(("all of A",), ("all of A",), ("ITEM_M elements",), "1/n", "1/4"),
        Way(("all of B",), ("all of B,", "reordered"), ("ITEM_N elements",), "1/m", "1/4"),
        Way(("C of one product",), NOTHING, ("ITEM_M x ITEM_N", "sums")),
        ["A group is a team of TEAM work-items, and has a product to itself.",
         "A work-item's columns are apart: neighbours store neighbours."],
        "ITEM 4 x 4", ("local memory", "of a team"), rows=6),
    Picture(
        "tensor_f64", "a warp computes a part of the tile on tensor cores", "register_blocked",
        band(4, 2, 8, 8) + [("A", "near", 2, 2, 1, 8), ("B", "near", 4, 2, 8, 1)] + ring(3, 4) +
        [("C", "group", 4, 2, 8, 8), ("C", "part", 8, 4, 4, 2), ("A", "used", 2, 4, 1, 2), ("B", "used", 8, 2, 4, 1)] +
        [("C", "item", column + 0.5, row + 0.3, 0.25, 0.4) for column in range(8, 12) for row in (4, 5)],
        WARP_TILES + [("C", "right", 4, 6, "WARP_M"), ("C", "bottom", 8, 12, "WARP_N")],
        Way(("TILE_M rows",), ("STAGES tiles,", "by cp.async"), ("elements of", "16 x 8 strips"), "1/128", "1/64"),
        Way(("TILE_N columns",), ("STAGES tiles,", "by cp.async"), ("elements of", "8 x 16 strips"), "1/128", "1/32"),
        Way(("a warp's part", "of the tile"), NOTHING, ("WARP_M WARP_N", "/ 32 sums")),
        ["The 32 work-items of a warp compute a part of the tile together:",
         "mma.sync multiplies strips whose elements are spread over them."],
        "TILE 128 x 128 x 16, WARP 32 x 64"),
    Picture(
        "tensor_core", "elements of 16 bits, 32-bit sums", "tensor_f64",
        band(4, 2, 8, 8) + [("A", "near", 2, 2, 1, 8), ("B", "near", 4, 2, 8, 1)] + ring(3, 4) +
        [("C", "group", 4, 2, 8, 8), ("C", "part", 8, 6, 2, 4), ("A", "used", 2, 6, 1, 4), ("B", "used", 8, 2, 2, 1)] +
        [("C", "item", 8.2 + column / 2, 6.2 + row / 2, 0.25, 0.15) for column in range(4) for row in range(8)],
        WARP_TILES + [("C", "right", 6, 10, "WARP_M"), ("C", "bottom", 8, 10, "WARP_N")],
        Way(("TILE_M rows",), ("STAGES tiles,", "swizzled rows"), ("16 rows each", "by ldmatrix"), "1/128", "1/32"),
        Way(("TILE_N columns",), ("STAGES tiles,", "swizzled rows"), ("8 columns each", "by ldmatrix"), "1/128",
            "1/64"),
        Way(("a warp's part", "of the tile"), ("rows of C,", "rounded"), ("WARP_M WARP_N", "/ 32 sums")),
        ["ldmatrix reads four 8 x 8 matrices and can transpose them,",
         "so tiles keep the order of the stored rows. C leaves by local memory."],
        "TILE 128 x 128, WARP 64 x 32"),
    Picture(
        "tensor_warpgroup", "four warps multiply from local memory", "tensor_core",
        band(4, 2, 8, 8) + [("A", "near", 2, 2, 2, 8), ("B", "near", 4, 2, 8, 2)] + ring(4, 5) +
        [("C", "group", 4, 2, 8, 8), ("C", "part", 4, 6, 8, 4), ("A", "used", 2, 6, 2, 4), ("B", "used", 4, 2, 8, 2)] +
        [("C", "item", 4.2 + column / 2, 7.2 + row / 2, 0.25, 0.15) for column in range(16) for row in range(2)],
        WARP_TILES + [("C", "right", 6, 10, "64")],
        Way(("TILE_M rows",), ("STAGES tiles,", "two at work"), ("wgmma reads it,", "no registers"), "1/256", "1/256"),
        Way(("TILE_N columns",), ("STAGES tiles,", "two at work"), ("wgmma reads it,", "no registers"), "1/128",
            "1/64"),
        Way(("64 rows of", "the tile"), ("rows of C,", "rounded"), ("TILE_N / 2 sums",)),
        ["wgmma reads both operands from local memory on its own,",
         "while the work-items copy later tiles: registers hold only sums."],
        "TILE 128 x 256"),
    Picture(
        "async_tile", "register_blocked, fed by asynchronous copies", "register_blocked",
        blocked() + ring(5, 6),
        TILES + [("B", "left", 3, 7, "STAGES")],
        Way(("TILE_M rows",), ("STAGES tiles,", "by cp.async"), ("ITEM_M elements,", "a step ahead"), "1/256", "1/16"),
        Way(("TILE_N columns",), ("STAGES tiles,", "by cp.async"), ("ITEM_N elements,", "a step ahead"), "1/128",
            "1/8"),
        Way(("ITEM_M x ITEM_N",), NOTHING, ("ITEM_M x ITEM_N", "sums")),
        ["Copies from global to local memory need no registers,",
         "so these serve a block of 8 x 16 and reads a step ahead."],
        "TILE 128 x 256 x 16, ITEM 8 x 16"),
]
