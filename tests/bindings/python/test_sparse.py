"""Sparse times dense against SciPy."""

import numpy
import pytest

sparse = pytest.importorskip("scipy.sparse")


def random(bounds, rows, columns, dtype, form, index=numpy.int32):
    dense = bounds.array((rows, columns), dtype)
    dense[bounds.random.uniform(size=dense.shape) < 0.7] = 0
    a = sparse.coo_matrix(dense).asformat(form)
    for name in ("indptr", "indices", "row", "col"):
        if hasattr(a, name):
            setattr(a, name, getattr(a, name).astype(index))
    return a, dense


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_formats(tw, bounds, form, dtype):
    a, dense = random(bounds, 9, 7, dtype, form, numpy.int64 if dtype == "f8" else numpy.int32)
    matrix = tw.sparse.Matrix(a)
    b = bounds.array((7, 4), dtype)
    for b in (b, bounds.array((2, 7, 3), dtype), numpy.asfortranarray(b)):
        bounds.expect_product(matrix @ b, dense, b)
        bounds.expect_product(tw.sparse.matmul(a, b), dense, b)
    x = bounds.array((7, 2), dtype)[:, 1]
    bounds.expect_product((matrix @ x)[:, None], dense, x[:, None])
    b, c = bounds.array((9, 3), dtype), bounds.array((7, 3), dtype)
    out = c.copy()
    assert matrix.matmul(b, out, alpha=2, beta=-1, transposed=True) is out
    bounds.expect_product(out, dense.T, b, c, 2, -1)
    assert matrix.explain(4)["variant"]


def test_empty_and_integers(tw):
    empty = sparse.csr_matrix((4, 3))
    assert (tw.sparse.matmul(empty, numpy.ones((3, 2))) == 0).all()
    assert tw.sparse.matmul(sparse.csr_matrix((0, 3)), numpy.ones((3, 2))).shape == (0, 2)
    integers = sparse.csr_matrix(numpy.array([[1, 0], [2, 3]]))
    assert numpy.array_equal(tw.sparse.matmul(integers, numpy.array([1, 1])), [1.0, 5.0])
    if hasattr(sparse, "csr_array"):
        assert numpy.array_equal(tw.sparse.matmul(sparse.csr_array(numpy.eye(2)), numpy.eye(2)), numpy.eye(2))


def test_device_arrays(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    a, dense = random(bounds, 8, 6, "f4", "csr")
    matrix = tw.sparse.Matrix(a, queue=queue)
    b = bounds.array((6, 5), "f4")
    device = arrays.to_device(queue, b)
    result = matrix @ device
    assert result.events
    bounds.expect_product(result.get(), dense, b)
    bounds.expect_product((matrix @ device[:, 1:3]).get(), dense, b[:, 1:3])
    bounds.expect_product(tw.sparse.matmul(a, device).get(), dense, b)
    bounds.expect_product((matrix @ device[:, 2]).get()[:, None], dense, b[:, 2:3])
    with pytest.raises(TypeError, match="queue"):
        matrix @ b
    with pytest.raises(TypeError, match="queue"):
        tw.sparse.Matrix(a) @ device


def test_errors(tw, bounds):
    a, _ = random(bounds, 4, 3, "f8", "csr")
    broken = a.copy()
    broken.indices[0] = 7
    twice = sparse.coo_matrix((numpy.ones(2), ([0, 0], [0, 0])), (2, 2))
    for call, kind, text in [
        (lambda: tw.sparse.Matrix(numpy.eye(2)), TypeError, "tocsr"),
        (lambda: tw.sparse.Matrix(a.tolil()), TypeError, "lil.*tocsr"),
        (lambda: tw.sparse.Matrix(a.astype("c16")), TypeError, "complex128"),
        (lambda: tw.sparse.Matrix(a) @ numpy.ones(4), ValueError, "3 columns"),
        (lambda: tw.sparse.Matrix(a) @ numpy.ones(3, "c16"), TypeError, "complex128"),
        (lambda: tw.sparse.Matrix(a).matmul(numpy.ones(3), beta=1), ValueError, "beta"),
        (lambda: tw.sparse.matmul(broken, numpy.ones(3)), ValueError, "7"),
        (lambda: tw.sparse.matmul(twice, numpy.ones(2), check="canonical"), ValueError, "do not increase"),
        (lambda: tw.sparse.Matrix(a, check="maybe"), ValueError, "canonical"),
        (lambda: tw.matmul(a, numpy.ones(3)), TypeError, "tilewright.sparse"),
    ]:
        with pytest.raises(kind, match=text):
            call()
    assert numpy.array_equal(tw.sparse.matmul(twice, numpy.ones(2)), [2.0, 0.0])


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_products_from_the_right(tw, bounds, form):
    a, dense = random(bounds, 9, 7, "f8", form)
    matrix = tw.sparse.Matrix(a)
    for b in (bounds.array((4, 9), "f8"), bounds.array((9, 4), "f8").T, bounds.array((2, 4, 9), "f8")):
        found = b @ matrix
        assert type(found) is numpy.ndarray
        bounds.expect_product(found, b, dense)
        bounds.expect_product(b[..., :7] @ matrix.T, b[..., :7], dense.T)
    x = bounds.array(9, "f8")
    numpy.testing.assert_allclose(x @ matrix, x @ dense, atol=1e-14)
    with pytest.raises(ValueError, match="9 columns"):
        bounds.array((4, 7), "f8") @ matrix
    for other in (3, "x"):
        with pytest.raises(TypeError):
            numpy.add(numpy.ones(3), matrix)
        with pytest.raises((TypeError, ValueError)):
            other @ matrix


def test_transposes_share_memory_and_outlive_the_matrix(tw, bounds):
    a, dense = random(bounds, 9, 7, "f4", "csr")
    matrix = tw.sparse.Matrix(a)
    turned = matrix.T
    assert turned.shape == (7, 9) and turned.T.shape == (9, 7) and turned.buffers is matrix.buffers
    assert turned.explain(2)["variant"]
    del matrix
    b = bounds.array((9, 3), "f4")
    for _ in range(3):
        bounds.expect_product(turned @ b, dense.T, b)
    bounds.expect_product(turned.matmul(b[:7], transposed=True), dense, b[:7])
    bounds.expect_product(turned.T @ b[:7], dense, b[:7])


def test_products_from_the_right_on_a_device(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    a, dense = random(bounds, 8, 6, "f4", "csr")
    matrix = tw.sparse.Matrix(a, queue=queue)
    for shape in ((5, 8), (3, 5, 8)):
        b = bounds.array(shape, "f4")
        bounds.expect_product(matrix.__rmatmul__(arrays.to_device(queue, b)).get(), b, dense)
        bounds.expect_product((matrix.T @ arrays.to_device(queue, b.swapaxes(-1, -2).copy())).get(), dense.T,
                              b.swapaxes(-1, -2))  # fmt: skip
