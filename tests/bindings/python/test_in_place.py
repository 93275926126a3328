"""Arrays in host memory on a device that is the host's processor, where nothing is copied, and by copies."""

import numpy
import pytest


@pytest.fixture(params=["in place", "copied"])
def way(request, tw, monkeypatch):
    """Makes all calls use arrays in place, or copies of them."""
    from tilewright import engines

    engine = engines.default_engine()
    if request.param == "in place" and not engine.shares_memory():
        pytest.skip("the device has memory of its own")
    monkeypatch.setattr(engine, "shares_memory", lambda: request.param == "in place")
    return request.param


@pytest.fixture
def transfers(tw, monkeypatch):
    """Lists the copies that are enqueued between arrays and buffers."""
    from tilewright._c.opencl import opencl

    found, functions = [], opencl()
    for name in ("clEnqueueWriteBuffer", "clEnqueueReadBuffer"):
        call = getattr(functions, name)
        monkeypatch.setattr(functions, name, lambda *given, name=name, call=call: found.append(name) or call(*given))
    return found


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", "i1"])
def test_nothing_is_copied(tw, way, transfers, bounds, dtype):
    whole = bounds.array((2, 40, 50), dtype)
    out = numpy.zeros((2, 30, 30), numpy.int32 if dtype == "i1" else dtype)
    for a, b in ((whole[:, :30, :20], whole[:, 5:25, 7:37]), (whole[:, :20, :30].swapaxes(1, 2), whole[1, 20:, :30])):
        assert tw.matmul(a, b, out) is out
        bounds.expect_product(out, a, b)
        bounds.expect_product(tw.gemm(a, b), a, b)
    tw.transpose(whole, numpy.empty((2, 50, 40), dtype))
    assert bool(transfers) == (way == "copied")


def test_plans_copy_nothing(tw, way, transfers, bounds):
    a, out = bounds.array((8, 8), "f4"), numpy.zeros((8, 8), "f4")
    plan = tw.Plan((8, 8), (8, 8), "f4", beta=1)
    for _ in range(3):
        plan(a, a.copy(), out)
    bounds.expect_product(out / 3, a, a)
    assert bool(transfers) == (way == "copied")
    shifted = a.reshape(-1)[3:51].reshape(6, 8)
    bounds.expect_product(tw.Plan((8, 8), (6, 8), "f4", trans_b=True)(a, shifted), a, shifted.T)


def test_operands_that_overlap(tw, way, bounds):
    whole = bounds.array((12, 12), "f4")
    for a, b in ((whole, whole), (whole, whole.T), (whole[:8], whole[4:]), (whole[2:10, 3:11], whole[:8, :9])):
        for trans in (False, True):
            right = b.T if trans else b
            if a.shape[1] == right.shape[0]:
                bounds.expect_product(tw.gemm(a, b, trans_b=trans), a, right)
    for out in (whole[:6, 6:], whole[:6, 6:].T, whole[5::-1, 6:]):  # rows interleave with those of A
        before, a = out.copy(), whole[:6, :6].copy()
        assert tw.gemm(whole[:6, :6], whole[6:, :6], out, beta=2) is out
        bounds.expect_product(out, a, whole[6:, :6], before, 1, 2)
    out = whole.copy()
    tw.gemm(whole, whole, out, epilogue={"residual": out})
    numpy.testing.assert_allclose(out, whole @ whole + whole, atol=1e-5)
    x = bounds.array((3, 9), "f8")
    y = x.copy()
    assert tw.vector.axpy(y, y, 2) is y and tw.vector.axpy(y[:, :4], y[:, 4:8], -1).shape == (3, 4)
    numpy.testing.assert_allclose(y[:, :4], 3 * x[:, :4])
    numpy.testing.assert_allclose(y[:, 4:8], 3 * (x[:, 4:8] - x[:, :4]))


def test_later_calls_of_one_form(tw, way, bounds):
    from tilewright.errors import InvalidValue

    for order in "CF":
        for trans_a, trans_b in ((False, False), (True, "T"), ("N", True)):
            for _ in range(3):
                a = numpy.array(bounds.array((20, 20), "f4"), order=order)
                b = bounds.array((20, 20), "f4")
                left, right = a.T if trans_a is True else a, b.T if trans_b in (True, "T") else b
                first = tw.gemm(a, b, trans_a=trans_a, trans_b=trans_b)
                bounds.expect_product(first, left, right)
                out = first.copy()
                assert tw.gemm(a, b, out, alpha=2, beta=3, trans_a=trans_a, trans_b=trans_b) is out
                bounds.expect_product(out, left, right, first, 2, 3)
    bounds.expect_product(tw.matmul(a, a), a, a)
    strides = {tw.gemm(*(numpy.array(x, order="F") for x in (a, b))).strides for _ in range(3)}
    assert len(strides) == 1
    with pytest.raises(InvalidValue, match="beta is not 0"):
        tw.gemm(a, b, beta=1)
    with pytest.raises(InvalidValue, match="shares elements with B"):
        tw.gemm(a, b, b)
    out.flags.writeable = False
    with pytest.raises(InvalidValue, match="read-only"):
        tw.gemm(a, b, out)
    memory = bounds.array((1000,), "f4")  # A and B overlap at addresses that differ from call to call
    for shift in (0, 40, 400, 39):
        a, b = memory[:400].reshape(20, 20), memory[shift : shift + 400].reshape(20, 20)
        bounds.expect_product(tw.gemm(a, b), a, b)
    for shift in (400, 0, 37):  # B is inside A in the end
        b = memory[shift : shift + 200].reshape(20, 10)
        bounds.expect_product(tw.gemm(a, b), a, b)


def test_arrays_that_kernels_cannot_use(tw, way, bounds):
    a = bounds.array((6, 6), "f8")
    unaligned = numpy.frombuffer(bytearray(6 * 6 * 8 + 1), "u1")[1:].view("f8").reshape(6, 6)
    unaligned[...] = a
    fields = numpy.zeros((6, 6), [("tag", "u1"), ("value", "f8")])["value"]
    fields[...] = a
    windows = numpy.lib.stride_tricks.sliding_window_view(bounds.array(11, "f8"), 6)
    fixed = a.copy()
    fixed.flags.writeable = False
    for left in (unaligned, fields, windows, fixed, a[::-1], a[:, ::-1], numpy.broadcast_to(a[0], (6, 6))):
        bounds.expect_product(tw.matmul(left, a), left, a)
        bounds.expect_product(tw.matmul(a, left), a, left)
    for out in (unaligned, fields, numpy.zeros((12, 12))[::2, ::2], numpy.zeros((6, 6))[::-1]):
        out[...] = 1
        tw.gemm(a, a, out, beta=2)
        bounds.expect_product(out, a, a, numpy.ones((6, 6)), 1, 2)
    for order in "CF":
        out = numpy.zeros((6, 6), order=order)
        residual = bounds.array((6, 6), "f8")
        tw.gemm(a, a, out, epilogue={"residual": residual, "bias": a[:, 2]})
        numpy.testing.assert_allclose(out, a @ a + a[:, 2] + residual, atol=1e-12)


def test_transposes_of_batches_with_gaps(tw, way, bounds):
    whole = bounds.array((4, 6, 5, 7), "f4")
    for a in (whole[:, :3], whole.swapaxes(0, 1), whole[::2, 1:, 1:4, 2:],
              numpy.broadcast_to(whole[:, :1], whole.shape), whole[:, :3].swapaxes(2, 3), whole[::-1]):  # fmt: skip
        expected = a.swapaxes(-1, -2)
        assert numpy.array_equal(tw.transpose(a), expected)
        wide = numpy.zeros([2 * size for size in expected.shape], "f4")
        for out in (numpy.zeros(expected.shape, "f4"), wide[::2, ::2, ::2, ::2]):
            assert tw.transpose(a, out) is out
            assert numpy.array_equal(out, expected)


@pytest.mark.parametrize("shape", [(9, 7), (1, 7), (2, 6, 5)])
@pytest.mark.parametrize("order", "CF")
def test_a_residual_that_is_overwritten(tw, way, bounds, shape, order):
    a, b = bounds.array((*shape[:-1], 4), "f8"), bounds.array((*shape[:-2], 4, shape[-1]), "f8")
    before = bounds.array(shape, "f8")
    out = before.copy()
    if order == "F":
        out = numpy.ascontiguousarray(out.swapaxes(-1, -2)).swapaxes(-1, -2)
    assert tw.gemm(a, b, out, epilogue={"residual": out}) is out
    numpy.testing.assert_allclose(out, a @ b + before, atol=1e-14)


def test_sparse_products_with_one_element(tw, way, bounds):
    sparse = pytest.importorskip("scipy.sparse")
    column = bounds.array((5, 1), "f8")
    matrix = tw.sparse.Matrix(sparse.csr_matrix(column))
    for x in (numpy.array([2.0]), numpy.array([2.0, 3.0])[::2], numpy.array([3.0, 2.0])[:0:-1]):
        numpy.testing.assert_array_equal(matrix @ x, 2 * column[:, 0])
        numpy.testing.assert_array_equal(x @ matrix.T, 2 * column[:, 0])
        numpy.testing.assert_allclose(matrix.T @ column[:, 0], column.T @ column[:, 0], rtol=1e-14)


def test_operands_are_not_changed(tw, way, bounds):
    a, b = bounds.array((2, 7, 7), "f8") + 3 * numpy.eye(7), bounds.array((2, 7, 3), "f8")
    given = a.copy(), b.copy()
    x = tw.linalg.solve(a, b)
    tw.linalg.inv(a), tw.linalg.qr(a), tw.linalg.lstsq(a, b), tw.linalg.det(a), tw.linalg.lu_factor(a)
    tw.linalg.cho_factor(a @ a.swapaxes(1, 2)), tw.linalg.solve_triangular(a, b)
    assert numpy.array_equal(a, given[0]) and numpy.array_equal(b, given[1])
    x[...] = 0  # a result owns its memory
    numpy.testing.assert_allclose(tw.linalg.solve(a, b), numpy.linalg.solve(a, b), atol=1e-12)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_large_products_go_by_tiles(tw, way, bounds, monkeypatch, dtype):
    from tilewright import out_of_core

    threads, real = [], out_of_core.structs.OutOfCoreOptions

    def options(copy_threads):
        threads.append(copy_threads)
        return real(copy_threads=copy_threads)

    monkeypatch.setattr(out_of_core.structs, "OutOfCoreOptions", options)
    for name in ("LEAST_FLOPS", "LEAST_FLOPS_IN_PLACE"):
        monkeypatch.setattr(out_of_core, name, 2 * 40**3)
    a = bounds.array((2, 40, 40), dtype)
    bounds.expect_product(tw.matmul(a, a), a, a)
    assert threads == [4, 4]
    bounds.expect_product(tw.matmul(a[:, :39], a), a[:, :39], a)
    assert len(threads) == 2
    unaligned = numpy.frombuffer(bytearray(a.nbytes + 1), "u1")[1:].view(dtype).reshape(a.shape)
    unaligned[...] = a
    fields = numpy.zeros(a.shape, [("tag", "u1"), ("value", dtype)])["value"]
    fields[...] = a
    for left in (unaligned, fields):
        bounds.expect_product(tw.matmul(left, a), a, a)
        bounds.expect_product(tw.matmul(a, left), a, a)
    assert len(threads) == 10


def test_plans_in_place_are_kept_and_bounded(tw, bounds, monkeypatch):
    from tilewright import engines, out_of_core

    if not engines.default_engine().shares_memory():
        pytest.skip("the device has memory of its own")
    monkeypatch.setattr(out_of_core, "LEAST_FLOPS_IN_PLACE", 1)
    plans = out_of_core.idle_plans
    for size in (*range(20, 32), 31):
        a = bounds.array((size, size), "f4")
        bounds.expect_product(tw.matmul(a, a), a, a)
        assert len(plans.plans) <= plans.MOST
    before = dict(plans.plans)
    with pytest.raises(ZeroDivisionError):
        tw.matmul(a, a, progress=lambda done: 1 / 0)
    assert len(plans.plans) == len(before) - 1  # a plan that failed is not used again
