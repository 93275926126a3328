"""Where the elements of a matrix lie: buffer, offset, shape and strides."""

import ctypes

import numpy

from ._c import constants, structs
from .errors import InvalidType, InvalidValue


class View:
    """An array in device memory. The offset and the strides count elements."""

    __slots__ = ("buffer", "dtype", "offset", "owner", "shape", "strides")

    def __init__(self, buffer, offset, shape, strides, dtype, owner=None):
        self.buffer = buffer
        self.offset = offset
        self.shape = shape
        self.strides = strides
        self.dtype = dtype
        self.owner = owner

    @property
    def ref(self):
        return structs.Matrix(buffer=self.buffer, offset=self.offset)

    def with_axes(self, shape, strides):
        return View(self.buffer, self.offset, shape, strides, self.dtype, self.owner)


def dense_strides(shape):
    """Returns the strides of a C-contiguous array, in elements."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def leading_dimension(view, layout):
    """Returns the leading dimension of the last two axes in a layout, or None if they are not stored so."""
    outer, inner = (-2, -1) if layout == constants.ROW_MAJOR else (-1, -2)
    length = max(view.shape[inner], 1)
    if 0 in view.shape[-2:]:
        return length
    if view.shape[inner] > 1 and view.strides[inner] != 1:
        return None
    if view.shape[outer] <= 1:
        return length
    return view.strides[outer] if view.strides[outer] >= length else None


def layout_of(view, name):
    """Returns a layout in which the last two axes are stored and their leading dimension."""
    for layout in (constants.ROW_MAJOR, constants.COLUMN_MAJOR):
        leading = leading_dimension(view, layout)
        if leading is not None:
            return layout, leading
    raise InvalidValue(
        f"neither the rows nor the columns of {name} are contiguous (strides {view.strides} in elements); copy it with "
        "tilewright.copy()",
        "invalid_leading_dimension",
        name,
    )


FLIPPED = {constants.NO_TRANS: constants.TRANS, constants.TRANS: constants.NO_TRANS}


def stored_as(view, trans, layout, name):
    """Returns (trans, leading dimension) by which an operand is read in the given layout."""
    leading = leading_dimension(view, layout)
    if leading is not None:
        return trans, leading
    _, leading = layout_of(view, name)
    if trans == constants.CONJ_TRANS and view.dtype.kind != "c":
        trans = constants.TRANS
    if trans == constants.CONJ_TRANS:
        raise InvalidValue(
            f"the conjugate transpose of {name} needs {name} in the order of the result (rows or columns contiguous); "
            "copy one of them with tilewright.copy()",
            "invalid_leading_dimension",
            name,
        )
    return FLIPPED[trans], leading


def broadcast(lead, view):
    """Returns the strides of a view's leading axes after they are broadcast to the shape `lead`."""
    own = view.shape[:-2]
    padding = (0,) * (len(lead) - len(own))
    return padding + tuple(0 if size == 1 else step for size, step in zip(own, view.strides))


def result_layout(views, operations):
    """Returns a layout of C in which the conjugate transposes among the operands can be read."""
    layouts = (constants.ROW_MAJOR, constants.COLUMN_MAJOR)
    for layout in layouts:
        if all(
            operation != constants.CONJ_TRANS or view.dtype.kind != "c" or leading_dimension(view, layout) is not None
            for view, operation in zip(views, operations)
        ):
            return layout
    return constants.ROW_MAJOR  # stored_as() then says what cannot be read


class Batches:
    """The leading axes of several operands: one stride each if possible, otherwise offsets."""

    def __init__(self, lead, views):
        steps = list(zip(*(broadcast(lead, view) for view in views)))
        axes = []
        for size, step in zip(lead, steps):
            if size == 1:
                continue
            if axes and all(outer == inner * size for outer, inner in zip(axes[-1][1], step)):
                axes[-1] = (axes[-1][0] * size, step)
            else:
                axes.append((size, step))
        if any(step < 0 for _, steps in axes for step in steps):
            raise InvalidValue(
                "a leading axis has a negative stride; copy the array with tilewright.copy()", "invalid_batch"
            )
        self.axes = axes
        self.count = int(numpy.prod([size for size, _ in axes], dtype=object))

    def strides(self):
        """Returns one stride per operand. Raises InvalidValue if there are several."""
        if len(self.axes) > 1:
            raise InvalidValue(
                "the leading axes do not follow each other with one stride; copy the array with "
                "tilewright.copy()", "invalid_batch"
            )
        return self.axes[0][1] if self.axes else None

    def offsets(self, operand):
        """Returns the offsets of one operand as an array of C."""
        total = numpy.zeros(1, dtype=numpy.uint64)
        for size, steps in self.axes:
            step = numpy.arange(size, dtype=numpy.uint64) * numpy.uint64(steps[operand])
            total = numpy.add.outer(total, step).reshape(-1)
        return (ctypes.c_uint64 * len(total)).from_buffer_copy(total.tobytes())


def as_view(array, name):
    """Returns the view of a pyopencl array."""
    size = array.dtype.itemsize
    if array.size == 0:
        return View(None, 0, array.shape, dense_strides(array.shape), array.dtype, array)
    data = array.base_data
    if not hasattr(data, "int_ptr"):
        raise InvalidType(
            f"{name} is in memory of the type {type(data).__name__}, but it must be in an OpenCL buffer; copy it to an "
            "array without an SVM allocator",
            "invalid_buffer",
            name,
        )
    if array.offset % size or any(step % size for step in array.strides):
        raise InvalidValue(f"{name} has an offset or strides of parts of elements", "invalid_offset", name)
    strides = tuple(step // size for step in array.strides)
    return View(data.int_ptr, array.offset // size, array.shape, strides, array.dtype, array)
