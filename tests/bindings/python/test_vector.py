"""Vector operations against NumPy."""

import numpy
import pytest
from conftest import QUICK


def close(found, expected):
    u = (
        2**-10
        if found.dtype == numpy.float16
        else 2**-20 if found.dtype.itemsize * (found.dtype.kind != "c") == 4 else 0
    )
    u = u or (2**-20 if found.dtype == numpy.complex64 else 2**-50)
    numpy.testing.assert_allclose(found, expected, rtol=0, atol=20 * u)


@pytest.mark.parametrize("dtype", ["f2", "f8", "c8"] if QUICK else ["f2", "f4", "f8", "c8", "c16"])
def test_every_function(tw, bounds, dtype):
    v = tw.vector
    x, y, z = bounds.array((2, 9), dtype), bounds.array((2, 9), dtype), bounds.array((2, 9), dtype)
    alpha = 2 if x.dtype.kind != "c" else 1 + 2j
    for function, expected in (
        (lambda out: v.axpy(x, out, alpha), alpha * x + y),
        (lambda out: v.axpby(x, out, alpha, 0.5), alpha * x + y / 2),
        (lambda out: v.scal(out, alpha), alpha * y),
        (lambda out: v.hadamard(x, z, out, alpha, 0.5), alpha * x * z + y / 2),
        (lambda out: v.hadamard(x, z, out), x * z),
        (lambda out: v.copy(x, out), x),
    ):
        out = y.copy()
        assert function(out) is out
        close(out, expected.astype(dtype))
    a, b = x.copy(), y.copy()
    v.swap(a, b)
    assert numpy.array_equal(a, y) and numpy.array_equal(b, x)
    wide = numpy.complex128 if x.dtype.kind == "c" else numpy.float64
    for summation in ("plain", "compensated"):
        close(v.dot(x, y, summation=summation), (x.astype(wide) * y).sum(-1))
        close(v.dotc(x[0], y[0], summation=summation), numpy.vdot(x[0].astype(wide), y[0]))
    close(v.nrm2(x), numpy.linalg.norm(x.astype(wide), axis=-1))
    close(v.asum(x), (abs(x.real.astype("f8")) + abs(x.imag.astype("f8"))).sum(-1))
    assert numpy.array_equal(v.iamax(x), (abs(x.real) + abs(x.imag)).argmax(-1))


def test_views_and_no_elements(tw, bounds):
    whole = bounds.array((8, 6), "f8")
    x, y = whole[::-2, 1], whole[:4, 2].copy()
    expected = 2 * x + y
    tw.vector.axpy(x, y, 2)
    close(y, expected)
    column = whole[:, 3]
    expected = 3 * column
    tw.vector.scal(column, 3)
    close(whole[:, 3], expected)
    empty = numpy.zeros(0)
    assert tw.vector.dot(empty, empty) == 0 and tw.vector.iamax(empty) == -1
    assert tw.vector.nrm2(numpy.zeros((0, 3))).shape == (0,)
    close(tw.vector.dot(whole, whole[0]), whole @ whole[0])


@pytest.mark.parametrize("lead_x, lead_y", [
    ((1, 3), (2, 3)), ((3, 1), (3, 2)), ((2, 1, 3), (2, 4, 3)), ((3,), (2, 3)), ((1, 1), (2, 3)), ((1,), (2, 0)),
    ((1, 0), (2, 0)),
])  # fmt: skip
@pytest.mark.parametrize("size", [0, 1, 5])
def test_batches_are_broadcast(tw, bounds, lead_x, lead_y, size):
    x, y = bounds.array((*lead_x, size), "f8"), bounds.array((*lead_y, size), "f8")
    close(tw.vector.dot(x, y), (x * y).sum(-1))
    close(tw.vector.hadamard(x, y, numpy.empty_like(y)), x * y)
    expected = 2 * x + y
    close(tw.vector.axpy(x, y, 2), expected)


def test_device_arrays(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    whole = bounds.array((4, 10), "f4")
    device = arrays.to_device(queue, whole)
    close(tw.vector.dot(device, device[0]).get(), whole @ whole[0])
    assert tw.vector.iamax(device[1, ::2]).get() == abs(whole[1, ::2]).argmax()
    close(tw.vector.nrm2(device[1:, 2:7]).get(), numpy.linalg.norm(whole[1:, 2:7], axis=1))
    out = arrays.zeros(queue, (10,), numpy.float32)
    assert tw.vector.axpy(device[2], out, 2) is out
    tw.vector.axpy(device[:, 3][::-1], out[:4])
    expected = 2 * whole[2]
    expected[:4] += whole[::-1, 3]
    close(out.get(), expected)


def test_errors(tw):
    x = numpy.ones(3)
    locked = numpy.ones(3)
    locked.flags.writeable = False
    for call, kind, text in [
        (lambda: tw.vector.axpy(x, numpy.ones(4)), ValueError, "different numbers"),
        (lambda: tw.vector.axpy(x, numpy.ones(3, "f4")), TypeError, "convert"),
        (lambda: tw.vector.axpy(x, locked), ValueError, "read-only"),
        (lambda: tw.vector.axpy(x, [1.0, 2.0, 3.0]), TypeError, "NumPy"),
        (lambda: tw.vector.axpy(numpy.ones((2, 3)), x), ValueError, "leading axes"),
        (lambda: tw.vector.scal(numpy.ones(3), 1j), ValueError, "alpha"),
        (lambda: tw.vector.dot(x, x, summation="exact"), ValueError, "compensated"),
        (lambda: tw.vector.nrm2(1.0), ValueError, "scalar"),
        (lambda: tw.vector.nrm2(numpy.ones(3, "i1")), TypeError, "i8"),
    ]:
        with pytest.raises(kind, match=text):
            call()
