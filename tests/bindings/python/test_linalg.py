"""Linear algebra against NumPy and SciPy, in host memory and on pyopencl's arrays."""

import numpy
import pytest
from conftest import QUICK

TYPES = ["f4", "c16"] if QUICK else ["f4", "f8", "c8", "c16"]  # each type compiles kernels of its own
ROUNDOFF = {"f4": 2**-24, "f8": 2**-53, "c8": 2**-22, "c16": 2**-51}


@pytest.fixture(params=["host", "pyopencl"])
def send(request):
    """Returns how an array is passed, and how a result is read."""
    if request.param == "host":
        return lambda array: array
    queue = request.getfixturevalue("queue")
    arrays = pytest.importorskip("pyopencl.array")
    return lambda array: arrays.to_device(queue, numpy.ascontiguousarray(array))


def read(array):
    return numpy.asarray(array.get() if hasattr(array, "get") else array)


def definite(a):
    return a @ a.conj().swapaxes(-1, -2) + 4 * numpy.eye(a.shape[-1], dtype=a.dtype)


def close(found, expected, dtype, factor=500):
    assert found.shape == expected.shape
    size = abs(expected).max() if expected.size else 1
    numpy.testing.assert_allclose(found, expected, rtol=0, atol=factor * ROUNDOFF[dtype] * max(size, 1))


@pytest.mark.parametrize("dtype", TYPES)
def test_lu(tw, bounds, send, dtype):
    a = bounds.array((2, 7, 7), dtype) + 3 * numpy.eye(7, dtype=dtype)
    b = bounds.array((2, 7, 3), dtype)
    close(read(tw.linalg.solve(send(a), send(b))), numpy.linalg.solve(a, b), dtype)
    close(read(tw.linalg.solve(send(a[0]), send(b[0, :, 0]))), numpy.linalg.solve(a[0], b[0, :, 0]), dtype)
    close(read(tw.linalg.inv(send(a))), numpy.linalg.inv(a), dtype)
    close(read(tw.linalg.det(send(a[0]))), numpy.linalg.det(a[0]), dtype)
    sign, logarithm = tw.linalg.slogdet(send(a))
    expected = numpy.linalg.slogdet(a)
    close(read(sign), expected[0], dtype)
    close(read(logarithm).real, expected[1], dtype)
    lu, pivots = tw.linalg.lu_factor(send(a))
    for trans, matrix in ((0, a), ("T", a.swapaxes(-1, -2)), (2, a.conj().swapaxes(-1, -2))):
        x = tw.linalg.lu_solve((lu, pivots), send(b), trans)
        close(read(x), numpy.linalg.solve(matrix, b), dtype)
    close(read(tw.linalg.solve(send(a), send(b), transposed=True)), numpy.linalg.solve(a.swapaxes(-1, -2), b), dtype)


@pytest.mark.parametrize("dtype", TYPES)
def test_cholesky(tw, bounds, send, dtype):
    a, b = definite(bounds.array((2, 6, 6), dtype)), bounds.array((2, 6, 2), dtype)
    for lower in (False, True):
        factor = tw.linalg.cho_factor(send(a), lower=lower)
        assert factor[1] is lower
        close(read(tw.linalg.cho_solve(factor, send(b))), numpy.linalg.solve(a, b), dtype)
        half = numpy.tril(a) if lower else numpy.triu(a)
        x = tw.linalg.solve(send(half), send(b), assume_a="pos", lower=lower)
        close(read(x), numpy.linalg.solve(a, b), dtype)
        expected = numpy.linalg.cholesky(a)
        expected = expected if lower else expected.conj().swapaxes(-1, -2)
        found = read(tw.linalg.cholesky(send(half), lower=lower))
        close(found, expected, dtype)
        assert numpy.array_equal(found, numpy.tril(found) if lower else numpy.triu(found))
        other = numpy.triu(numpy.ones((6, 6)), 1) if lower else numpy.tril(numpy.ones((6, 6)), -1)
        unread = numpy.where(other, numpy.nan, a).astype(dtype)
        close(read(tw.linalg.cholesky(send(unread), lower=lower)), expected, dtype)


@pytest.mark.parametrize("dtype", TYPES)
def test_triangular(tw, bounds, send, dtype):
    a, b = bounds.array((2, 6, 6), dtype) + 4 * numpy.eye(6, dtype=dtype), bounds.array((2, 6, 2), dtype)
    for lower in (False, True):
        for unit in (False, True):
            half = numpy.tril(a) if lower else numpy.triu(a)
            if unit:
                half = half - half * numpy.eye(6) + numpy.eye(6)
            for trans, matrix in ((0, half), (1, half.swapaxes(-1, -2)), ("C", half.conj().swapaxes(-1, -2))):
                x = tw.linalg.solve_triangular(send(a), send(b), trans, lower=lower, unit_diagonal=unit)
                close(read(x), numpy.linalg.solve(matrix, b), dtype, 5000)


def test_conventions_are_those_of_scipy(tw, bounds):
    linalg = pytest.importorskip("scipy.linalg")
    a, b = bounds.array((5, 5), "f8"), bounds.array(5, "f8")
    lu, pivots = tw.linalg.lu_factor(a)
    expected = linalg.lu_factor(a)
    close(lu, expected[0], "f8")
    assert numpy.array_equal(pivots, expected[1])
    close(tw.linalg.lu_solve(expected, b), linalg.lu_solve(expected, b), "f8")
    close(linalg.lu_solve((lu, pivots), b), linalg.solve(a, b), "f8")
    s = definite(a)
    close(linalg.cho_solve(tw.linalg.cho_factor(s), b), linalg.solve(s, b), "f8")
    close(tw.linalg.cho_solve(linalg.cho_factor(s), b), linalg.solve(s, b), "f8")
    close(tw.linalg.solve_triangular(a, b, 1), linalg.solve_triangular(a, b, 1), "f8", 5000)


def test_pivots_with_any_strides(tw, bounds, send):
    a, b = bounds.array((2, 3, 6, 6), "f8"), bounds.array((2, 3, 6, 2), "f8")
    lu, pivots = (read(part) for part in tw.linalg.lu_factor(send(a)))
    wide = numpy.zeros((4, 3, 12), pivots.dtype)
    wide[::2, :, ::2] = pivots
    reversed_rows = numpy.ascontiguousarray(pivots[:, ::-1])
    forms = [wide[::2, :, ::2], reversed_rows[:, ::-1], numpy.asfortranarray(pivots)]
    for form in forms:
        close(tw.linalg.lu_solve((lu, form), b), numpy.linalg.solve(a, b), "f8")
    same = numpy.broadcast_to(lu[1, 2], lu.shape)
    for one in (pivots[1, 2], numpy.broadcast_to(pivots[1, 2], pivots.shape)):
        close(tw.linalg.lu_solve((same, one), b), numpy.linalg.solve(a[1, 2], b), "f8")
    sent = send(wide)[::2, :, ::2]
    close(read(tw.linalg.lu_solve((send(lu), sent), send(b))), numpy.linalg.solve(a, b), "f8")


def test_views_broadcasting_and_integers(tw, bounds):
    a, b = bounds.array((9, 8), "f8")[1:8, :7].T, bounds.array((3, 7, 4), "f8")[:, :, ::2]
    a = a + 3 * numpy.eye(7)
    close(tw.linalg.solve(numpy.asfortranarray(a), b), numpy.linalg.solve(a, b), "f8")
    close(tw.linalg.solve_triangular(a, b[0, :, 0]), numpy.linalg.solve(numpy.triu(a), b[0, :, 0]), "f8")
    integers = numpy.array([[2, 1], [1, 3]])
    close(tw.linalg.inv(integers), numpy.linalg.inv(integers), "f8")
    x = tw.linalg.solve(numpy.stack([a, 2 * a]), b[0, :, 0])
    assert x.shape == (2, 7)
    for empty in (numpy.zeros((0, 0)), numpy.zeros((0, 3, 3))):
        assert tw.linalg.inv(empty).shape == empty.shape
        assert tw.linalg.det(empty).shape == empty.shape[:-2]
        assert tw.linalg.lu_factor(empty)[1].shape == empty.shape[:-1]
    assert tw.linalg.solve(integers, numpy.zeros((2, 0))).shape == (2, 0)


def test_singular_matrices(tw):
    singular = numpy.array([[1.0, 2.0], [2.0, 4.0]])
    indefinite = numpy.array([[1.0, 2.0], [2.0, 1.0]])
    b = numpy.ones(2)
    for call, text in [
        (lambda: tw.linalg.solve(singular, b), "singular: element 2"),
        (lambda: tw.linalg.inv(numpy.stack([numpy.eye(2), singular])), "matrix 1 is singular"),
        (lambda: tw.linalg.cho_factor(indefinite), "order 2"),
        (lambda: tw.linalg.solve(indefinite, b, assume_a="pos"), "order 2"),
        (lambda: tw.linalg.solve_triangular(numpy.tril(singular, -1), b, lower=True), "element 0"),
    ]:
        with pytest.raises(numpy.linalg.LinAlgError, match=text) as problem:
            call()
        assert isinstance(problem.value, tw.Error)
    with pytest.warns(RuntimeWarning, match="singular"):
        tw.linalg.lu_factor(singular)
    assert tw.linalg.slogdet(singular) == (0, -numpy.inf)
    assert tw.linalg.det(singular) == 0


def test_errors(tw):
    a, b = numpy.eye(3), numpy.ones(3)
    for call, kind, text in [
        (lambda: tw.linalg.inv(numpy.ones((2, 3))), ValueError, "square"),
        (lambda: tw.linalg.solve(a, numpy.ones(4)), ValueError, "3 rows"),
        (lambda: tw.linalg.inv(a.astype("f2")), TypeError, "float16"),
        (lambda: tw.linalg.solve(a, b, assume_a="banded"), ValueError, "assume_a"),
        (lambda: tw.linalg.lu_solve((a, numpy.array([0, 1, 9])), b), ValueError, "pivot"),
        (lambda: tw.linalg.lu_solve((a, numpy.arange(3)), b, trans=3), ValueError, "trans"),
    ]:
        with pytest.raises(kind, match=text):
            call()


def test_errors_of_device_arrays(tw, queue):
    arrays = pytest.importorskip("pyopencl.array")
    a = arrays.to_device(queue, numpy.eye(3))
    with pytest.raises(ValueError, match="leading axes"):
        tw.linalg.solve(a, arrays.zeros(queue, (2, 3, 1), numpy.float64))
    with pytest.raises(TypeError, match="host memory"):
        tw.linalg.solve(a, numpy.ones(3))


def gamma(count, dtype):
    u = 2**-24 if dtype == "f4" else 2**-53
    return count * u / (1 - count * u)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_residuals_are_within_the_documented_bounds(tw, bounds, dtype):
    n, wide = 37, numpy.longdouble
    a, b = bounds.array((n, n), dtype), bounds.array((n, 5), dtype)
    lu, pivots = tw.linalg.lu_factor(a)
    rows = numpy.arange(n)
    for row, other in enumerate(pivots):
        rows[[row, other]] = rows[[other, row]]
    lower, upper = (numpy.tril(lu, -1) + numpy.eye(n)).astype(wide), numpy.triu(lu).astype(wide)
    size = abs(lower) @ abs(upper)
    assert (abs(a[rows] - lower @ upper) <= gamma(n + 4, dtype) * size).all()
    x = tw.linalg.lu_solve((lu, pivots), b).astype(wide)
    bound = gamma(n + 4, dtype) * (4 * size @ abs(x) + abs(b[rows]))
    assert (abs(lower @ upper @ x - b[rows]) <= bound).all()
    for trans, matrix in ((0, upper), (1, upper.T)):
        x = tw.linalg.solve_triangular(lu, b, trans).astype(wide)
        assert (abs(matrix @ x - b) <= gamma(n + 4, dtype) * (abs(matrix) @ abs(x) + abs(b))).all()
    s = definite(a)
    factor = tw.linalg.cholesky(s, lower=True).astype(wide)
    assert (abs(factor @ factor.T - s) <= gamma(n + 3, dtype) * (abs(factor) @ abs(factor.T))).all()
    sign, logarithm = tw.linalg.slogdet(a)
    diagonal = numpy.diagonal(upper)
    exact = numpy.log(abs(diagonal)).sum()
    u = 2**-24 if dtype == "f4" else 2**-53
    assert abs(logarithm - exact) <= 2 * u * (n + 4) * (1 + abs(numpy.log(abs(diagonal))).sum())
    assert sign == numpy.linalg.slogdet(a)[0]


@pytest.mark.parametrize("shape", [(0, 0), (3, 0, 0), (0, 2, 2)])
@pytest.mark.parametrize("dtype", ["f4", "c16"])
def test_determinants_without_elements(tw, shape, dtype):
    a = numpy.zeros(shape, dtype)
    found, expected = tw.linalg.slogdet(a), numpy.linalg.slogdet(a)
    for part, wanted in ((found.sign, expected[0]), (found.logabsdet, expected[1])):
        assert part.dtype == wanted.dtype and numpy.array_equal(part, wanted)
    assert numpy.array_equal(tw.linalg.det(a), numpy.linalg.det(a))


@pytest.mark.parametrize("shape", [(0, 0), (3, 0, 0), (0, 2, 2)])
def test_determinants_without_elements_on_a_device(tw, queue, shape):
    arrays = pytest.importorskip("pyopencl.array")
    a = numpy.zeros(shape)
    device = arrays.to_device(queue, a)
    for found, wanted in zip(
        (*tw.linalg.slogdet(device), tw.linalg.det(device)), (*numpy.linalg.slogdet(a), numpy.linalg.det(a))
    ):
        assert numpy.array_equal(found.get(), wanted)
