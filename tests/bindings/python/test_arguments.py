"""Wrong arguments: each raises one of the package's exceptions, whose text says what is wrong."""

import numpy
import pytest


def refused(tw, kind, text, call):
    with pytest.raises(kind, match=text) as problem:
        call()
    assert isinstance(problem.value, tw.Error)


def test_sizes_are_whole_numbers(tw):
    for shape, kind, text in (
        ((3.0, 3.0), tw.InvalidType, "3.0, but it must be a whole number"),
        (("3", 3), tw.InvalidType, "'3'"),
        (3, tw.InvalidType, "tuple"),
        (None, tw.InvalidType, "tuple"),
        ((-1, 3), tw.InvalidValue, "is -1, but it must be from 0"),
        ((2**63, 3), tw.InvalidValue, "from 0 to"),
        ((3,), tw.InvalidValue, "two axes"),
    ):
        refused(tw, kind, text, lambda shape=shape: tw.Plan(shape, (3, 3), "f4"))
        refused(tw, kind, text, lambda shape=shape: tw.Plan((3, 3), shape, "f4"))
    assert tw.Plan((numpy.int64(3), 3), [3, 2], "f4").explain()["variant"]
    for alignment, kind in ((1.5, tw.InvalidType), (-1, tw.InvalidValue), (0, tw.InvalidValue), (3, tw.InvalidValue)):
        refused(tw, kind, "alignment", lambda value=alignment: tw.Plan((3, 3), (3, 3), "f4", offset_alignment=value))
    refused(tw, tw.InvalidType, "max_bytes", lambda: tw.cache.configure(max_bytes=0.5))
    refused(tw, tw.InvalidValue, "max_bytes", lambda: tw.cache.configure(max_bytes=-1))


def test_strides_of_plans(tw, queue):
    for strides in ((8,), (8, 8, 8), (6, 4), (7.0, 4)):
        with pytest.raises((tw.InvalidValue, tw.InvalidType), match="strides_a"):
            tw.Plan((2, 2), (2, 2), "f4", queue=queue, strides_a=strides)


def test_shapes_to_tune(tw):
    for shapes, kind, text in (
        ([(8.5, 8, 8)], tw.InvalidType, "8.5"),
        ((8, 8, 8), tw.InvalidType, "shape"),
        ("8x8x8", tw.InvalidType, "list of shapes"),
        (["8.5x8x8"], tw.InvalidValue, "8.5x8x8"),
        ([(-8, 8, 8)], tw.InvalidValue, "-8"),
        ([()], tw.InvalidValue, "must be"),
        ([""], tw.InvalidValue, "must be"),
    ):
        refused(tw, kind, text, lambda shapes=shapes: tw.tune(shapes, budget=1))
    refused(tw, tw.InvalidType, "int32", lambda: tw.tune([(8, 8, 8)], dtype="int32"))


@pytest.mark.parametrize("name", [0, 1, 1.5, b"0:0", ["0:0"], {}])
def test_devices_have_names(tw, name):
    refused(tw, tw.InvalidType, "must be a str", lambda: tw.use_device(name))


def test_an_empty_name_of_a_device(tw):
    refused(tw, tw.InvalidValue, "empty", lambda: tw.use_device(""))


def test_epilogues(tw):
    a = numpy.ones((3, 3), "f4")
    for epilogue, kind, text in (
        ("relu", tw.InvalidType, "'relu', but it must be a dict"),
        (["bias"], tw.InvalidType, "must be a dict"),
        ({"relu": 1, 3: 1}, tw.InvalidValue, "'relu', 3"),
        ({"zero_point": 1.5}, tw.InvalidType, "zero_point is 1.5"),
        ({"zero_point": 2**40}, tw.InvalidValue, "zero_point"),
        ({"activation": 1}, tw.InvalidValue, "activation"),
        ({"bias": [1, 2, 3]}, tw.InvalidType, "bias has the dtype int64"),
    ):
        refused(tw, kind, text, lambda epilogue=epilogue: tw.gemm(a, a, epilogue=epilogue))


def test_dtypes_without_products(tw):
    def product(left, right):
        return lambda: tw.matmul(numpy.ones((2, 2), left), numpy.ones((2, 2), right))

    for left, right, text in (
        ("i1", "u1", "A has the dtype int8 and B uint8, .* dtype int16"),
        ("i8", "f2", "A has the dtype int64 and B float16|there are no products"),
        ("g", "f4", "longdouble|float128"),
    ):
        if numpy.result_type(left, right) != numpy.float64:
            refused(tw, tw.InvalidType, text, product(left, right))
    for kind in ("i4", "i8", "?"):
        with pytest.raises(tw.InvalidType) as problem:
            product(kind, kind)()
        offered = str(problem.value).split("must be one of")[1]
        assert "float32" in offered and "int32" not in offered and problem.value.operand == "A"


def test_cond(tw):
    a, b = numpy.eye(3), numpy.ones(3)
    for cond in ("x", "1e-3", [1]):
        refused(tw, tw.InvalidType, "cond", lambda cond=cond: tw.linalg.lstsq(a, b, cond))
    for cond in (numpy.nan, -1, 1j, numpy.inf):
        refused(tw, tw.InvalidValue, "cond", lambda cond=cond: tw.linalg.lstsq(a, b, cond))


class Producer:
    def __init__(self, device, problem):
        self.device, self.problem = device, problem

    def __dlpack__(self, **options):
        raise self.problem

    def __dlpack_device__(self):
        return self.device, 0


@pytest.mark.parametrize("device, problem, text", [
    (1, BufferError("bits of bfloat16"), "cannot be read by DLPack: bits of bfloat16"),
    (1, RuntimeError("no such dtype"), "no such dtype"),
    (4, None, "in OpenCL's memory; pass it as an array of pyopencl"),
    (2, None, "DLPack type 2; copy it to the host"),
])  # fmt: skip
def test_dlpack(tw, device, problem, text):
    refused(tw, tw.InvalidType, text, lambda: tw.matmul(Producer(device, problem), numpy.eye(2)))


def test_arrays_of_both_places(tw, queue):
    """An array in host memory among arrays on a device, or the reverse, in every role."""
    arrays, scipy = pytest.importorskip("pyopencl.array"), pytest.importorskip("scipy.sparse")
    host = numpy.eye(3, dtype="f4")
    device = arrays.to_device(queue, host)
    row, out = host[0].copy(), arrays.zeros(queue, (3, 3), numpy.float32)
    pivots = numpy.arange(3)
    sparse = scipy.csr_matrix(host)
    for call in (
        lambda: tw.gemm(device, device, epilogue={"bias": row}),
        lambda: tw.gemm(device, device, out, epilogue={"scale": row}),
        lambda: tw.gemm(device, device, epilogue={"bias": [1, 2, 3]}),
        lambda: tw.gemm(device, device, epilogue={"residual": host}),
        lambda: tw.gemm(host, host, epilogue={"bias": device[0]}),
        lambda: tw.gemm(host, host, epilogue={"residual": device}),
        lambda: tw.gemm(device, host),
        lambda: tw.gemm(host, host, device),
        lambda: tw.gemm(device, device, host),
        lambda: tw.transpose(device, host),
        lambda: tw.transpose(host, device),
        lambda: tw.linalg.lu_solve((device, pivots), device),
        lambda: tw.linalg.lu_solve((host, arrays.to_device(queue, pivots)), host),
        lambda: tw.linalg.lu_solve((device, [0, 1, 2]), device),
        lambda: tw.linalg.solve(device, host),
        lambda: tw.vector.axpy(row, device[0]),
        lambda: tw.sparse.matmul(sparse, device, host),
        lambda: tw.sparse.matmul(sparse, host, device),
        lambda: tw.sparse.Matrix(sparse).matmul(device),
        lambda: tw.explain(device, host),
    ):
        refused(tw, tw.InvalidType, None, call)


def test_queues_and_events(tw, queue):
    arrays = pytest.importorskip("pyopencl.array")
    a = arrays.to_device(queue, numpy.eye(3))
    for call in (
        lambda: tw.gemm(a, a, queue=1),
        lambda: tw.gemm(a, a, arrays.empty_like(a), queue="x"),
        lambda: tw.Plan((3, 3), (3, 3), "f8", queue=1),
        lambda: tw.matmul(a, a, wait_for=[1]),
        lambda: tw.matmul(a, a, wait_for=1),
        lambda: tw.matmul(a, a, progress=print),
        lambda: tw.gemm(a, a, arrays.empty_like(a), progress=print),
    ):
        refused(tw, tw.InvalidType, "queue|wait_for|progress", call)


def test_device_messages_do_not_name_cpp(tw, queue):
    arrays = pytest.importorskip("pyopencl.array")
    a = arrays.to_device(queue, numpy.eye(3))
    for call in (lambda: tw.transpose(a, a), lambda: tw.gemm(a, a, a), lambda: tw.vector.swap(a, a)):
        with pytest.raises(tw.Error) as problem:
            call()
        assert "::" not in str(problem.value) and problem.value.code == "overlapping_operands"


def test_the_installed_operator_refuses_arrays_of_both_places(tw, queue):
    arrays = pytest.importorskip("pyopencl.array")
    host = numpy.eye(3)
    device = arrays.to_device(queue, host)
    tw.install_matmul()
    try:
        for left, right in ((device, host), (host, device), (host[0], device), (device, numpy.float64(2))):
            refused(tw, tw.InvalidType, "in host memory", lambda left=left, right=right: left @ right)
        with pytest.raises(TypeError):
            [[1.0]] @ device
    finally:
        tw.uninstall_matmul()
    assert not hasattr(arrays.Array, "__rmatmul__")
