"""Products of Dask's arrays, whose blocks are multiplied by `tilewright.matmul`.

Dask's workers make their engines when they first multiply, and nothing of this package is pickled. Start workers by
spawn, which is the default of dask.distributed.
"""

from __future__ import annotations

from typing import Any

import numpy
from dask import array

from .dtypes import product_type
from .errors import InvalidValue
from .gemm import matmul as multiply


def matmul(a: array.Array, b: array.Array, *, accuracy: str = "full") -> Any:
    """Multiply matrices of Dask, lazily.

    Parameters
    ----------
    a, b : dask.array.Array
        Matrices of two axes. A worker multiplies all blocks of a row of A by those of a column of B at once, so both
        must fit into its memory.
    accuracy : str
        As for `tilewright.gemm`.

    Returns
    -------
    dask.array.Array
        The product.

    Raises
    ------
    InvalidValue
        The shapes do not fit.

    Examples
    --------
    >>> import dask.array, numpy as np, tilewright.dask
    >>> a = dask.array.from_array(np.arange(4.0).reshape(2, 2), chunks=1)
    >>> tilewright.dask.matmul(a, a).compute()
    array([[ 2.,  3.],
           [ 6., 11.]])
    """
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise InvalidValue(f"A and B must be matrices that fit, but their shapes are {a.shape} and {b.shape}")
    dtype = product_type(numpy.result_type(a.dtype, b.dtype))
    return array.blockwise(multiply, "ik", a, "ij", b, "jk", concatenate=True, dtype=dtype, accuracy=accuracy)
