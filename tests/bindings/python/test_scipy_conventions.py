"""The conventions of scipy.linalg: its arguments, its structures, and matrices that are not square."""

import inspect

import numpy
import pytest

scipy = pytest.importorskip("scipy.linalg")


@pytest.mark.parametrize("name", [
    "solve", "inv", "det", "lu_factor", "lu_solve", "cho_factor", "cho_solve", "cholesky", "qr", "lstsq",
    "solve_triangular",
])  # fmt: skip
def test_arguments_are_scipys(tw, name):
    ours, theirs = (set(inspect.signature(getattr(module, name)).parameters) for module in (tw.linalg, scipy))
    assert theirs - {"lwork", "lapack_driver"} <= ours


def test_arguments_have_scipys_effect(tw, bounds):
    a, b = bounds.array((5, 5), "f8") + 3 * numpy.eye(5), bounds.array((5, 2), "f8")
    spd, given = a @ a.T, (a.copy(), b.copy())
    both = {"overwrite_a": True, "overwrite_b": True, "check_finite": True}
    first, second = ({name: True for name in both if name != other} for other in ("overwrite_b", "overwrite_a"))
    found = {
        "solve": tw.linalg.solve(a, b, **both),
        "inv": tw.linalg.inv(a, **first),
        "det": tw.linalg.det(a, **first),
        "lu_solve": tw.linalg.lu_solve(tw.linalg.lu_factor(a, **first), b, **second),
        "cho_solve": tw.linalg.cho_solve(tw.linalg.cho_factor(spd, **first), b, **second),
        "cholesky": tw.linalg.cholesky(spd, **first),
        "solve_triangular": tw.linalg.solve_triangular(a, b, **second),
        "lstsq": tw.linalg.lstsq(a, b, **both)[0],
        "qr": abs(tw.linalg.qr(a, "r", **first, pivoting=False)[0]),
    }
    expected = {
        "solve": scipy.solve(a, b),
        "inv": scipy.inv(a),
        "det": scipy.det(a),
        "lu_solve": scipy.solve(a, b),
        "cho_solve": scipy.solve(spd, b),
        "cholesky": scipy.cholesky(spd),
        "solve_triangular": scipy.solve_triangular(a, b),
        "lstsq": scipy.lstsq(a, b)[0],
        "qr": abs(scipy.qr(a, mode="r")[0]),
    }
    for name, result in found.items():
        numpy.testing.assert_allclose(result, expected[name], atol=1e-11, err_msg=name)
    assert numpy.array_equal(a, given[0]) and numpy.array_equal(b, given[1])
    with pytest.raises(ValueError, match="pivoting"):
        tw.linalg.qr(a, pivoting=True)


@pytest.mark.parametrize("bad", [numpy.nan, numpy.inf])
def test_check_finite(tw, queue, bad):
    a, b = numpy.eye(3), numpy.ones(3)
    wrong_a, wrong_b = a.copy(), b.copy()
    wrong_a[1, 1], wrong_b[1] = bad, bad
    linalg, calls = tw.linalg, []
    for function in (linalg.inv, linalg.det, linalg.slogdet, linalg.lu_factor, linalg.cho_factor, linalg.cholesky,
                     linalg.qr):  # fmt: skip
        calls.append(lambda function=function: function(wrong_a, check_finite=True))
    for function in (linalg.solve, linalg.solve_triangular, linalg.lstsq):
        calls += [
            lambda function=function: function(wrong_a, b, check_finite=True),
            lambda function=function: function(a, wrong_b, check_finite=True),
        ]
    calls += [
        lambda: linalg.lu_solve(linalg.lu_factor(a), wrong_b, check_finite=True),
        lambda: linalg.cho_solve((a, True), wrong_b, check_finite=True),
        lambda: linalg.solve(wrong_a, b, assume_a="pos", check_finite=True),
    ]
    for call in calls:
        with pytest.raises(tw.InvalidValue, match="NaN or infinities"):
            call()
    assert numpy.isnan(tw.linalg.solve(a, numpy.array([numpy.nan, 1, 1]))[0])  # without it, NaN propagates
    arrays = pytest.importorskip("pyopencl.array")
    with pytest.raises(tw.InvalidValue, match="check_finite"):
        tw.linalg.inv(arrays.to_device(queue, a), check_finite=True)


@pytest.mark.parametrize("dtype", ["f8", "c16"])
def test_structures(tw, queue, bounds, dtype):
    a, b = bounds.array((2, 6, 6), dtype), bounds.array((2, 6, 3), dtype)
    for lower in (False, True):
        half = numpy.tril(a) if lower else numpy.triu(a)
        unread = numpy.where(numpy.tril(numpy.ones((6, 6))) if lower else numpy.triu(numpy.ones((6, 6))), a, numpy.nan)
        strict = half - half * numpy.eye(6)
        symmetric = half + strict.swapaxes(1, 2)
        hermitian = strict + strict.conj().swapaxes(1, 2) + (half * numpy.eye(6)).real
        for words, whole in ((("sym", "symmetric"), symmetric), (("her", "hermitian"), hermitian)):
            for word in words:
                x = tw.linalg.solve(unread, b, assume_a=word, lower=lower)
                numpy.testing.assert_allclose(x, numpy.linalg.solve(whole, b), atol=1e-10)
                x = tw.linalg.inv(unread, assume_a=word, lower=lower)
                numpy.testing.assert_allclose(x, numpy.linalg.inv(whole), atol=1e-10)
        x = tw.linalg.inv(half, assume_a="lower triangular" if lower else "upper triangular")
        numpy.testing.assert_allclose(x, numpy.linalg.inv(half), rtol=1e-9, atol=1e-9)
        definite = hermitian + 9 * numpy.eye(6)
        x = tw.linalg.inv(numpy.tril(definite) if lower else numpy.triu(definite), assume_a="pos", lower=lower)
        numpy.testing.assert_allclose(x, numpy.linalg.inv(definite), atol=1e-10)
        triangular = half + 4 * numpy.eye(6)
        word = "lower triangular" if lower else "upper triangular"
        for transposed in (False, True):
            matrix = triangular.swapaxes(1, 2) if transposed else triangular
            x = tw.linalg.solve(triangular, b, assume_a=word, transposed=transposed)
            numpy.testing.assert_allclose(x, numpy.linalg.solve(matrix, b), atol=1e-10)
    with pytest.raises(ValueError, match="assume_a"):
        tw.linalg.solve(a, b, assume_a="banded")
    with pytest.raises(ValueError, match="square"):
        tw.linalg.solve(a[:, 1:], b, assume_a="sym")
    arrays = pytest.importorskip("pyopencl.array")
    with pytest.raises(TypeError, match="host memory"):
        tw.linalg.solve(arrays.to_device(queue, a), arrays.to_device(queue, b), assume_a="sym")


@pytest.mark.parametrize("shape", [(7, 4), (4, 7), (1, 5), (5, 1), (0, 3), (3, 0), (2, 6, 3)])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_lu_of_any_shape(tw, queue, bounds, shape, dtype):
    a = bounds.array(shape, dtype)
    given = [a]
    if a.size:
        given.append(pytest.importorskip("pyopencl.array").to_device(queue, a))
    m, n = shape[-2:]
    for one in given:
        lu, pivots = (part.get() if hasattr(part, "get") else part for part in tw.linalg.lu_factor(one))
        assert lu.shape == shape and pivots.shape == (*shape[:-2], min(m, n))
        for index in numpy.ndindex(*shape[:-2]):
            lower = numpy.tril(lu[index], -1)[:, : min(m, n)] + numpy.eye(m, min(m, n))
            upper = numpy.triu(lu[index])[: min(m, n)]
            rows = a[index].copy()
            for row, other in enumerate(pivots[index]):
                rows[[row, other]] = rows[[other, row]]
            numpy.testing.assert_allclose(lower @ upper, rows, atol=1e-5 if dtype in ("f4", "c8") else 1e-13)
    with pytest.raises(ValueError, match="square"):
        tw.linalg.lu_solve((bounds.array((4, 7), dtype), numpy.arange(4)), bounds.array(4, dtype))
