"""Vector operations: the first level of BLAS, with its names.

Vectors are in the last axis, with any stride; leading axes are batches. Functions that write a vector write it in
place, and return it. Vectors of one call have one dtype: float16, bfloat16 (of ml_dtypes), float32, float64, complex64
or complex128; `copy` and `swap` move any dtype of the library. Arrays of pyopencl are not waited for.

The functions raise InvalidValue, InvalidType, OutOfMemory and Error as `tilewright.gemm` does. If a call fails or is
interrupted after its arguments were checked, some elements of a vector that it writes may already have new values.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy

from ._c import constants, structs
from .annotations import Array, Events, Operand, Queue, Result, Scalar, like_operand
from .dtypes import accumulator, code_of
from .errors import InvalidType, InvalidValue
from .places import expect_array, host_array, is_opencl, native, place_of
from .problem import expect_apart, named, scalar
from .views import Batches

SUMMATIONS = {"plain": constants.SUMMATION_PLAIN, "compensated": constants.SUMMATION_COMPENSATED}
INDEX = numpy.dtype("int64")


def increment(view, name):
    """Returns the increment of a vector and where it starts, which for BLAS is the end of a reversed vector."""
    size, step = view.shape[-1], view.strides[-1]
    if size <= 1:
        return 1, view.ref
    if step == 0:
        raise InvalidValue(f"all elements of {name} are the same one; copy it", "invalid_increment", name)
    reference = view.ref
    if step < 0:
        reference.offset = view.offset + (size - 1) * step
    return step, reference


class Call:
    """The vectors of one call, which are named x, y and z."""

    def __init__(self, vectors, written=(), unread=(), queue=None, wait_for=None):
        if not any(is_opencl(vector) for vector in vectors.values()):
            vectors = {name: self.on_host(vector, name, name in written) for name, vector in vectors.items()}
        self.place = place_of(list(vectors.values()), queue, wait_for)
        self.vectors, self.written, self.unread = vectors, written, unread
        self.dtype = vectors["x"].dtype
        for name, vector in vectors.items():
            if vector.dtype != self.dtype:
                raise InvalidType(f"x has the dtype {self.dtype}, but {name} has {vector.dtype}; convert one of them")
            if not len(vector.shape):
                raise InvalidValue(f"{name} is a scalar, not a vector", operand=name)
        self.type = code_of(self.dtype)
        sizes = {vector.shape[-1] for vector in vectors.values()}
        if len(sizes) > 1:
            raise InvalidValue(f"the vectors have different numbers of elements: {sorted(sizes)}")
        self.size = sizes.pop()
        try:
            self.lead = numpy.broadcast_shapes(*(vector.shape[:-1] for vector in vectors.values()))
        except ValueError:
            raise InvalidValue("the leading axes of the vectors cannot be broadcast", "invalid_batch") from None
        for name in written:
            if vectors[name].shape[:-1] != self.lead:
                raise InvalidValue(f"{name} is written, so it must have the leading axes {self.lead}", operand=name)

    @staticmethod
    def on_host(vector, name, is_written):
        if not is_written:
            return native(host_array(vector, name))
        expect_array(vector, name, name)
        if not vector.flags.writeable:
            raise InvalidValue(f"{name} is read-only", operand=name)
        return vector

    def view(self, name):
        vector = self.vectors[name]
        if name in self.written:
            return self.place.output(vector, name not in self.unread, name)
        return self.place.read(vector if self.place.is_device else numpy.asarray(vector, order="C"), name)

    def run(self, function, alpha=1, beta=0, result=None, summation="plain"):
        """Computes the function. Returns the vectors that it writes, or its results."""
        with self.place as place:
            views = {name: self.view(name) for name in self.vectors}
            problem = structs.VectorProblem(type=self.type, n=self.size)
            problem.summation = named(SUMMATIONS, summation, "summation")
            operands = structs.VectorOperands(
                alpha=scalar(alpha, self.dtype, "alpha"), beta=scalar(beta, self.dtype, "beta")
            )
            for name, view in views.items():
                step, reference = increment(view, name)
                setattr(problem, f"inc{name}", step)
                setattr(operands, name, reference)
            results = None
            if result is not None:
                results = place.make(self.lead, result)
                operands.result = results.ref
            matrices = [
                view.with_axes((*view.shape[:-1], 1, self.size), (*view.strides[:-1], 0, 1)) for view in views.values()
            ]
            batches = Batches(self.lead, matrices)
            if batches.axes:
                strides = dict(zip((f"stride_{name}" for name in views), batches.strides()))
                if results is not None:
                    strides["stride_result"] = 1
                problem.batch = ctypes.pointer(structs.Batch(count=batches.count, **strides))
            if 0 not in self.lead and (self.size or results is not None):
                place.call("vector", problem, operands, function=function)
            if results is not None:
                found = place.give(results)
                return found if place.is_device else found[()]
            return [place.give(views[name], self.vectors[name]) for name in self.written]


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
    call = Call({"x": x, "y": y, "z": z}, "z", "z" if beta == 0 else "", queue, wait_for)
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
