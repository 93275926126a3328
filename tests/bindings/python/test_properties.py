"""Random shapes, strides, batches and types, by hypothesis."""

import numpy
import pytest
from conftest import QUICK

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import strategies  # noqa: E402


def settings(samples):
    """Returns settings that draw equal samples in each run, and a third of them at the quick level."""
    return hypothesis.settings(
        max_examples=samples // 3 if QUICK else samples,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        database=None,
        derandomize=True,
    )


SIZES = strategies.integers(0, 9)


@strategies.composite
def operand(draw, lead, rows, columns):
    """Returns how an array is cut from a larger one: steps, and whether it is transposed."""
    shape = [1 if draw(strategies.booleans()) else size for size in lead]
    shape = shape[draw(strategies.integers(0, len(shape))) :]
    steps = [draw(strategies.sampled_from([1, 1, 2, -1, 3])) for _ in range(len(shape) + 2)]
    return shape, rows, columns, steps, draw(strategies.booleans())


def cut(bounds, how, dtype):
    shape, rows, columns, steps, is_transposed = how
    sizes = [*shape, columns, rows] if is_transposed else [*shape, rows, columns]
    whole = bounds.array([size * abs(step) for size, step in zip(sizes, steps)], dtype)
    array = whole[tuple(slice(None, None, step) for step in steps)]
    array = array[tuple(slice(0, size) for size in sizes)]
    return array.swapaxes(-1, -2) if is_transposed else array


@strategies.composite
def product(draw):
    lead = draw(strategies.lists(strategies.integers(0, 3), max_size=3))
    m, n, k = draw(SIZES), draw(SIZES), draw(SIZES)
    return draw(operand(lead, m, k)), draw(operand(lead, k, n)), draw(strategies.sampled_from(["f4", "f8", "c8"]))


@settings(40)
@hypothesis.given(product())
def test_matmul(tw, bounds, how):
    a, b = cut(bounds, how[0], how[2]), cut(bounds, how[1], how[2])
    bounds.expect_product(tw.matmul(a, b), a, b)


@settings(15)
@hypothesis.given(product())
def test_matmul_of_device_arrays(tw, queue, bounds, how):
    from pyopencl import array as arrays

    a, b = (numpy.ascontiguousarray(cut(bounds, part, how[2])) for part in how[:2])
    hypothesis.assume(a.size and b.size)
    bounds.expect_product(tw.matmul(arrays.to_device(queue, a), arrays.to_device(queue, b)).get(), a, b)


DTYPES = strategies.sampled_from(["f4", "f8", "c8", "c16"])
ATOL = {"f4": 1e-4, "c8": 1e-4, "f8": 1e-11, "c16": 1e-11}


@settings(30)
@hypothesis.given(product(), strategies.sampled_from("CF"), strategies.sampled_from([1, 2, -1]), strategies.booleans())
def test_gemm_into_out(tw, bounds, how, order, step, has_beta):
    a, b = cut(bounds, how[0], how[2]), cut(bounds, how[1], how[2])
    shape = numpy.matmul(a, b).shape
    whole = numpy.ones([size * abs(step) for size in shape], how[2], order=order)
    out = whole[tuple(slice(None, None, step) for _ in shape)]
    beta = 2 if has_beta else 0
    assert tw.gemm(a, b, out, beta=beta) is out
    bounds.expect_product(out, a, b, numpy.ones(shape, how[2]), 1, beta)


@settings(30)
@hypothesis.given(operand([2, 1], 6, 6), strategies.integers(1, 3), DTYPES, strategies.booleans())
def test_solve(tw, bounds, how, nrhs, dtype, transposed):
    a = cut(bounds, how, dtype) + 9 * numpy.eye(6, dtype=dtype)
    b = bounds.array((*a.shape[:-2], 6, nrhs), dtype)
    matrix = a.swapaxes(-1, -2) if transposed else a
    expected = numpy.linalg.solve(matrix, b)
    numpy.testing.assert_allclose(tw.linalg.solve(a, b, transposed=transposed), expected, atol=ATOL[dtype])


@settings(30)
@hypothesis.given(
    strategies.integers(0, 40), strategies.lists(strategies.integers(0, 3), max_size=2), DTYPES,
    strategies.sampled_from([1, 2, -1, -3]), strategies.sampled_from([1, 3, -2]),
)  # fmt: skip
def test_vectors(tw, bounds, size, lead, dtype, step_x, step_y):
    x = bounds.array((*lead, size * abs(step_x)), dtype)[..., ::step_x]
    y = bounds.array((*lead, size * abs(step_y)), dtype)[..., ::step_y]
    numpy.testing.assert_allclose(tw.vector.dot(x, y), (x * y).sum(-1), atol=ATOL[dtype])
    numpy.testing.assert_allclose(tw.vector.nrm2(x), numpy.linalg.norm(x, axis=-1), atol=ATOL[dtype])
    expected = 2 * x + y
    assert tw.vector.axpy(x, y, 2) is y
    numpy.testing.assert_allclose(y, expected, atol=ATOL[dtype])


@settings(30)
@hypothesis.given(SIZES, SIZES, SIZES, strategies.sampled_from(["csr", "csc", "coo"]),
                  strategies.sampled_from(["f4", "f8"]), strategies.booleans())  # fmt: skip
def test_sparse(tw, bounds, rows, columns, width, form, dtype, transposed):
    sparse = pytest.importorskip("scipy.sparse")
    dense = bounds.array((rows, columns), dtype)
    dense[bounds.random.uniform(size=dense.shape) < 0.6] = 0
    matrix = tw.sparse.Matrix(sparse.coo_matrix(dense).asformat(form))
    b = bounds.array((rows if transposed else columns, width), dtype)
    expected = dense.T if transposed else dense
    bounds.expect_product(matrix.matmul(b, transposed=transposed), expected, b)
    bounds.expect_product(b.T @ (matrix if transposed else matrix.T), b.T, expected.T)


@settings(30)
@hypothesis.given(
    strategies.lists(
        strategies.tuples(strategies.integers(0, 6), strategies.sampled_from([1, 2, -1, -2])), min_size=1, max_size=3
    )
)
def test_copies_of_device_arrays(tw, queue, bounds, axes):
    from pyopencl import array as arrays

    hypothesis.assume(all(size for size, _ in axes))
    host = bounds.array([size * abs(step) for size, step in axes], "f4")
    index = tuple(slice(None, None, step) for _, step in axes)
    assert numpy.array_equal(tw.copy(arrays.to_device(queue, host)[index]).get(), host[index])
