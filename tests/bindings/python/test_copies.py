"""Copies of arrays with any strides, and products of the copies."""

import numpy
import pytest

SLICES = [slice(None), slice(None, None, 2), slice(None, None, -1), slice(-2, 1, -3), slice(1, 5), slice(3, 4)]


def test_copies_on_a_device(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    host = bounds.array((7, 8), "f4")
    device = arrays.to_device(queue, host)
    for rows in SLICES:
        for columns in SLICES:
            for turn in (False, True):
                a, part = host[rows, columns], device[rows, columns]
                a, part = (a.T, part.T) if turn else (a, part)
                found = tw.copy(part)
                assert found.flags.c_contiguous and found.events
                assert numpy.array_equal(found.get(), a)
    assert numpy.array_equal(device.get(), host)


@pytest.mark.parametrize("dtype", ["u1", "f2", "i4", "f4", "i8", "f8", "c8", "c16"])
def test_more_axes_and_dtypes(tw, queue, bounds, dtype):
    arrays = pytest.importorskip("pyopencl.array")
    host = numpy.arange(3 * 4 * 5 * 6).reshape(3, 4, 5, 6).astype(dtype)
    device = arrays.to_device(queue, host)
    for index in (
        (slice(None, None, -1), slice(None), slice(None, None, -1), slice(None, None, 2)),
        (slice(None, None, -2), slice(None, None, -1), slice(None, None, -1), slice(None, None, -1)),
        (1, slice(None, None, 3), slice(None, None, 2), slice(None, None, 3)),
        (0, 1, 2, slice(None, None, -1)),
    ):
        assert numpy.array_equal(tw.copy(device[index]).get(), host[index])


def test_copies_into_views(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    host = bounds.array((4, 5), "f8")
    device = arrays.to_device(queue, host)
    for rows, columns in ((slice(0, 8, 2), slice(0, 10, 2)), (slice(3, None, -1), slice(9, 4, -1))):
        whole, expected = arrays.zeros(queue, (8, 10), numpy.float64), numpy.zeros((8, 10))
        part = whole[rows, columns]
        assert tw.copy(device[::-1], part) is part
        expected[rows, columns] = host[::-1]
        assert numpy.array_equal(whole.get(), expected)
    with pytest.raises(ValueError) as problem:
        tw.copy(device[:2], device[1:3])
    assert problem.value.code == "overlapping_operands"
    with pytest.raises(ValueError, match="out has the shape"):
        tw.copy(device, device.T)


def test_bits_do_not_change(tw, queue):
    arrays = pytest.importorskip("pyopencl.array")
    bits = numpy.array([0x7FA00001, 0xFFC12345, 0x00000001, 0x80000000], "u4")
    assert numpy.array_equal(tw.copy(arrays.to_device(queue, bits)[::-1]).get(), bits[::-1])
    assert numpy.array_equal(tw.copy(arrays.to_device(queue, bits.view("f4"))[::-1]).get().view("u4"), bits[::-1])


def test_empty_arrays_and_host_arrays(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    assert tw.copy(arrays.zeros(queue, (0, 3), numpy.float32)).shape == (0, 3)
    a = bounds.array((4, 6), "f4")
    found = tw.copy(a[::-1, ::2])
    assert numpy.array_equal(found, a[::-1, ::2]) and found.flags.c_contiguous and found.flags.owndata
    out = numpy.zeros((4, 3), "f4")
    assert tw.copy(a[:, ::2], out) is out and numpy.array_equal(out, a[:, ::2])
    with pytest.raises(ValueError, match="shares elements"):
        tw.copy(a[:3], a[1:])
    with pytest.raises(TypeError, match="24 bytes"):
        tw.copy(arrays.zeros(queue, 3, numpy.dtype([("a", "f8"), ("b", "c16")])))


def test_functions_refuse_gaps_and_name_the_copy(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    host = bounds.array((8, 8), "f4")
    part = arrays.to_device(queue, host)[::-2, ::2]
    with pytest.raises(ValueError, match=r"tilewright\.copy\(\)"):
        tw.matmul(part, part)
    copied = tw.copy(part)
    bounds.expect_product(tw.matmul(copied, copied).get(), host[::-2, ::2], host[::-2, ::2])


@pytest.mark.parametrize("trans_a", [False, "T", "C"])
@pytest.mark.parametrize("trans_b", [False, "T", "C"])
def test_conjugate_transposes_in_either_order(tw, queue, bounds, trans_a, trans_b):
    arrays = pytest.importorskip("pyopencl.array")
    operation = {False: lambda x: x, "T": lambda x: x.swapaxes(-1, -2), "C": lambda x: x.conj().swapaxes(-1, -2)}
    a, b = bounds.array((2, 5, 5), "c8"), bounds.array((2, 5, 5), "c8")
    swap_a, swap_b = (arrays.to_device(queue, x).transpose((0, 2, 1)) for x in (a, b))
    for left, host_left in ((arrays.to_device(queue, a), a), (swap_a, a.swapaxes(1, 2))):
        for right, host_right in ((arrays.to_device(queue, b), b), (swap_b, b.swapaxes(1, 2))):
            expected = operation[trans_a](host_left), operation[trans_b](host_right)
            if trans_a == trans_b == "C" and (left is swap_a) != (right is swap_b):
                with pytest.raises(ValueError, match=r"tilewright\.copy\(\)"):
                    tw.gemm(left, right, trans_a="C", trans_b="C")
                left = tw.copy(left)
                right = tw.copy(right)
            found = tw.gemm(left, right, trans_a=trans_a, trans_b=trans_b)
            bounds.expect_product(found.get(), *expected)
