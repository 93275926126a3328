"""Transposes and copies of matrices."""

# mypy: disable-error-code="union-attr"
# is_opencl() tells the kinds of operands apart, which type checkers do not follow through several arrays.

from __future__ import annotations

import ctypes
from typing import Optional

import numpy

from ._c import constants, structs
from .annotations import Array, Events, Operand, Queue, Result, Scalar, like_operand
from .dtypes import CODES
from .errors import InvalidType, InvalidValue
from .places import expect_array, host_array, is_opencl, place_of
from .problem import expect_apart, expect_result, scalar
from .views import Batches, layout_of, leading_dimension

MOVED = (1, 2, 4, 8, 16)  # sizes of elements whose bits are moved


def enqueue_copy(place, source, target, alpha=1):
    """Enqueues B = alpha A for views of equal shapes, each with contiguous rows or columns."""
    layout, ldb = layout_of(target, "B")
    leading, trans = leading_dimension(source, layout), constants.NO_TRANS
    if leading is None:
        (_, leading), trans = layout_of(source, "A"), constants.TRANS
    # A transposed A is stored in the layout of B with its axes exchanged.
    rows, columns = source.shape[-2:] if trans == constants.NO_TRANS else source.shape[:-3:-1]
    problem = structs.TransposeProblem(layout=layout, trans=trans, m=rows, n=columns, lda=leading, ldb=ldb)
    if source.dtype.name in CODES and source.dtype.isnative:
        problem.type = CODES[source.dtype.name]
    else:
        problem.element_bytes = source.dtype.itemsize
    batches = Batches(source.shape[:-2], [source, target])
    if batches.axes:
        stride_a, stride_b = batches.strides()
        problem.batch = ctypes.pointer(structs.Batch(count=batches.count, stride_a=stride_a, stride_b=stride_b))
    operands = structs.TransposeOperands(alpha=scalar(alpha, source.dtype, "alpha"), a=source.ref, b=target.ref)
    place.call("transpose", problem, operands)


def copy_of(place, array, name):
    """Returns a C-contiguous copy of an operand, which may be overwritten."""
    if not place.is_device:
        return place.copy(array, name)
    view = place.read(array, name)
    copy = place.make(view.shape, view.dtype)
    if array.size:
        enqueue_copy(place, view, copy)
    return copy


def rows_of(place, array, name):
    """Returns an operand that is only read, with contiguous rows and one stride between its matrices."""
    if not place.is_device:
        return place.read(numpy.asarray(array, order="C"), name)
    view = place.read(array, name)
    if leading_dimension(view, constants.ROW_MAJOR) is not None:
        return view
    copy = place.make(view.shape, view.dtype)
    enqueue_copy(place, view, copy)
    return copy


@like_operand
def transpose(
    a: Operand, out: Optional[Array] = None, *, alpha: Scalar = 1, queue: Queue = None, wait_for: Events = None
) -> Result:
    """Transpose the last two axes in memory: ``alpha A^T``, one matrix or a batch.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        Two axes or more. Any dtype with elements of 1, 2, 4, 8 or 16 bytes. An array of pyopencl has contiguous rows or
        columns.
    out : array, optional
        The array for the result, which shares no elements with `a`. If the call fails or is interrupted after its
        arguments were checked, some elements may already have new values.
    alpha : float
        Other values than 1 need real floating-point elements.
    queue, wait_for
        As for `gemm`.

    Returns
    -------
    numpy.ndarray or pyopencl.array.Array
        C-contiguous, unless `out` is given. Bits are copied if alpha is 1; otherwise each element is rounded once.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.transpose(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 3.],
           [2., 4.]])
    """
    arrays = [a] if out is None else [a, out]
    if out is not None:
        expect_array(out)
    a = a if is_opencl(a) else host_array(a, "A")
    place = place_of(arrays, queue, wait_for)
    if len(a.shape) < 2:
        raise InvalidValue(f"A needs two axes or more, but its shape is {a.shape}", operand="A")
    if a.dtype.itemsize not in MOVED:
        raise InvalidType(f"the elements of {a.dtype} have {a.dtype.itemsize} bytes, not 1, 2, 4, 8 or 16", operand="A")
    shape = (*a.shape[:-2], a.shape[-1], a.shape[-2])
    if out is not None:
        expect_result(out, shape, a.dtype)
        if not place.is_device:
            expect_apart(out, {"A": a})
    with place:
        source = place.read(a, "A")
        if not place.is_device and len(Batches(a.shape[:-2], [source]).axes) > 1:
            source = place.copy(a, "A")
        steps = source.strides
        source = source.with_axes(shape, (*steps[:-2], steps[-1], steps[-2]))
        target = place.make(shape, a.dtype) if out is None else place.output(out, False, "B")
        if a.size:
            enqueue_copy(place, source, target, alpha)
        return place.give(target, out)
