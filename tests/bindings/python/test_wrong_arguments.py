"""Arguments of wrong kinds: each raises an exception of the package, and NumPy's inputs of any byte order are taken."""

import numpy
import pytest

WRONG_SCALARS = [
    ("2", "InvalidType"),
    (b"2", "InvalidType"),
    (None, "InvalidType"),
    ([2.0], "InvalidType"),
    (numpy.ones(2), "InvalidType"),
    (10**400, "InvalidValue"),
    (2j, "InvalidValue"),
]


@pytest.mark.parametrize("value, kind", WRONG_SCALARS, ids=lambda value: str(value)[:9])
def test_scalars(tw, value, kind):
    """A call that takes factors refuses what is no number, also where it would only compare it with 0."""
    a, x, error = numpy.eye(2), numpy.ones(2), getattr(tw, kind)
    for call in (
        lambda: tw.gemm(a, a, alpha=value),
        lambda: tw.gemm(a, a, a.copy(), beta=value),
        lambda: tw.gemm(a, a, a.copy(), alpha=value, progress=lambda done: None),
        lambda: tw.Plan((2, 2), (2, 2), "f8", alpha=value),
        lambda: tw.Plan((0, 2), (2, 2), "f8", beta=value),
        lambda: tw.vector.axpby(x, x.copy(), beta=value),
        lambda: tw.vector.hadamard(x, x, x.copy(), beta=value),
        lambda: tw.vector.scal(x.copy(), value),
        lambda: tw.transpose(a, alpha=value),
    ):
        with pytest.raises(error, match="alpha|beta"):
            call()


@pytest.mark.parametrize("value, kind", WRONG_SCALARS, ids=lambda value: str(value)[:9])
def test_scalars_of_device_arrays(tw, queue, value, kind):
    arrays = pytest.importorskip("pyopencl.array")
    a, error = arrays.to_device(queue, numpy.eye(2)), getattr(tw, kind)
    out = arrays.zeros_like(a)
    for _ in range(2):  # the second call finds its product prepared
        for call in (
            lambda: tw.gemm(a, a, out, alpha=value),
            lambda: tw.gemm(a, a, out, beta=value),
            lambda: tw.Plan((2, 2), (2, 2), "f8", queue=queue, alpha=value),
        ):
            with pytest.raises(error, match="alpha|beta"):
                call()
        assert numpy.array_equal(tw.gemm(a, a, out).get(), numpy.eye(2))


def test_scalars_of_sparse_products(tw):
    sparse = pytest.importorskip("scipy.sparse")
    matrix, b = tw.sparse.Matrix(sparse.eye(2, format="csr")), numpy.ones((2, 2))
    for value, kind in WRONG_SCALARS:
        for name in ("alpha", "beta"):
            with pytest.raises(getattr(tw, kind), match=name):
                matrix.matmul(b, b.copy(), **{name: value})


@pytest.mark.parametrize("other", ["M8[s]", "f4,f4", "V3"])
def test_dtypes_without_a_common_one(tw, other):
    a, b = numpy.eye(2), numpy.zeros((2, 2), other)
    for call in (
        lambda: tw.matmul(a, b),
        lambda: tw.explain(b, a),
        lambda: tw.linalg.solve(a, b),
        lambda: tw.linalg.lstsq(b, a),
        lambda: tw.linalg.solve_triangular(b, a),
    ):
        with pytest.raises(tw.InvalidType, match="no common dtype"):
            call()


def test_bfloat16_and_float16_have_no_common_dtype(tw):
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    with pytest.raises(tw.InvalidType, match="no common dtype"):
        tw.matmul(numpy.eye(2, dtype=bfloat16), numpy.eye(2, dtype="f2"))


def test_progress_is_a_function(tw):
    a = numpy.eye(2)
    for progress in (3, 0, "x", [print]):
        with pytest.raises(tw.InvalidType, match="progress"):
            tw.matmul(a, a, progress=progress)
        with pytest.raises(tw.InvalidType, match="progress"):
            tw.tune([(1, 1, 1)], progress=progress)
    assert numpy.array_equal(tw.matmul(a, a, progress=False), a)


def test_texts_end_where_they_end(tw, tmp_path):
    """C would read a text up to its first null character, and so another device, variant or file."""
    a = numpy.eye(2)
    for call in (
        lambda: tw.gemm(a, a, variant="naive\0"),
        lambda: tw.gemm(a, a, variant="naive", configuration="wg_m=8\0"),
        lambda: tw.gemm(a, a, variant="\ud800"),
        lambda: tw.use_device("0\0"),
        lambda: tw.cache.entries(f"{tmp_path}\0x"),
        lambda: tw.cache.clear(f"{tmp_path}\0x"),
        lambda: tw.cache.configure(directory=f"{tmp_path}\0x"),
        lambda: tw.records.export(f"{tmp_path}/x\0y"),
        lambda: tw.records.add(f"{tmp_path}\0x"),
        lambda: tw.records.add(""),
    ):
        with pytest.raises(tw.InvalidValue, match="null|surrogates"):
            call()
    assert not list(tmp_path.iterdir())
    for call in (lambda: tw.cache.entries(3), lambda: tw.cache.configure(directory=3), lambda: tw.records.add(None)):
        with pytest.raises(tw.InvalidType, match="must be a path"):
            call()


def test_lists_of_shapes_and_strides(tw, queue):
    for call in (
        lambda: tw.tune(3),
        lambda: tw.tune([3]),
        lambda: tw.Plan((2, 2), (2, 2), "f8", queue=queue, strides_a=16),
    ):
        with pytest.raises(tw.InvalidType, match="must be"):
            call()


def test_plans_without_elements_have_a_product(tw):
    for dtype, out_dtype in (("i8", None), ("f8", "i8"), (bool, None)):
        with pytest.raises(tw.InvalidType, match="dtype of"):
            tw.Plan((0, 2), (2, 2), dtype, out_dtype=out_dtype)
    assert tw.Plan((0, 2), (2, 2), "f8")(numpy.zeros((0, 2)), numpy.eye(2)).shape == (0, 2)


def test_other_byte_orders_everywhere(tw, bounds):
    a, b, bias = bounds.array((3, 4), "f8"), bounds.array((4, 2), "f8"), bounds.array((2,), "f8")
    swapped = [array.astype(">f8") for array in (a, b, bias)]
    bounds.expect_product(tw.Plan(a.shape, b.shape, "f8")(*swapped[:2]), a, b)
    residual = bounds.array((3, 2), "f8")
    epilogue = {"bias": swapped[2], "scale": swapped[2], "residual": residual.astype(">f8")}
    expected = (a @ b) * bias + bias + residual
    numpy.testing.assert_allclose(tw.gemm(a, b, epilogue=epilogue), expected, atol=1e-14)
    numpy.testing.assert_allclose(tw.Plan(a.shape, b.shape, "f8", epilogue=epilogue)(a, b), expected, atol=1e-14)
    assert tw.explain(swapped[0], b)["problem"] == tw.explain(a, b)["problem"]


def test_explanations_are_of_the_common_dtype(tw):
    single, double = numpy.eye(4, dtype="f4"), numpy.eye(4)
    for pair in ((single, double), (double, single), (numpy.eye(4, dtype=int), double)):
        assert tw.explain(*pair)["problem"] == tw.explain(double, double)["problem"]
