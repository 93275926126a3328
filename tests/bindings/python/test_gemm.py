"""Products of arrays in host memory."""

import math
import pickle

import numpy
import pytest
from conftest import QUICK

TYPES = ["float16", "float32", "float64", "complex64", "complex128", "int8", "uint8"]
ROUNDOFF = {"float32": 2**-24, "float64": 2**-53}


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type(tw, bounds, dtype):
    a, b = bounds.array((5, 9), dtype), bounds.array((9, 4), dtype)
    result = tw.matmul(a, b)
    assert result.dtype == (numpy.int32 if dtype in ("int8", "uint8") else dtype)
    bounds.expect_product(result, a, b)


def test_bfloat16(tw, queue, bounds):
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    a, b = (bounds.array(shape, "f4").astype(bfloat16) for shape in ((5, 70), (70, 4)))
    exact, size = a.astype("f8") @ b.astype("f8"), abs(a.astype("f8")) @ abs(b.astype("f8"))
    sums = 75 * 2**-24 * size
    for result in (tw.matmul(a, b), tw.matmul(a, b, numpy.zeros((5, 4), bfloat16)), tw.gemm(a.T, b, trans_a=True)):
        assert result.dtype == bfloat16
        assert (abs(result.astype("f8") - exact) <= sums + 2**-8 * abs(exact)).all()
    result = tw.gemm(a, b, dtype="float32")
    assert result.dtype == numpy.float32 and (abs(result - exact) <= sums + 2**-24 * abs(exact)).all()
    assert (abs(tw.Plan(a.shape, b.shape, bfloat16)(a, b).astype("f8") - exact) <= sums + 2**-8 * abs(exact)).all()
    epilogue = {"bias": numpy.ones(4, "f4"), "activation": "relu"}
    shifted = numpy.maximum(exact + 1, 0)
    assert (abs(tw.gemm(a, b, epilogue=epilogue).astype("f8") - shifted) <= sums + 2**-7 * abs(shifted) + 1e-6).all()
    x, y = a[0], a[1].copy()
    found = tw.vector.axpy(x, y, 2)
    assert found is y and (abs(y.astype("f8") - (2 * x.astype("f8") + a[1].astype("f8"))) <= 2**-7).all()
    assert tw.vector.nrm2(x).dtype == numpy.float32
    assert numpy.array_equal(tw.transpose(a).view("u2"), a.view("u2").T)
    with pytest.raises(TypeError, match="bfloat16"):
        tw.linalg.inv(numpy.eye(3).astype(bfloat16))


@pytest.mark.parametrize("shape_a, shape_b", [
    ((3, 4), (4, 2)), ((1, 1), (1, 1)), ((0, 4), (4, 2)), ((3, 0), (0, 2)), ((3, 4), (4, 0)),
    ((4,), (4, 2)), ((3, 4), (4,)), ((4,), (4,)), ((2, 3, 4), (4,)), ((4,), (2, 4, 3)),
    ((2, 3, 4), (4, 2)), ((3, 4), (2, 4, 2)), ((2, 3, 4), (2, 4, 2)), ((2, 1, 3, 4), (1, 5, 4, 2)),
    ((0, 3, 4), (4, 2)), ((5, 2, 3, 4), (2, 4, 2)),
])  # fmt: skip
def test_shapes_of_matmul(tw, bounds, shape_a, shape_b):
    a, b = bounds.array(shape_a, "f4"), bounds.array(shape_b, "f4")
    result = tw.matmul(a, b)
    expected = numpy.matmul(a, b)
    assert numpy.shape(result) == expected.shape and type(result) is type(expected)
    numpy.testing.assert_allclose(result, expected, rtol=0, atol=1e-5)


def test_strides_orders_and_views(tw, bounds):
    whole = bounds.array((20, 22), "f8")
    views = [
        whole[2:9, 3:10],
        whole[2:9, 3:10].T,
        whole[::2, ::3][:7, :7],
        whole[8:1:-1, 9:2:-1],
        whole[3:10, ::-1][:, :7],
    ]
    views += [numpy.asfortranarray(view) for view in views[:1]]
    for a in views:
        for b in views:
            bounds.expect_product(tw.matmul(a, b), a, b)
            out = numpy.zeros((9, 9))[1:8, 1:8]
            assert tw.gemm(a, b, out) is out
            bounds.expect_product(out, a, b)
            out = numpy.empty((7, 7), order="F")
            bounds.expect_product(tw.matmul(a, b, out), a, b)


def test_scalars_and_transposes(tw, bounds):
    for dtype, alpha, beta in (("f4", 2, -0.5), ("c16", 1 + 2j, 0.5j))[QUICK:]:
        for trans_a in (False, "T", "C"):
            for trans_b in ("N", True, "C"):
                a, b, c = (bounds.array(shape, dtype) for shape in ((3, 4), (4, 5), (3, 5)))
                stored_a = a if not trans_a else a.T if trans_a == "T" else a.conj().T
                stored_b = b if trans_b == "N" else b.T if trans_b is True else b.conj().T
                out = c.copy()
                tw.gemm(stored_a, stored_b, out, alpha=alpha, beta=beta, trans_a=trans_a, trans_b=trans_b)
                bounds.expect_product(out, a, b, c, alpha, beta)


def test_beta_zero_does_not_read_out(tw, bounds):
    out = numpy.full((2, 2), numpy.nan, numpy.float32)
    tw.gemm(numpy.ones((2, 3), "f4"), numpy.ones((3, 2), "f4"), out)
    assert (out == 3).all()


def test_accuracy_and_dtype_of_the_result(tw, bounds):
    a, b = bounds.array((6, 8), "f2"), bounds.array((8, 6), "f2")
    result = tw.gemm(a, b, dtype="float32")
    assert result.dtype == numpy.float32
    bounds.expect_product(result, a.astype("f4"), b.astype("f4"))
    a, b = a.astype("f4"), b.astype("f4")
    for accuracy in ("fp32_split", "tf32"):
        numpy.testing.assert_allclose(tw.matmul(a, b, accuracy=accuracy), a @ b, atol=8 * 2**-8)


def test_epilogue(tw, bounds):
    a, b = bounds.array((2, 4, 6), "f4"), bounds.array((6, 5), "f4")
    scale, bias, residual = bounds.array((4, 1), "f4"), bounds.array((5,), "f4"), bounds.array((2, 4, 5), "f4")
    result = tw.gemm(a, b, epilogue={"scale": scale, "bias": bias, "activation": "gelu", "residual": residual})
    v = (a.astype("f8") @ b) * scale + bias
    expected = v * (1 + numpy.vectorize(math.erf)(v / math.sqrt(2))) / 2 + residual
    numpy.testing.assert_allclose(result, expected, atol=1e-5)
    exact = tw.gemm(a, b, epilogue={"activation": "relu"})
    numpy.testing.assert_allclose(exact, numpy.maximum(a @ b, 0), atol=1e-5)
    integers = bounds.array((3, 4), "i1"), bounds.array((4, 3), "i1")
    result = tw.gemm(*integers, dtype="int8", epilogue={"scale": numpy.full(3, 1 / 512, "f4"), "zero_point": 3})
    exact = integers[0].astype(int) @ integers[1].astype(int)
    assert numpy.array_equal(result, numpy.clip(numpy.rint(exact / 512) + 3, -128, 127))


def test_product_by_tiles(tw, bounds):
    a, b, c = bounds.array((2, 70, 30), "f4"), bounds.array((50, 30), "f4"), bounds.array((2, 70, 50), "f4")
    fractions, out = [], c.copy()
    tw.gemm(a, b, out, alpha=2, beta=3, trans_b=True, progress=fractions.append)
    bounds.expect_product(out, a, b.T, c, 2, 3)
    assert fractions[-1] == 1 and sorted(fractions) == fractions
    a = bounds.array((61, 64), "f8")[1:, 3:43]
    bounds.expect_product(tw.matmul(a.T[::1], a, progress=lambda done: None), a.T, a)
    with pytest.raises(tw.Error) as problem:
        tw.matmul(a.T, a, progress=lambda done: True)
    assert problem.value.code == "cancelled"
    with pytest.raises(ZeroDivisionError):
        tw.matmul(a.T, a, progress=lambda done: 1 / 0)


def test_matrices_larger_than_the_device_go_by_tiles(tw, bounds, monkeypatch):
    from tilewright import engines

    small = {**engines.default_engine().info(), "max_allocation_bytes": 1000}
    monkeypatch.setattr(engines.default_engine(), "information", small)
    calls = []
    run = tw.gemm.__globals__["product_out_of_core"]
    monkeypatch.setitem(tw.gemm.__globals__, "product_out_of_core", lambda *given: calls.append(1) or run(*given))
    a, b = bounds.array((20, 30), "f4"), bounds.array((30, 40), "f4")
    bounds.expect_product(tw.matmul(a, b), a, b)
    bounds.expect_product(tw.matmul(a[:4, :4], b[:4, :4]), a[:4, :4], b[:4, :4])
    assert len(calls) == 1


def test_types_are_promoted_on_the_host(tw):
    assert tw.matmul(numpy.ones((2, 2), "f4"), numpy.ones((2, 2), "f8")).dtype == numpy.float64
    assert (tw.matmul([[1.0, 2.0]], [[1.0], [1.0]]) == 3).all()


def test_dlpack(tw):
    class Producer:
        def __init__(self, array, device=1):
            self.array, self.device = array, device

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.device, 0

    a = numpy.arange(6.0).reshape(2, 3)
    assert numpy.array_equal(tw.matmul(Producer(a), a.T), a @ a.T)
    with pytest.raises(tw.InvalidType, match="DLPack type 2"):
        tw.matmul(Producer(a, 2), a.T)


def test_errors(tw):
    one, two = numpy.ones((3, 4)), numpy.ones((4, 3))
    square = numpy.ones((4, 4))
    for call, kind, text in [
        (lambda: tw.matmul(one, one), ValueError, "4 columns, but op\\(B\\) has 3 rows"),
        (lambda: tw.matmul(one.astype(object), two), TypeError, "object"),
        (lambda: tw.matmul(one.astype("i8"), two.astype("i8")), TypeError, "int64.*float32"),
        (lambda: tw.matmul(numpy.ma.masked_less(one, 0), two), TypeError, "filled"),
        (lambda: tw.matmul(one.astype(bool), two.astype(bool)), TypeError, "bool"),
        (lambda: tw.matmul(1.0, two), ValueError, "scalars"),
        (lambda: tw.gemm(square, square, square), ValueError, "shares elements"),
        (lambda: tw.gemm(one, two, numpy.ones((3, 4))), ValueError, "out has the shape"),
        (lambda: tw.gemm(one, two, numpy.ones((3, 3), "f4")), TypeError, "float32"),
        (lambda: tw.gemm(one, two, beta=1), ValueError, "beta"),
        (lambda: tw.gemm(one, two, accuracy="high"), ValueError, "fp32_split"),
        (lambda: tw.gemm(one, two, trans_a="X"), ValueError, "trans_a"),
        (lambda: tw.gemm(one, two, variant="none_such"), ValueError, "none_such"),
        (lambda: tw.gemm(one, two, alpha=1j), ValueError, "alpha"),
        (lambda: tw.gemm(one, two, epilogue={"offset": 1}), ValueError, "offset"),
        (lambda: tw.gemm(one, two, epilogue={"bias": numpy.ones(4)}), ValueError, "bias"),
        (lambda: tw.matmul(numpy.ones((2, 3, 4)), numpy.ones((3, 4, 3))), ValueError, "broadcast"),
        (lambda: tw.gemm(one, two, queue=1), TypeError, "pyopencl"),
        (lambda: tw.gemm(one.astype("c16"), two, progress=print), TypeError, "progress"),
    ]:
        with pytest.raises(kind, match=text) as problem:
            call()
        assert isinstance(problem.value, tw.Error)
    copy = pickle.loads(pickle.dumps(problem.value))
    assert copy.code == problem.value.code and str(copy) == str(problem.value)
    interleaved = numpy.zeros((6, 8))
    out = tw.gemm(interleaved[:, :4], square, interleaved[:, 4:])
    assert (out == 0).all()


def test_plan(tw, bounds):
    a, b, c = (bounds.array(shape, "f8") for shape in ((2, 3, 4), (4, 5), (2, 3, 5)))
    plan = tw.Plan(a.shape, b.shape, "f8", alpha=2)
    for _ in range(3):
        bounds.expect_product(plan(a, b), a, b, alpha=2)
    assert plan.explain()["variant"] and plan.workspace_bytes >= 0
    plan = tw.Plan(a.shape, b.shape, "f8", beta=-1)
    out = c.copy()
    assert plan(a, b, out) is out
    bounds.expect_product(out, a, b, c, 1, -1)
    with pytest.raises(ValueError, match="beta"):
        plan(a, b)
    with pytest.raises(ValueError, match="made for"):
        plan(b, a, out)
    with pytest.raises(ValueError, match="queue"):
        tw.Plan((2, 2), (2, 2), "f4", strides_a=(8, 4))
    assert tw.Plan((0, 3), (3, 2), "f4")(numpy.ones((0, 3), "f4"), numpy.ones((3, 2), "f4")).shape == (0, 2)


def test_devices(tw):
    for device in tw.devices():
        assert device["index"] and device["name"] and device["global_memory_bytes"] > 0
    with pytest.raises(tw.Error, match="none such"):
        tw.use_device("none such")
    tw.use_device(tw.devices()[0]["index"])
    assert (tw.matmul(numpy.eye(2), numpy.ones((2, 2))) == 1).all()
    tw.use_device(None)
