#!/usr/bin/env python3
"""Generates sparse matrices for benchmarks. The same seed gives the same matrix.

Usage: tools/make-sparse.py KIND OUTPUT [--rows N] [--nonzeros N] [--seed N] [--type f32|f64]

KIND
  uniform     the same number of entries in every row, at random columns
  power_law   R-MAT with the parameters of Graph500: a few rows and columns have most entries, as in social graphs
  banded      every row has its entries around the diagonal
  block       dense blocks of 16 x 16 at random places
  dense_row   uniform, but one row has an entry in every column
  stencil5    the 5-point stencil of a square grid with --rows points, rounded to a square
  stencil27   the 27-point stencil of a cubic grid with --rows points, rounded to a cube
OUTPUT        .npz (scipy.sparse.save_npz(), csr) or .mtx (Matrix Market) file

--nonzeros is approximate: entries at the same place are merged, and stencils ignore it. Values are uniform in [-1, 1).
Needs NumPy and SciPy.
"""

import argparse
import math
import sys

import numpy
import scipy.io
import scipy.sparse


def from_places(rows, size, columns):
    """Returns a size x size matrix with an entry 1 at each given place; repeated places count once."""
    places = numpy.unique(rows.astype(numpy.int64) * size + columns)
    return scipy.sparse.coo_matrix((numpy.ones(len(places)), (places // size, places % size)), shape=(size, size))


def uniform(generator, size, nonzeros):
    rows = numpy.arange(nonzeros) * size // max(1, nonzeros)
    return from_places(rows, size, generator.integers(size, size=nonzeros))


def power_law(generator, size, nonzeros):
    levels = max(1, math.ceil(math.log2(size)))
    rows = numpy.zeros(nonzeros, dtype=numpy.int64)
    columns = numpy.zeros(nonzeros, dtype=numpy.int64)
    for _ in range(levels):
        # Probabilities of the matrix's quarters: 0.57 and 0.19 in the upper half, 0.19 and 0.05 in the lower.
        draw = generator.random(nonzeros)
        rows = 2 * rows + (draw >= 0.76)
        columns = 2 * columns + (((draw >= 0.57) & (draw < 0.76)) | (draw >= 0.95))
    return from_places(rows % size, size, columns % size)


def banded(_, size, nonzeros):
    width = max(1, round(nonzeros / size))
    offsets = numpy.arange(width) - width // 2
    rows = numpy.repeat(numpy.arange(size), width)
    columns = rows + numpy.tile(offsets, size)
    inside = (columns >= 0) & (columns < size)
    return from_places(rows[inside], size, columns[inside])


def block(generator, size, nonzeros):
    edge = 16
    blocks = max(1, size // edge)
    count = max(1, round(nonzeros / edge**2))
    corner_rows, corner_columns = (edge * generator.integers(blocks, size=count) for _ in range(2))
    inner = numpy.arange(edge)
    rows = (corner_rows[:, None, None] + inner[None, :, None] + 0 * inner[None, None, :]).ravel()
    columns = (corner_columns[:, None, None] + 0 * inner[None, :, None] + inner[None, None, :]).ravel()
    inside = (rows < size) & (columns < size)
    return from_places(rows[inside], size, columns[inside])


def dense_row(generator, size, nonzeros):
    others = uniform(generator, size, max(0, nonzeros - size))
    rows = numpy.concatenate([others.row, numpy.full(size, size // 2)])
    return from_places(rows, size, numpy.concatenate([others.col, numpy.arange(size)]))


def stencil(size, dimensions):
    """Returns the stencil matrix of a grid: 5-point in 2 dimensions, 27-point in 3."""
    edge = max(1, round(size ** (1 / dimensions)))
    points = numpy.indices((edge,) * dimensions).reshape(dimensions, -1)
    size = edge**dimensions
    strides = edge ** numpy.arange(dimensions)[::-1]
    rows, columns = [], []
    for shift in numpy.ndindex((3,) * dimensions):
        shift = numpy.array(shift) - 1
        if dimensions == 2 and abs(shift).sum() > 1:
            continue
        moved = points + shift[:, None]
        inside = ((moved >= 0) & (moved < edge)).all(axis=0)
        rows.append(strides @ points[:, inside])
        columns.append(strides @ moved[:, inside])
    return from_places(numpy.concatenate(rows), size, numpy.concatenate(columns))


KINDS = {
    "uniform": uniform,
    "power_law": power_law,
    "banded": banded,
    "block": block,
    "dense_row": dense_row,
    "stencil5": lambda _, size, __: stencil(size, 2),
    "stencil27": lambda _, size, __: stencil(size, 3),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("output")
    parser.add_argument("--rows", type=int, default=100000, help="number of rows and columns (default: %(default)s)")
    parser.add_argument("--nonzeros", type=int, help="approximate number of entries (default: 10 per row)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default: %(default)s)")
    parser.add_argument("--type", choices=("f32", "f64"), default="f32", help="element type (default: %(default)s)")
    options = parser.parse_args()
    nonzeros = 10 * options.rows if options.nonzeros is None else options.nonzeros
    if options.rows < 1 or not 0 <= nonzeros <= options.rows**2:
        parser.error("--rows must be at least 1, and --nonzeros from 0 to the square of --rows")
    if not options.output.endswith((".npz", ".mtx")):
        parser.error(f"the output is {options.output}; its name must end with .npz or .mtx")
    generator = numpy.random.Generator(numpy.random.PCG64(options.seed))
    matrix = KINDS[options.kind](generator, options.rows, nonzeros).tocsr()
    kind = numpy.float32 if options.type == "f32" else numpy.float64
    matrix.data = generator.uniform(-1, 1, matrix.nnz).astype(kind)
    if options.output.endswith(".npz"):
        scipy.sparse.save_npz(options.output, matrix, compressed=False)
    else:
        scipy.io.mmwrite(options.output, matrix, symmetry="general")
    lengths = numpy.diff(matrix.indptr)
    print(f"{options.output}: {matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} entries, "
          f"{lengths.min()} to {lengths.max()} per row", file=sys.stderr)


if __name__ == "__main__":
    main()
