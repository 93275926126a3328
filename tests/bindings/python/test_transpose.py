"""Transposes in memory."""

import numpy
import pytest


@pytest.mark.parametrize("dtype", ["i1", "f2", "f4", "f8", "c8", "c16", "i8", "?", "M8[s]"])
def test_every_size_of_elements(tw, dtype):
    a = numpy.arange(2 * 5 * 3).reshape(2, 5, 3).astype(dtype)
    result = tw.transpose(a)
    assert result.flags.c_contiguous and numpy.array_equal(result, a.swapaxes(-1, -2))


def test_views_scalars_and_out(tw, bounds):
    whole = bounds.array((9, 12), "f4")
    for a in (whole, whole[2:7, 3:9], whole.T, whole[::2, ::-1], numpy.asfortranarray(whole)):
        out = numpy.zeros((a.shape[1] + 2, a.shape[0]), "f4")[1:-1]
        assert tw.transpose(a, out, alpha=2) is out
        assert numpy.array_equal(out, 2 * a.T)
    assert tw.transpose(whole[:0]).shape == (12, 0)
    for call, kind in [
        (lambda: tw.transpose(whole[0]), ValueError),
        (lambda: tw.transpose(whole, whole), ValueError),
        (lambda: tw.transpose(whole[:4, :4], whole[:4, :4]), ValueError),
        (lambda: tw.transpose(numpy.zeros((2, 2), "S3")), TypeError),
    ]:
        with pytest.raises(kind):
            call()


def test_device_arrays(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    whole = bounds.array((3, 9, 12), "f8")
    device = arrays.to_device(queue, whole)
    assert numpy.array_equal(tw.transpose(device).get(), whole.swapaxes(-1, -2))
    assert numpy.array_equal(tw.transpose(device[1, 2:7, 3:9]).get(), whole[1, 2:7, 3:9].T)
    assert numpy.array_equal(tw.transpose(device[1].T, alpha=3).get(), 3 * whole[1])
    out = arrays.zeros(queue, (3, 12, 9), numpy.float64)
    assert tw.transpose(device, out) is out
    assert numpy.array_equal(out.get(), whole.swapaxes(-1, -2))
