"""Products of Dask's arrays."""

import pytest

array = pytest.importorskip("dask.array")


def test_matmul(tw, bounds):
    from tilewright.dask import matmul

    a, b = bounds.array((30, 50), "f4"), bounds.array((50, 20), "f4")
    product = matmul(array.from_array(a, chunks=(16, 20)), array.from_array(b, chunks=(30, 9)))
    assert product.dtype == a.dtype and product.numblocks == (2, 3)
    bounds.expect_product(product.compute(), a, b)
    a = bounds.array((4, 5), "i1")
    product = matmul(array.from_array(a, chunks=2), array.from_array(a.T.copy(), chunks=2))
    bounds.expect_product(product.compute(), a, a.T)
    with pytest.raises(ValueError, match="fit"):
        matmul(product, array.from_array(a, chunks=2)[:2])
