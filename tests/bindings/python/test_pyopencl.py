"""Products of arrays of pyopencl: nothing is waited for, and events are chained."""

import numpy
import pytest

cl = pytest.importorskip("pyopencl")
arrays = pytest.importorskip("pyopencl.array")


def send(queue, array):
    """Returns a device array with the strides of an array in host memory, whose start it shares."""
    return arrays.to_device(queue, array)


def test_types_and_batches(tw, queue, bounds):
    for dtype in ("f4", "f8", "c8", "i1"):
        a, b = bounds.array((2, 3, 6), dtype), bounds.array((6, 5), dtype)
        result = tw.matmul(send(queue, a), send(queue, b))
        assert isinstance(result, arrays.Array) and result.events
        bounds.expect_product(result.get(), a, b)
    a, b = bounds.array((2, 1, 3, 6), "f4"), bounds.array((4, 6, 5), "f4")
    bounds.expect_product(tw.matmul(send(queue, a), send(queue, b)).get(), a, b)
    x = bounds.array(6, "f4")
    numpy.testing.assert_allclose(tw.matmul(send(queue, b[0].T.copy()), send(queue, x)).get(), b[0].T @ x, atol=1e-5)


def test_views_offsets_and_orders(tw, queue, bounds):
    whole = bounds.array((20, 22), "f4")
    device = send(queue, whole)
    for rows, columns in ((slice(2, 9), slice(3, 10)), (slice(0, 7), slice(0, 7)), (slice(1, 14, 2), slice(5, 12))):
        a, on_device = whole[rows, columns], device[rows, columns]
        for x, y in ((a, on_device), (a.T, on_device.T)):
            bounds.expect_product(tw.matmul(y, on_device).get(), x, a)
        out = arrays.zeros(queue, (9, 9), numpy.float32)
        part = out[1:8, 1:8]
        for _ in range(3):  # the second call finds the first one's product prepared
            assert tw.gemm(on_device, on_device, part, trans_b=True, alpha=2) is part
        bounds.expect_product(out.get()[1:8, 1:8], a, a.T, alpha=2)
        assert (out.get()[0] == 0).all() and (out.get()[:, 8] == 0).all()
    fortran = arrays.zeros(queue, (7, 7), numpy.float32, order="F")
    tw.gemm(device[:7, :7], device[:7, :7], fortran, trans_a="C")
    bounds.expect_product(fortran.get(), whole[:7, :7].T, whole[:7, :7])


def test_events_are_chained_on_an_out_of_order_queue(tw, queue, bounds):
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    unordered = cl.CommandQueue(queue.context, properties=properties)
    a = bounds.array((16, 16), "f8") / 8
    device, out = send(unordered, a), arrays.zeros(unordered, (16, 16), numpy.float64)
    plan = tw.Plan((16, 16), (16, 16), "f8", queue=unordered)
    power, expected = device, a
    for _ in range(20):
        power, expected = plan(power, device), expected @ a
    numpy.testing.assert_allclose(power.get(), expected, atol=1e-12)
    for _ in range(20):
        tw.gemm(device, device, out, beta=1)
    assert len(out.events) == 1
    numpy.testing.assert_allclose(out.get(), 20 * (a @ a), atol=1e-11)
    gate = cl.UserEvent(queue.context)
    result = tw.gemm(device, device, wait_for=[gate])
    assert result.events[-1].command_execution_status > cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    numpy.testing.assert_allclose(result.get(), a @ a, atol=1e-13)


def test_plan_checks_its_arrays(tw, queue):
    plan = tw.Plan((2, 3), (3, 2), "f4", queue=queue)
    a, b = arrays.zeros(queue, (2, 3), numpy.float32), arrays.zeros(queue, (3, 2), numpy.float32)
    assert plan(a, b).shape == (2, 2)
    for wrong in ((b, b), (a.T, b), (a.astype(numpy.float64), b)):
        with pytest.raises(ValueError, match="made for"):
            plan(*wrong)
    with pytest.raises(TypeError, match="queue"):
        plan(numpy.zeros((2, 3), "f4"), b)
    with pytest.raises(TypeError, match="array of pyopencl"):
        plan(numpy.zeros((2, 3), "f4"), b, plan(a, b))
    with pytest.raises(TypeError, match="no queue"):
        tw.Plan((2, 3), (3, 2), "f4")(a, b)
    large = arrays.zeros(queue, (64,), numpy.float32)
    with pytest.raises(ValueError, match="offset"):
        plan(large[1:7].reshape(2, 3), b)
    unaligned = tw.Plan((2, 3), (3, 2), "f4", queue=queue, offset_alignment=1)
    assert (unaligned(large[1:7].reshape(2, 3), b).get() == 0).all()


def test_errors(tw, queue):
    a = arrays.zeros(queue, (4, 4), numpy.float32)
    with pytest.raises(TypeError, match="others in host memory"):
        tw.matmul(a, numpy.zeros((4, 4), "f4"))
    with pytest.raises(TypeError, match="convert one"):
        tw.matmul(a, a.astype(numpy.float64))
    for _ in range(2):
        with pytest.raises(ValueError) as problem:
            tw.gemm(a, a, a)
        assert problem.value.code == "overlapping_operands" and problem.value.operand == "C"
    with pytest.raises(ValueError, match="contiguous"):
        tw.matmul(arrays.zeros(queue, (8, 8), numpy.float32)[::2, ::2], a)
    with pytest.raises(ValueError) as problem:
        other = cl.CommandQueue(cl.Context(queue.context.devices))
        tw.matmul(a, arrays.zeros(other, (4, 4), numpy.float32))
    assert problem.value.code == "foreign_object"
    with pytest.raises(ValueError, match="queue"):
        tw.matmul(a.with_queue(None), a.with_queue(None))
    assert tw.matmul(arrays.zeros(queue, (0, 3), numpy.float32), arrays.zeros(queue, (3, 2), numpy.float32)).size == 0


def test_svm_is_refused(tw, queue):
    try:
        allocator = cl.tools.SVMAllocator(queue.context, flags=cl.svm_mem_flags.READ_WRITE, queue=queue)
        a = arrays.zeros(queue, (4, 4), numpy.float32, allocator=allocator)
    except (AttributeError, cl.Error) as problem:
        pytest.skip(f"no SVM: {problem}")
    b, out = (arrays.zeros(queue, (4, 4), numpy.float32) for _ in range(2))
    tw.gemm(b, arrays.zeros(queue, (4, 4), numpy.float32), out)  # prepares the same product
    for call in (lambda: tw.matmul(a, b), lambda: tw.gemm(a, b, out)):
        with pytest.raises(TypeError, match="A is in memory of the type SVM"):
            call()
