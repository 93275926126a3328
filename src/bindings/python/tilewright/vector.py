"""Vector operations: the first level of BLAS, with its names.

Vectors are in the last axis, with any stride; leading axes are batches. Functions that write a vector write it in
place, and return it. Vectors of one call have one dtype: float16, bfloat16 (of ml_dtypes), float32, float64, complex64
or complex128; `copy` and `swap` move any dtype of the library. Arrays of pyopencl are not waited for.

The functions raise InvalidValue, InvalidType, OutOfMemory and Error as `tilewright.gemm` does. If a call fails or is
interrupted after its arguments were checked, some elements of a vector that it writes may already have new values.
"""

from __future__ import annotations

from typing import Any

import numpy

from ._c import constants
from .annotations import Array, Events, Operand, Queue, Result, Scalar, like_operand
from .dtypes import accumulator
from .problem import expect_apart, is_zero
from .vector_calls import Call

INDEX = numpy.dtype("int64")


@like_operand
def axpy(x: Operand, y: Array, alpha: Scalar = 1, *, queue: Queue = None, wait_for: Events = None) -> Result:
    """Add a multiple of a vector: ``y = alpha x + y``.

    Parameters
    ----------
    x : array_like or pyopencl.array.Array
        A vector of n elements in the last axis, or a batch of them.
    y : array
        Of the same size as `x`. It is overwritten.
    alpha : scalar
        The factor of x.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    array
        `y`.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> y = np.array([1.0, 2.0])
    >>> tw.vector.axpy(np.array([1.0, 1.0]), y, alpha=3)
    array([4., 5.])
    """
    return Call({"x": x, "y": y}, "y", queue=queue, wait_for=wait_for).run(constants.AXPY, alpha)[0]


@like_operand
def axpby(
    x: Operand, y: Array, alpha: Scalar = 1, beta: Scalar = 1, *, queue: Queue = None, wait_for: Events = None
) -> Result:
    """Add multiples of two vectors: ``y = alpha x + beta y``.

    Parameters
    ----------
    x : array_like or pyopencl.array.Array
        A vector of n elements in the last axis, or a batch of them.
    y : array
        Of the same size as `x`. It is overwritten.
    alpha, beta : scalar
        The factors of x and y. With beta = 0, y is not read.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    array
        `y`.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.vector.axpby(np.array([1.0, 1.0]), np.array([1.0, 2.0]), alpha=3, beta=2)
    array([5., 7.])
    """
    return Call({"x": x, "y": y}, "y", queue=queue, wait_for=wait_for).run(constants.AXPBY, alpha, beta)[0]


@like_operand
def scal(x: Array, alpha: Scalar, *, queue: Queue = None, wait_for: Events = None) -> Result:
    """Multiply a vector by a scalar: ``x = alpha x``.

    Parameters
    ----------
    x : array
        A vector in the last axis, or a batch of them. It is overwritten.
    alpha : scalar
        The factor. With alpha = 0, x is not read.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    array
        `x`.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.vector.scal(np.array([1.0, 2.0]), 3)
    array([3., 6.])
    """
    return Call({"x": x}, "x", queue=queue, wait_for=wait_for).run(constants.SCAL, alpha)[0]


@like_operand
def hadamard(
    x: Operand,
    y: Operand,
    z: Array,
    alpha: Scalar = 1,
    beta: Scalar = 0,
    *,
    queue: Queue = None,
    wait_for: Events = None,
) -> Result:
    """Multiply vectors element by element: ``z = alpha x y + beta z``. With beta = 0, z is not read.

    Parameters
    ----------
    x, y : array_like or pyopencl.array.Array
        Vectors of n elements in the last axis, or batches of them.
    z : array
        Of the same size. It is overwritten.
    alpha, beta : scalar
        The factors of the product and of z.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    array
        `z`.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.vector.hadamard(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.empty(2))
    array([3., 8.])
    """
    call = Call({"x": x, "y": y, "z": z}, "z", "z" if is_zero(beta, "beta") else "", queue, wait_for)
    return call.run(constants.HADAMARD, alpha, beta)[0]


@like_operand
def copy(x: Operand, y: Array, *, queue: Queue = None, wait_for: Events = None) -> Result:
    """Copy a vector: ``y = x``.

    Parameters
    ----------
    x : array_like or pyopencl.array.Array
        A vector of n elements in the last axis, or a batch of them.
    y : array
        Of the same size as `x`. It is overwritten.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    array
        `y`.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.vector.copy(np.array([1.0, 2.0]), np.empty(2))
    array([1., 2.])
    """
    return Call({"x": x, "y": y}, "y", "y", queue, wait_for).run(constants.COPY)[0]


def swap(x: Array, y: Array, *, queue: Queue = None, wait_for: Events = None) -> tuple[Result, Result]:
    """Exchange two vectors, which share no elements. Returns both.

    Parameters
    ----------
    x, y : array
        Vectors in the last axis, or batches of them. Both are overwritten.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    x, y : array
        The arguments.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.vector.swap(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    (array([3., 4.]), array([1., 2.]))
    """
    call = Call({"x": x, "y": y}, "xy", queue=queue, wait_for=wait_for)
    if not call.place.is_device:
        expect_apart(y, {"x": x}, "y")
    return tuple(call.run(constants.SWAP))


def dot(x: Operand, y: Operand, *, summation: str = "plain", queue: Queue = None, wait_for: Events = None) -> Any:
    """Compute the sum of ``x y``, without conjugation.

    Parameters
    ----------
    x, y : array_like or pyopencl.array.Array
        Vectors in the last axis.
    summation : {"plain", "compensated"}
        The error of a plain sum is at most ``gamma(n) |x| |y|``, with ``gamma(n) = n u / (1 - n u)``. That of a
        compensated sum is at most ``u |x y| + gamma(n)**2 |x| |y|``. For complex numbers 2 n replaces n.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    scalar or array
        Of the accumulator's dtype, float32 for float16 and bfloat16; with the leading axes as its shape.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> float(tw.vector.dot(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
    11.0
    """
    call = Call({"x": x, "y": y}, queue=queue, wait_for=wait_for)
    return call.run(constants.DOT, result=accumulator(call.dtype), summation=summation)


def dotc(x: Operand, y: Operand, *, summation: str = "plain", queue: Queue = None, wait_for: Events = None) -> Any:
    """Compute the sum of ``conj(x) y``. Otherwise the same as `dot`.

    Parameters
    ----------
    x, y : array_like or pyopencl.array.Array
        Vectors of n elements in the last axis, or batches of them.
    summation : {"plain", "compensated"}
        As for `dot`.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    scalar or array
        Of the accumulator's dtype, with the leading axes as its shape.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> complex(tw.vector.dotc(np.array([1j]), np.array([1j])))
    (1+0j)
    """
    call = Call({"x": x, "y": y}, queue=queue, wait_for=wait_for)
    return call.run(constants.DOTC, result=accumulator(call.dtype), summation=summation)


def magnitude(dtype):
    """Returns the dtype of norms and sums of magnitudes."""
    return numpy.dtype("float64" if dtype.name in ("float64", "complex128") else "float32")


def nrm2(x: Operand, *, queue: Queue = None, wait_for: Events = None) -> Any:
    """Compute the Euclidean norm, which neither overflows nor underflows before its result does.

    Parameters
    ----------
    x : array_like or pyopencl.array.Array
        A vector of n elements in the last axis, or a batch of them.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    scalar or array
        With the leading axes as its shape: float64 for float64 and complex128, otherwise float32.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> float(tw.vector.nrm2(np.array([3.0, 4.0])))
    5.0
    """
    call = Call({"x": x}, queue=queue, wait_for=wait_for)
    return call.run(constants.NRM2, result=magnitude(call.dtype))


def asum(x: Operand, *, queue: Queue = None, wait_for: Events = None) -> Any:
    """Compute the sum of ``|re x| + |im x|``, with a relative error of at most gamma(n), or gamma(2 n) if complex.

    Parameters
    ----------
    x : array_like or pyopencl.array.Array
        A vector of n elements in the last axis, or a batch of them.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    scalar or array
        With the leading axes as its shape: float64 for float64 and complex128, otherwise float32.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> float(tw.vector.asum(np.array([3.0, -4.0])))
    7.0
    """
    call = Call({"x": x}, queue=queue, wait_for=wait_for)
    return call.run(constants.ASUM, result=magnitude(call.dtype))


def iamax(x: Operand, *, queue: Queue = None, wait_for: Events = None) -> Any:
    """Find the index of the first element with the largest ``|re x| + |im x|``, from 0; -1 if there are no elements.

    The first NaN counts as larger than any number.

    Parameters
    ----------
    x : array_like or pyopencl.array.Array
        A vector of n elements in the last axis, or a batch of them.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    scalar or array of int64
        With the leading axes as its shape.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> int(tw.vector.iamax(np.array([3.0, -4.0])))
    1
    """
    return Call({"x": x}, queue=queue, wait_for=wait_for).run(constants.IAMAX, result=INDEX)
