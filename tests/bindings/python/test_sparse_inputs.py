"""Sparse matrices as programs leave them: duplicates, unsorted indices, spare elements, other types and byte orders."""

import numpy
import pytest

sparse = pytest.importorskip("scipy.sparse")
ROWS, COLUMNS = 6, 5


@pytest.fixture
def dense(bounds):
    values = bounds.array((ROWS, COLUMNS), "f8")
    values[bounds.random.uniform(size=values.shape) < 0.5] = 0
    return values


def expect_products(tw, bounds, matrix, dense):
    b, c = bounds.array((COLUMNS, 3), dense.dtype), bounds.array((2, ROWS), dense.dtype)
    found = tw.sparse.Matrix(matrix)
    numpy.testing.assert_allclose(found @ b, dense @ b, atol=1e-14)
    numpy.testing.assert_allclose(c @ found, c @ dense, atol=1e-14)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("offsets, indices", [
    ("i4", "i8"), ("i8", "i8"), ("i2", "i2"), ("u4", "u4"), ("u8", "u8"), (">i4", ">i8"), ("i4", "u1"),
])  # fmt: skip
def test_types_of_indices(tw, bounds, dense, kind, offsets, indices):
    matrix = kind(dense)
    matrix.indptr, matrix.indices = matrix.indptr.astype(offsets), matrix.indices.astype(indices)
    expect_products(tw, bounds, matrix, dense)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("dtype", [">f8", "f8", "b1", "i1", ">i4", "u8"])
def test_types_of_values(tw, bounds, dense, form, dtype):
    matrix = sparse.coo_matrix(dense).asformat(form)
    matrix.data = (matrix.data * 10).astype(dtype)
    expected = sparse.coo_matrix(dense)
    expected.data = (expected.data * 10).astype(dtype).astype("f8")
    expect_products(tw, bounds, matrix, expected.toarray())


def test_duplicates_in_any_order(tw, bounds):
    values, rows, columns = numpy.arange(1.0, 7), numpy.array([0, 0, 0, 1, 1, 5]), numpy.array([4, 1, 1, 3, 0, 3])
    coo = sparse.coo_matrix((values[::-1], (rows[::-1], columns[::-1])), (ROWS, COLUMNS))
    csr = sparse.csr_matrix((values, columns, [0, 3, 5, 5, 5, 5, 6]), (ROWS, COLUMNS))
    for matrix in (coo, csr):
        expect_products(tw, bounds, matrix, matrix.toarray())
        with pytest.raises(tw.InvalidValue):
            tw.sparse.matmul(matrix, numpy.ones((COLUMNS, 1)), check="canonical")


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix])
def test_spare_elements_are_ignored(tw, bounds, dense, kind):
    """SciPy lets data and indices be longer than the last offset."""
    matrix = kind(dense)
    matrix.data, matrix.indices = numpy.append(matrix.data, [7, numpy.nan]), numpy.append(matrix.indices, [0, 99])
    expect_products(tw, bounds, matrix, dense)
    empty = kind((ROWS, COLUMNS))
    empty.data, empty.indices = numpy.ones(2), numpy.zeros(2, "i4")
    expect_products(tw, bounds, empty, numpy.zeros((ROWS, COLUMNS)))


def test_arrays_with_gaps_and_without_write_access(tw, bounds, dense):
    matrix = sparse.csr_matrix(dense)
    matrix.data, matrix.indices = numpy.repeat(matrix.data, 2)[::2], numpy.repeat(matrix.indices[::-1], 3)[::-3]
    for array in (matrix.data, matrix.indices, matrix.indptr):
        array.flags.writeable = False
    expect_products(tw, bounds, matrix, dense)


def test_invalid_structures(tw, dense):
    def changed(name, change):
        matrix = sparse.csr_matrix(dense)
        array = getattr(matrix, name).copy()
        setattr(matrix, name, change(array))
        return matrix

    def put(value):
        return lambda array: numpy.concatenate([array[:1], [value], array[2:]]).astype(array.dtype)

    for matrix in (
        changed("indices", put(COLUMNS)),
        changed("indices", put(-1)),
        changed("indptr", put(99)),
        changed("indptr", lambda array: array[:-1]),
        changed("indptr", lambda array: -array),
        changed("indptr", lambda array: array[:0]),
        changed("indices", lambda array: array[:-1]),
        changed("data", lambda array: array[:-1]),
    ):
        with pytest.raises(tw.InvalidValue):
            tw.sparse.matmul(matrix, numpy.ones((COLUMNS, 2)))


def test_what_is_no_sparse_matrix(tw, dense):
    matrix, b = sparse.csr_matrix(dense), numpy.ones((COLUMNS, 2))
    for form in ("bsr", "dia", "lil", "dok"):
        with pytest.raises(tw.InvalidType, match="tocsr"):
            tw.sparse.Matrix(matrix.asformat(form))
    with pytest.raises(tw.InvalidType, match="Matrix of this package"):
        tw.sparse.Matrix(tw.sparse.Matrix(matrix))
    with pytest.raises(tw.InvalidType, match="tocsr"):
        tw.sparse.Matrix(dense)
    with pytest.raises(tw.InvalidType, match="float64"):
        tw.sparse.Matrix(matrix.astype("c16"))
    floating = matrix.copy()
    floating.indices = floating.indices.astype("f8")
    with pytest.raises(tw.InvalidType, match="must be integers"):
        tw.sparse.Matrix(floating)
    if hasattr(sparse, "coo_array"):
        try:
            one = sparse.coo_array(numpy.ones(COLUMNS))
        except ValueError:
            return  # SciPy before 1.13 has no arrays of one axis
        if one.ndim == 1:
            with pytest.raises(tw.InvalidType, match="two axes"):
                tw.sparse.matmul(one, b)


def test_events_belong_to_device_arrays(tw, dense):
    for events in ([], [3]):
        with pytest.raises(tw.InvalidType, match="wait_for"):
            tw.sparse.matmul(sparse.csr_matrix(dense), numpy.ones((COLUMNS, 2)), wait_for=events)
