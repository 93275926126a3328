"""QR factorisation and least squares against NumPy and SciPy, in host memory and on pyopencl's arrays."""

import numpy
import pytest
from conftest import QUICK
from test_linalg import TYPES, read, send  # noqa: F401

ROUNDOFF = {"f4": 2**-24, "f8": 2**-53, "c8": 2**-24, "c16": 2**-53}
# Every type needs kernels of its own, whose compilation takes most of the time.
SHAPES = [("f8", shape) for shape in ((7, 7), (9, 4), (4, 9), (1, 1), (6, 1), (1, 6), (130, 33), (33, 130))]
SHAPES += [(dtype, shape) for dtype in ("f4", "c8", "c16") for shape in ((7, 7), (9, 4), (4, 9))]
if QUICK:
    SHAPES = [("f8", shape) for shape in ((9, 4), (4, 9), (1, 6), (130, 33))] + [("f4", (9, 4)), ("c16", (9, 4))]


def adjoint(a):
    return a.conj().swapaxes(-1, -2)


def norms(a):
    """Returns the 1-norms of matrices."""
    return abs(a).sum(axis=-2).max(axis=-1, initial=0)


def expect_factors(q, r, a, dtype):
    """Requires LAPACK's thresholds."""
    limit = 30 * max(a.shape[-2:]) * ROUNDOFF[dtype]
    assert (norms(q @ r - a) <= limit * norms(a)).all()
    assert (norms(adjoint(q) @ q - numpy.eye(q.shape[-1])) <= limit).all()
    assert not numpy.tril(r, -1).any()
    assert not numpy.diagonal(r, axis1=-2, axis2=-1).imag.any()


@pytest.mark.parametrize("dtype, shape", SHAPES)
def test_qr(tw, bounds, send, dtype, shape):  # noqa: F811
    m, n, k = *shape, min(shape)
    a = bounds.array(shape, dtype)
    wide = a.astype("c16" if a.dtype.kind == "c" else "f8")
    q, r = (read(part) for part in tw.linalg.qr(send(a)))
    assert q.shape == (m, m) and r.shape == (m, n) and q.dtype == r.dtype == a.dtype
    expect_factors(q, r, wide, dtype)
    economic_q, economic_r = (read(part) for part in tw.linalg.qr(send(a), mode="economic"))
    assert economic_q.shape == (m, k) and economic_r.shape == (k, n)
    expect_factors(economic_q, economic_r, wide, dtype)
    (only_r,) = tw.linalg.qr(send(a), mode="r")
    assert numpy.array_equal(read(only_r), r)
    (factors, tau), raw_r = tw.linalg.qr(send(a), mode="raw")
    assert read(factors).shape == shape and read(tau).shape == (k,)
    assert numpy.array_equal(read(raw_r), economic_r)
    assert numpy.array_equal(numpy.triu(read(factors))[:k], economic_r)


def test_qr_of_batches_and_views(tw, bounds, send):  # noqa: F811
    a = bounds.array((2, 3, 8, 5), "f8")
    for mode in ("full", "economic"):
        expect_factors(*(read(part) for part in tw.linalg.qr(send(a), mode)), a, "f8")
        wide = adjoint(a)
        expect_factors(*(read(part) for part in tw.linalg.qr(send(wide), mode)), wide, "f8")
    for view in (a[0, :, ::-2, 1:4], numpy.asfortranarray(a[1, 1]), a[:, ::-1, ::2]):
        before = view.copy()
        expect_factors(*tw.linalg.qr(view), view, "f8")
        assert numpy.array_equal(view, before)


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 3), (2, 0, 3), (0, 3, 2), (2, 3, 0)])
def test_qr_without_elements(tw, send, shape):  # noqa: F811
    a = numpy.zeros(shape)
    for mode, numpys in (("full", "complete"), ("economic", "reduced")):
        for part, expected in zip(tw.linalg.qr(send(a), mode), numpy.linalg.qr(a, numpys)):
            assert part.shape == expected.shape
            assert not expected.size or (read(part) == abs(expected)).all()
    (factors, tau), r = tw.linalg.qr(send(a), "raw")
    lead, k = shape[:-2], min(shape[-2:])
    assert factors.shape == shape and tau.shape == (*lead, k) and r.shape == (*lead, k, shape[-1])


def test_qr_is_that_of_scipy(tw, bounds):
    linalg = pytest.importorskip("scipy.linalg")
    for shape in ((6, 4), (4, 6)):
        a = bounds.array(shape, "f8")
        for mode in ("full", "economic", "r"):
            found, expected = tw.linalg.qr(a, mode), linalg.qr(a, mode=mode)
            assert len(found) == len(expected)
            for part, other in zip(found, expected):
                assert part.shape == other.shape
                numpy.testing.assert_allclose(abs(part), abs(other), atol=1e-13)
        (factors, tau), r = tw.linalg.qr(a, "raw")
        (other, other_tau), other_r = linalg.qr(a, mode="raw")
        assert factors.shape == other.shape and tau.shape == other_tau.shape and r.shape == other_r.shape
        q, _, info = linalg.lapack.dorgqr(numpy.asfortranarray(factors[:, : len(tau)]), tau)
        assert info == 0
        numpy.testing.assert_allclose(q @ r, a, atol=1e-13)


def expect_least(tw, send, a, b, dtype):  # noqa: F811
    """Compares a solution with NumPy's, within the bound for a matrix A + E."""
    m, n = a.shape[-2:]
    x, residues, rank, s = tw.linalg.lstsq(send(a), send(b))
    x, residues = read(x), read(residues)
    assert s is None and rank in (min(m, n), None)
    wide = "c16" if a.dtype.kind == "c" else "f8"
    exact = numpy.linalg.pinv(a.astype(wide)) @ b.astype(wide)
    assert x.shape == exact.shape and x.dtype == a.dtype
    scale = numpy.linalg.cond(a.astype(wide)).max() ** 2 * max(m, n) * max(1, abs(exact).max(), abs(b).max())
    numpy.testing.assert_allclose(x, exact, rtol=0, atol=30 * scale * ROUNDOFF[dtype])
    if m <= n:
        assert residues.shape == (0,)
        return
    squares = (abs(b - a.astype(wide) @ exact) ** 2).sum(axis=-2 if b.ndim > 1 else -1)
    assert residues.shape == squares.shape and residues.dtype == abs(a).dtype
    numpy.testing.assert_allclose(residues, squares, rtol=0, atol=30 * scale * m * ROUNDOFF[dtype])


@pytest.mark.parametrize("dtype, shape", SHAPES)
def test_lstsq(tw, bounds, send, dtype, shape):  # noqa: F811
    m, n = shape
    a = bounds.array(shape, dtype) + 4 * numpy.eye(m, n, dtype=dtype)
    expect_least(tw, send, a, bounds.array((m, 3), dtype), dtype)
    expect_least(tw, send, a, bounds.array(m, dtype), dtype)


def test_lstsq_of_batches_views_and_integers(tw, bounds, send):  # noqa: F811
    for m, n in ((7, 3), (3, 7)):
        a, b = bounds.array((2, 3, m, n), "f8"), bounds.array((2, 3, m, 2), "f8")
        expect_least(tw, send, a, b, "f8")
    same = lambda array: array  # noqa: E731
    expect_least(tw, same, a[0, 0].T[::-1], b[0, 0, 0].repeat(4)[:7], "f8")
    expect_least(tw, same, numpy.asfortranarray(a[0, 0]), b[1, 0], "f8")
    x, residues, rank, _ = tw.linalg.lstsq(a[0], b[0, 0, :, 0])
    assert x.shape == (3, 7) and residues.shape == (0,) and rank == 3
    x, _, _, _ = tw.linalg.lstsq([[1, 0], [0, 2], [0, 0]], [3, 4, 5])
    numpy.testing.assert_allclose(x, [3, 2], atol=1e-14)


@pytest.mark.parametrize("m, n, nrhs", [(0, 3, 2), (3, 0, 2), (4, 2, 0), (2, 4, 0), (0, 0, 1)])
def test_lstsq_without_elements(tw, send, m, n, nrhs):  # noqa: F811
    x, residues, _, _ = tw.linalg.lstsq(send(numpy.ones((m, n))), send(numpy.full((m, nrhs), 2.0)))
    assert x.shape == (n, nrhs) and not read(x).any()
    assert residues.shape == ((nrhs,) if m > n else (0,))
    if m > n and nrhs:
        numpy.testing.assert_allclose(read(residues), 4 * m)


@pytest.mark.parametrize("dtype", ["f8"] if QUICK else TYPES)
def test_lstsq_of_deficient_matrices(tw, bounds, dtype):
    a = bounds.array((9, 4), dtype)
    a[:, 2] = a[:, 0] - 2 * a[:, 1]
    for matrix in (a, a.T.copy(), numpy.zeros((3, 3), dtype), numpy.stack([numpy.eye(9, 4, dtype=dtype), a])):
        text = "matrix 1 does not have full rank" if matrix.ndim == 3 else "the matrix does not have full rank"
        with pytest.raises(numpy.linalg.LinAlgError, match=text) as problem:
            tw.linalg.lstsq(matrix, numpy.ones(matrix.shape[-2], dtype))
        assert isinstance(problem.value, tw.Error) and problem.value.code == "singular"
    steep = numpy.diag(numpy.array([1, 1e-3], dtype))
    assert tw.linalg.lstsq(steep, numpy.ones(2, dtype))[2] == 2
    with pytest.raises(tw.linalg.LinAlgError, match="0.001"):
        tw.linalg.lstsq(steep, numpy.ones(2, dtype), cond=1e-2)


def test_nan_propagates(tw):
    a = numpy.full((3, 2), numpy.nan)
    assert numpy.isnan(tw.linalg.qr(a)[0]).any()
    (r,) = tw.linalg.qr(a, "r")
    assert not numpy.tril(r, -1).any()
    assert numpy.isnan(tw.linalg.lstsq(a, numpy.ones(3))[0]).all()


def test_errors(tw):
    for call, kind, text in [
        (lambda: tw.linalg.qr(numpy.ones(3)), ValueError, "two axes"),
        (lambda: tw.linalg.qr(numpy.eye(3), "complete"), ValueError, "mode"),
        (lambda: tw.linalg.qr(numpy.eye(3), ["full"]), ValueError, "mode"),
        (lambda: tw.linalg.qr(numpy.eye(3, dtype="f2")), TypeError, "float16"),
        (lambda: tw.linalg.lstsq(numpy.ones((3, 2)), numpy.ones(2)), ValueError, "3 rows"),
        (lambda: tw.linalg.lstsq(numpy.ones((3, 2)), 1.0), ValueError, "3 rows"),
    ]:
        with pytest.raises(kind, match=text):
            call()
