"""Arrays and arguments that are unusual or wrong."""

import gc

import numpy
import pytest


class Subclass(numpy.ndarray):
    pass


@pytest.mark.parametrize("shape_a, shape_b", [
    ((3, 4), (4,)), ((4,), (4, 2)), ((4,), (4,)), ((2, 3, 4), (4,)), ((4,), (2, 4, 3)), ((0, 4), (4,)), ((3, 0), (0,)),
])  # fmt: skip
def test_out_of_products_with_vectors(tw, bounds, shape_a, shape_b):
    a, b = bounds.array(shape_a, "f8"), bounds.array(shape_b, "f8")
    expected = numpy.matmul(a, b)
    wide = numpy.full(tuple(2 * size for size in expected.shape), numpy.nan)
    for out in (numpy.full(expected.shape, numpy.nan), wide[(..., *(slice(None, None, -2) for _ in expected.shape))]):
        assert tw.matmul(a, b, out) is out
        numpy.testing.assert_allclose(out, expected, atol=1e-14)
    with pytest.raises(ValueError, match="out has the shape"):
        tw.matmul(a, b, numpy.zeros((*expected.shape, 1)))


def test_out_of_products_with_vectors_on_a_device(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    for shape_a, shape_b in (((3, 4), (4,)), ((4,), (4, 2)), ((4,), (4,)), ((4,), (2, 4, 3))):
        a, b = bounds.array(shape_a, "f8"), bounds.array(shape_b, "f8")
        expected = numpy.matmul(a, b)
        out = arrays.zeros(queue, expected.shape, numpy.float64)
        assert tw.matmul(arrays.to_device(queue, a), arrays.to_device(queue, b), out) is out
        numpy.testing.assert_allclose(out.get(), expected, atol=1e-14)


@pytest.mark.parametrize("kind", [list, tuple, int, str, numpy.float64, numpy.ma.array])
def test_out_is_an_array(tw, kind):
    a = numpy.eye(2)
    out = kind(a) if kind in (list, tuple, numpy.ma.array) else kind(1)
    for call in (
        lambda: tw.gemm(a, a, out),
        lambda: tw.matmul(a, a, out),
        lambda: tw.matmul(a, a[0], out),
        lambda: tw.transpose(a, out),
        lambda: tw.Plan((2, 2), (2, 2), "f8")(a, a, out),
        lambda: tw.vector.scal(out, 2),
    ):
        with pytest.raises(tw.InvalidType, match="is written, so it must be an array"):
            call()


def test_byte_order(tw, bounds):
    a, b = bounds.array((3, 4), "f8"), bounds.array((4, 2), "f8")
    for left, right in ((a.astype(">f8"), b.astype(">f8")), (a.astype(">f8"), b), (a, b.astype(">f8"))):
        result = tw.matmul(left, right)
        assert result.dtype.isnative
        bounds.expect_product(result, a, b)
    assert tw.vector.nrm2(numpy.array([3.0, 4.0], ">f8")) == 5
    assert numpy.array_equal(tw.transpose(a.astype(">f8")), a.T)
    with pytest.raises(TypeError, match="alpha must be 1"):
        tw.transpose(a.astype(">f8"), alpha=2)
    with pytest.raises(TypeError, match="byte order"):
        tw.vector.scal(a.astype(">f8"), 2)
    with pytest.raises(TypeError, match=">f8"):
        tw.matmul(a, b, numpy.zeros((3, 2), ">f8"))


def test_subclasses_count_as_plain_arrays(tw, bounds):
    a, b = bounds.array((3, 3), "f8") + 3 * numpy.eye(3), bounds.array((3, 2), "f8")
    for kind in (Subclass, numpy.matrix):
        for result in (tw.matmul(a.view(kind), b.view(kind)), tw.matmul(a.T.copy().T.view(kind), b)):
            assert type(result) is numpy.ndarray
            bounds.expect_product(result, a, b)
        out = numpy.zeros((3, 2)).view(kind)
        assert tw.matmul(a, b, out, progress=lambda done: None) is out
        bounds.expect_product(numpy.asarray(out), a, b)
        assert tw.linalg.solve_triangular(a.view(kind), b[:, 0]).shape == (3,)


def test_types_without_a_product(tw):
    two = numpy.eye(2)
    for a in (two.astype(bool), two.astype("i8"), two.astype("g"), [[2**70, 1], [1, 1]], None, [["a", "b"]] * 2):
        with pytest.raises(tw.InvalidType, match="dtype"):
            tw.matmul(a, a)
    for a in (2.0, numpy.float32(2), numpy.array(2)):
        with pytest.raises(tw.InvalidValue, match="ax[ie]s"):
            tw.matmul(a, two)
    assert tw.matmul(two.astype(bool), two.astype("f4")).dtype == numpy.float32


def test_scalars_that_are_no_numbers(tw):
    two = numpy.eye(2)
    for alpha, kind in (
        (None, tw.InvalidType),
        ([1], tw.InvalidType),
        ("x", tw.InvalidType),
        (10**400, tw.InvalidValue),
    ):
        with pytest.raises(kind, match="alpha"):
            tw.gemm(two, two, alpha=alpha)
    for options in ({"variant": 3}, {"configuration": [1]}):
        with pytest.raises(tw.InvalidType, match="variant must be"):
            tw.gemm(two, two, **options)


def test_outputs_that_overlap(tw, bounds):
    whole = bounds.array((8, 8), "f8")
    before = whole.copy()
    for call in (
        lambda: tw.gemm(whole[:4, :4], whole[4:, 4:], whole[2:6, 2:6]),
        lambda: tw.gemm(whole[4:, 4:], whole[:4, :4], whole[3::-1, 3::-1]),
        lambda: tw.transpose(whole[:4], whole[:, 1:5]),
        lambda: tw.matmul(whole, whole[0], whole[:, 3]),
        lambda: tw.vector.swap(whole[0, :5], whole[0, 3:]),
    ):
        with pytest.raises(ValueError, match="shares elements"):
            call()
    assert numpy.array_equal(whole, before)
    whole.flags.writeable = False
    for call in (lambda: tw.gemm(before, before, whole), lambda: tw.transpose(before, whole)):
        with pytest.raises(ValueError, match="read-only"):
            call()


def test_conjugated_views(tw, bounds):
    whole = bounds.array((6, 8), "c8")
    a, b = whole[::-2, ::2], whole.T[::2, ::-3]
    bounds.expect_product(tw.matmul(a.conj(), b), a.conj(), b)
    bounds.expect_product(tw.gemm(b, a, trans_a="C", trans_b="C"), b.conj().T, a.conj().T)
    bounds.expect_product(tw.matmul(a.real, b.imag), a.real, b.imag)


def test_pivots_are_integers_of_the_right_shape(tw):
    a, b = numpy.eye(2), numpy.ones(2)
    for pivots, kind in (
        (numpy.array([0.5, 1.0]), TypeError),
        (numpy.array([numpy.nan, 1]), TypeError),
        (numpy.arange(3), ValueError),
    ):
        with pytest.raises(kind, match="the pivots have") as problem:
            tw.linalg.lu_solve((a, pivots), b)
        assert isinstance(problem.value, tw.Error)


def test_progress(tw, bounds):
    a, b = bounds.array((4, 3), "f8"), bounds.array((3, 5), "f8")
    for answer in (True, numpy.True_):
        with pytest.raises(tw.Error, match="cancelled"):
            tw.matmul(a, b, progress=lambda done, answer=answer: answer)
    for kind in (KeyboardInterrupt, SystemExit, ZeroDivisionError):

        def stop(done, kind=kind):
            raise kind("stop")

        with pytest.raises(kind, match="stop"):
            tw.matmul(a, b, progress=stop)
        bounds.expect_product(tw.matmul(a, b, progress=lambda done: None), a, b)
    unaligned = numpy.frombuffer(bytearray(161), "u1")[1:].view("f8").reshape(4, 5)
    for out in (unaligned, numpy.zeros((4, 5))[::-1], numpy.zeros((5, 4)).T):
        assert tw.matmul(a, b, out, progress=lambda done: 2) is out
        bounds.expect_product(out, a, b)


def test_plans_of_a_queue_take_arrays_of_pyopencl(tw, queue):
    arrays = pytest.importorskip("pyopencl.array")
    a = arrays.to_device(queue, numpy.eye(2))
    plan = tw.Plan((2, 2), (2, 2), "f8", queue=queue)
    for wrong in ((a, a, [1]), (a, 3, a), (None, a, a), (a, None, None)):
        with pytest.raises(tw.InvalidType, match="array of pyopencl"):
            plan(*wrong)


def test_arrays_may_be_dropped_while_the_device_computes(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    a, results = bounds.array((300, 300), "f4"), []
    for _ in range(8):
        result = arrays.to_device(queue, a)
        for _ in range(3):
            result = tw.matmul(result, arrays.to_device(queue, numpy.eye(300, dtype="f4")))
        results.append(result)
        gc.collect()
    for result in results:
        assert numpy.array_equal(result.get(), a)
