"""Copies of arrays with any strides."""

# mypy: disable-error-code="union-attr"
# is_opencl() tells the kinds of operands apart, which type checkers do not follow through several arrays.

from __future__ import annotations

import ctypes
from typing import Optional

import numpy

from ._c import constants, structs
from .annotations import Array, Events, Operand, Queue, Result, like_operand
from .errors import InvalidType, InvalidValue
from .places import expect_array, host_array, is_opencl, place_of
from .problem import expect_apart, expect_result

# Types by whose size elements are moved; their bits do not change.
MOVED_AS = {1: constants.U8, 2: constants.F16, 4: constants.I32, 8: constants.C64, 16: constants.C128}


class Axis:
    """The number of elements along an axis, and the distances of two of them in the source and in the target."""

    def __init__(self, size, source, target):
        self.size, self.source, self.target = size, source, target


def axes_of(source, target):
    """Returns the axes with several elements, where axes that follow each other in both arrays are one."""
    axes = []
    for size, step, step_out in zip(source.shape, source.strides, target.strides):
        if size == 1:
            continue
        last = axes[-1] if axes else None
        if last and last.source == step * size and last.target == step_out * size:
            axes[-1] = Axis(last.size * size, step, step_out)
        else:
            axes.append(Axis(size, step, step_out))
    return axes


def flipped(view, is_flipped):
    """Returns a view whose axes run backwards where they are flipped."""
    steps = [-step if flip else step for step, flip in zip(view.strides, is_flipped)]
    found = view.with_axes(view.shape, tuple(steps))
    found.offset += sum(
        (size - 1) * step for size, step, flip in zip(view.shape, view.strides, is_flipped) if flip and size
    )
    return found


def enqueue_strided_copy(place, source, target):
    """Enqueues the copy of a view to another one of the same shape and dtype, both with any strides."""
    if 0 in source.shape:
        return
    backwards = [step < 0 for step in target.strides]
    source, target = flipped(source, backwards), flipped(target, backwards)
    reversed_axes = [axis for axis, (size, step) in enumerate(zip(source.shape, source.strides)) if step < 0 < size - 1]
    if len(reversed_axes) > 1:  # a call reverses one axis
        rest = [axis in reversed_axes[1:] for axis in range(len(source.shape))]
        middle = place.make(source.shape, source.dtype)
        enqueue_strided_copy(place, flipped(source, rest), middle)
        enqueue_strided_copy(place, flipped(middle, rest), target)
        return
    axes = axes_of(source, target)
    if any(axis.target == 0 for axis in axes):
        raise InvalidValue("out has several elements at one address", "overlapping_operands", "C")
    along = min((axis for axis in axes if axis.source), key=lambda axis: (axis.source > 0, axis.target), default=None)
    others = sorted((axis for axis in axes if axis is not along), key=lambda axis: axis.size)
    vector = along or Axis(1, 1, 1)
    problem = structs.VectorProblem(type=MOVED_AS[source.dtype.itemsize], n=vector.size)
    problem.incx, problem.incy = vector.source, vector.target
    if others:
        most = others.pop()
        problem.batch = ctypes.pointer(structs.Batch(count=most.size, stride_x=most.source, stride_y=most.target))
    start = source.offset + min(0, (vector.size - 1) * vector.source)  # of a reversed vector BLAS takes the end
    for index in numpy.ndindex(*(axis.size for axis in others)):
        x = start + sum(number * axis.source for number, axis in zip(index, others))
        y = target.offset + sum(number * axis.target for number, axis in zip(index, others))
        operands = structs.VectorOperands(
            x=structs.Matrix(buffer=source.buffer, offset=x), y=structs.Matrix(buffer=target.buffer, offset=y)
        )
        place.call("vector", problem, operands, function=constants.COPY)


@like_operand
def copy(a: Operand, out: Optional[Array] = None, *, queue: Queue = None, wait_for: Events = None) -> Result:
    """Copy an array with any strides, such as a slice with gaps or a reversed axis.

    pyopencl copies only arrays without gaps, and the other functions of this package need contiguous rows or columns.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        Any shape and strides, and any dtype with elements of 1, 2, 4, 8 or 16 bytes.
    out : array, optional
        The array for the copy, with the same shape and dtype and any strides. It shares no elements with `a`. If the
        call fails or is interrupted after its arguments were checked, some elements may already have new values.
    queue, wait_for
        As for `tilewright.gemm`.

    Returns
    -------
    numpy.ndarray or pyopencl.array.Array
        `out`, or a new C-contiguous array. An array of pyopencl is not waited for. Bits do not change.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    On a device this takes one call of a kernel for an array of at most two axes with one of them reversed. Each further
    reversed axis takes a temporary array, and each further axis as many calls as it has elements.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.copy(np.arange(6)[::-2])
    array([5, 3, 1])
    """
    arrays = [a] if out is None else [a, out]
    if out is not None:
        expect_array(out)
    a = a if is_opencl(a) else host_array(a, "A")
    on_device = [is_opencl(array) for array in arrays]
    if out is not None:
        expect_result(out, a.shape, a.dtype)
    if not any(on_device) and queue is None and wait_for is None:
        if out is None:
            return numpy.array(a, order="C", subok=False)
        expect_apart(out, {"A": a})
        out[...] = a
        return out
    place = place_of(arrays, queue, wait_for)
    if a.dtype.itemsize not in MOVED_AS:
        raise InvalidType(f"the elements of {a.dtype} have {a.dtype.itemsize} bytes, not 1, 2, 4, 8 or 16", operand="A")
    with place:
        source = place.read(a, "A")
        target = place.make(a.shape, a.dtype) if out is None else place.output(out, False)
        enqueue_strided_copy(place, source, target)
        return place.give(target, out)
