"""Products of Dask's arrays, whose blocks are multiplied by `tilewright.matmul`.

`matmul` joins the blocks along the inner axis, so that the device gets long products. `install_tensordot` instead makes
Dask's own `dot` and `tensordot` multiply each pair of blocks by this package.

Each worker creates its engine when it first multiplies, and nothing of this package is pickled. Start workers by spawn,
which is the default of dask.distributed.
"""

from __future__ import annotations

from typing import Any

import numpy
from dask import array
from dask.array.backends import tensordot_lookup

from .dtypes import LINEAR_ALGEBRA, common_dtype, product_type
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
    dtype = product_type(common_dtype([a.dtype, b.dtype]))
    # Without `meta` Dask would multiply empty blocks here, on a machine that may have no device.
    meta = numpy.empty((0, 0), dtype)
    blocks = {"concatenate": True, "dtype": dtype, "meta": meta}
    return array.blockwise(multiply, "ik", a, "ij", b, "jk", **blocks, accuracy=accuracy)


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sum products of elements over axes of two arrays, as `numpy.tensordot`.

    Parameters
    ----------
    a, b : numpy.ndarray
        Blocks. The device multiplies them if both are float32, float64, complex64 or complex128 of one type. Other
        blocks are left to NumPy.
    axes : int or pair
        The axes to sum over, as for `numpy.tensordot`.

    Returns
    -------
    numpy.ndarray
        The remaining axes of A, then those of B.

    Examples
    --------
    >>> import numpy as np
    >>> tensordot(np.ones((2, 3, 4)), np.ones((4, 5)), axes=1).shape
    (2, 3, 5)
    """
    if a.dtype != b.dtype or a.dtype.name not in LINEAR_ALGEBRA or not (a.ndim and b.ndim):
        return numpy.tensordot(a, b, axes)
    try:
        of_a, of_b = (list(part) if numpy.iterable(part) else [part] for part in axes)
    except TypeError:
        of_a, of_b = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    of_a, of_b = [axis % a.ndim for axis in of_a], [axis % b.ndim for axis in of_b]
    shared, others = [a.shape[axis] for axis in of_a], [b.shape[axis] for axis in of_b]
    if shared != others:
        raise InvalidValue(f"the axes to sum over must have the same lengths, but A has {shared} and B has {others}")
    rows = [axis for axis in range(a.ndim) if axis not in of_a]
    columns = [axis for axis in range(b.ndim) if axis not in of_b]
    shape = [a.shape[axis] for axis in rows] + [b.shape[axis] for axis in columns]
    length = int(numpy.prod(shared))
    left = a.transpose(rows + of_a).reshape(int(numpy.prod([a.shape[axis] for axis in rows])), length)
    right = b.transpose(of_b + columns).reshape(length, int(numpy.prod([b.shape[axis] for axis in columns])))
    return multiply(left, right).reshape(shape)


def install_tensordot() -> None:
    """Make Dask multiply blocks that are NumPy arrays by `tensordot`, in this process.

    This changes `dask.array.dot`, `dask.array.tensordot` and everything that uses them. On a cluster, run it in each
    worker: ``client.run(tilewright.dask.install_tensordot)``. `uninstall_tensordot` restores NumPy's function.
    """
    tensordot_lookup.register(numpy.ndarray, tensordot)


def uninstall_tensordot() -> None:
    """Make Dask multiply blocks by `numpy.tensordot` again."""
    tensordot_lookup.register(numpy.ndarray, numpy.tensordot)
